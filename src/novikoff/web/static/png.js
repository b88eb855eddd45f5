/**
 * The boards as a picture. Their SVG holds lines, paths, circles, rectangles and text only, so each
 * is drawn onto a canvas as it is styled on the page: no markup is made, and no policy in the way.
 */

const SCALE = 2; // pixels of the picture per pixel of the page
const PAD = 12;

function style(context, node) {
  const computed = getComputedStyle(node);
  const number = (name) => parseFloat(computed[name]) || 0;
  context.lineWidth = number("strokeWidth");
  context.setLineDash(
    computed.strokeDasharray === "none" ? [] : computed.strokeDasharray.split(/[ ,]+/).map(parseFloat),
  );
  context.lineCap = computed.strokeLinecap;
  context.lineJoin = computed.strokeLinejoin;
  return {
    fill: computed.fill === "none" ? null : [
      computed.fill, number("fillOpacity") * number("opacity"),
    ],
    stroke: computed.stroke === "none" ? null : [
      computed.stroke, number("strokeOpacity") * number("opacity"),
    ],
    first: computed.paintOrder.startsWith("stroke"),
    hidden: computed.visibility === "hidden" || computed.display === "none",
    font: `${computed.fontStyle} ${computed.fontWeight} ${computed.fontSize} ${computed.fontFamily}`,
    anchor: computed.textAnchor,
  };
}

function outlineOf(node) {
  const get = (name) => parseFloat(node.getAttribute(name)) || 0;
  const outline = new Path2D();
  if (node.tagName === "path") return new Path2D(node.getAttribute("d") ?? "");
  if (node.tagName === "circle") outline.arc(get("cx"), get("cy"), get("r"), 0, 2 * Math.PI);
  if (node.tagName === "rect") outline.rect(get("x"), get("y"), get("width"), get("height"));
  if (node.tagName === "line") {
    outline.moveTo(get("x1"), get("y1"));
    outline.lineTo(get("x2"), get("y2"));
  }
  return outline;
}

function paintNode(context, node) {
  if (node.tagName === "svg" || node.tagName === "g") {
    context.save();
    if (node.parentNode.tagName === "svg" && node.tagName === "svg") {
      const get = (name) => parseFloat(node.getAttribute(name)) || 0;
      context.translate(get("x"), get("y"));
      context.beginPath();
      context.rect(0, 0, get("width"), get("height"));
      context.clip();
    }
    for (const child of node.children) paintNode(context, child);
    context.restore();
    return;
  }
  const look = style(context, node);
  if (look.hidden) return;
  const text = node.tagName === "text";
  const outline = text ? null : outlineOf(node);
  const at = text ? [
    node.textContent, parseFloat(node.getAttribute("x")), parseFloat(node.getAttribute("y")),
  ] : null;
  if (text) {
    context.font = look.font;
    context.textAlign = { middle: "center", end: "right" }[look.anchor] ?? "left";
  }
  const ink = (what) => {
    if (!look[what]) return;
    [context[`${what}Style`], context.globalAlpha] = look[what];
    if (text) context[`${what}Text`](...at);
    else context[what](outline);
  };
  for (const what of look.first ? ["stroke", "fill"] : ["fill", "stroke"]) ink(what);
  context.globalAlpha = 1;
}

/** The names of the axes: on the page they are text over the board. */
function paintNames(context, board, axes) {
  const { left, top, side } = board;
  const [across, up] = [[left + side - 8, top + side - 8], [left + 8, top + 16]];
  axes.forEach((node, j) => {
    const { color, fontSize, fontFamily } = getComputedStyle(node);
    Object.assign(context, {
      fillStyle: color, font: `${fontSize} ${fontFamily}`, textAlign: j ? "left" : "right",
    });
    context.fillText(node.textContent, ...(j ? up : across), 0.6 * side);
  });
}

/** A PNG of stages, side by side, as a Blob. */
export function toPng(stages) {
  const boards = stages.map(({ board }) => board);
  const sizes = boards.map(
    ({ element }) => [Number(element.getAttribute("width")), Number(element.getAttribute("height"))],
  );
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * (sizes.reduce((sum, [w]) => sum + w + PAD, PAD));
  canvas.height = SCALE * (Math.max(...sizes.map(([, h]) => h)) + 2 * PAD);
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  context.fillStyle = getComputedStyle(boards[0].element).getPropertyValue("--nr-ground").trim() || "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(PAD, PAD);
  boards.forEach((board, i) => {
    if (!board.canvas.hidden) context.drawImage(
      board.canvas, board.left, board.top, board.side, board.side,
    );
    paintNode(context, board.element);
    paintNames(context, board, stages[i].axes);
    context.translate(sizes[i][0] + PAD, 0);
  });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
