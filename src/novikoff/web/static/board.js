/**
 * The replay's plane, to work on: the same picture, and under and over it what only the playground
 * shows (shading, ghosts, α as size, the street, the obstruction). Where points are touched, see
 * hands.js.
 */

import { svg, set } from "./replay/dom.js";
import { mark, markRadius, path, Plane, show } from "./replay/plane.js";
import { lengthsOf, lineOf, segment, strip, toUnit, viewOf } from "./replay/view.js";
import { FARTHEST } from "./engine/questions.js";
import { say } from "./notation.js";
import { contourOf, paint } from "./shade.js";
import { board as words } from "./strings.js";

const ROOM = 1.12; // beyond the replay's own: space to put points into
const EMPTY = 6; // from the middle to the edge, where there are no points yet
const GHOSTS = 8;
const MANY = 300; // points, too many to be touched one by one
const LARGEST = 2; // times its size: the mark of the example with the most updates

/** The part of the plane for some points; it stays while they are moved within it. */
export function frameFor(points, offset) {
  if (points.length === 0) return { centre: [0, 0], half: [EMPTY, EMPTY], equal: true };
  const shown = points.map(({ x, y }) => ({ x: [x, y] }));
  const view = viewOf({ points: shown, fitIntercept: offset });
  return { ...view, half: view.half.map((half) => half * ROOM) };
}

/** Whether all points are inside. */
export function fits(view, points) {
  const units = points.map(({ x, y }) => toUnit(view, [x, y]).map(Math.abs));
  return units.every(([a, b]) => a <= 1 && b <= 1);
}

export class Board extends Plane {
  constructor(run, view) {
    super(run, view);
    this.canvas = document.createElement("canvas");
    this.canvas.className = "play-shade";
    this.canvas.setAttribute("aria-hidden", "true");
    this.selected = null;
    this.field = null;
    this.outline = []; // where its sign changes
    this.ahead = null; // points that are newer than the run
  }

  /** Larger numbers along the axes, to be read from the last row. */
  enlarge(factor) {
    if (factor === this.large) return;
    this.large = factor;
    if (this.size) this.resize(this.size);
  }

  /** Show another run, in the same or another part of the plane. */
  setRun(run, view) {
    this.run = run;
    this.view = view;
    this.ahead = null;
    this.lengthOf = lengthsOf(view, run);
    if (this.size) this.resize(this.size);
  }

  resize(size) {
    super.resize(size);
    Object.assign(this.canvas.style, {
      left: `${this.left}px`, top: `${this.top}px`, width: `${this.side}px`, height: `${this.side}px`,
    });
    if (this.ahead) this.showPoints(this.ahead);
  }

  layers(marks) {
    const list = super.layers(marks);
    const part = (name, tag, attributes = {}) =>
      (this.parts[name] = svg(tag, { class: `play-${name}`, ...attributes }));
    const below = (node, ...nodes) => list.splice(list.indexOf(node), 0, ...nodes);
    below(this.marks, part("street", "path"), part("kerbs", "path"), part("middle", "path"),
      part("hulls", "path"), part("ghosts", "g"));
    below(this.parts.before, part("contour", "path"));
    list.push(part("supports", "g"), part("meeting", "path"), part("hits", "g"));
    this.reachable(this.run.points.map(({ x: [x, y] }) => ({ x, y })));
    const radius = this.radius + 6;
    below(
      this.parts.halo,
      part("visit", "circle", { r: radius }),
      part("selected", "circle", { r: radius + 4 }),
    );
    return list;
  }

  get radius() {
    return markRadius(this.run.points.length);
  }

  /** Show points as they are now, before the run on them is known; `view` has room for them. */
  showPoints(points, view = this.view) {
    this.ahead = points;
    if (view !== this.view) {
      this.view = view;
      this.lengthOf = lengthsOf(view, this.run);
      this.resize(this.size); // which comes here again
      return;
    }
    const nodes = points.map(({ x, y, label }) => mark(label, ...this.place_([x, y]), this.radius));
    this.marks.replaceChildren(...nodes);
    this.reachable(points);
    this.select(this.selected);
  }

  /** For fingers, room around each mark in which a touch does not scroll the page. */
  reachable(points) {
    if (points.length > MANY || !matchMedia("(any-pointer: coarse)").matches) return;
    this.parts.hits.replaceChildren(...points.map(({ x, y }) => {
      const [cx, cy] = this.place_([x, y]);
      return svg("circle", { cx, cy, r: 24 });
    }));
  }

  place_(x) {
    return this.pixel(toUnit(this.view, x));
  }

  /** The numbers at a pixel of the element, on a round grid. */
  dataAt(left, top) {
    const u = [((left - this.left) / this.side) * 2 - 1, 1 - ((top - this.top) / this.side) * 2];
    if (u.some((value) => Math.abs(value) > 1)) return null;
    const [x, y] = u.map((value, j) => {
      const decimals = Math.max(0, -Math.floor(Math.log10(this.view.half[j] / 40)));
      return Number(
        (this.view.centre[j] + value * this.view.half[j]).toFixed(Math.min(decimals, 9)),
      );
    });
    return Math.max(Math.abs(x), Math.abs(y)) > FARTHEST ? null : { x, y };
  }

  /** Which point is nearest to a pixel of the element, within `reach`; null if none. */
  nearest(points, left, top, reach) {
    let [best, distance] = [null, reach];
    points.forEach(({ x, y }, i) => {
      const [a, b] = this.place_([x, y]);
      const d = Math.hypot(a + this.left - left, b + this.top - top);
      if (d <= distance) [best, distance] = [i, d];
    });
    return best;
  }

  select(i) {
    this.selected = i;
    const node = this.parts.selected;
    const point = i === null ? null : this.marks.children[i];
    show(node, point);
    if (!point) return;
    const box = point.getBBox();
    set(node, { cx: box.x + box.width / 2, cy: box.y + box.height / 2 });
  }

  /**
   * Draw a step. `extra` is what the playground adds: `alpha` (updates per row), `visit` (a row that
   * was right), `model` (another line that would predict), `asked` (a row whose outcome is not told yet), `verdict` (drawn at the end).
   */
  draw(step, moving = step, extra = this.extra) {
    this.extra = extra;
    const caption = super.draw(step, moving);
    this.parts.label.textContent = say("θ");
    this.shading(step);
    this.ghosts(extra?.verdict ? 0 : step.k);
    this.sizes(extra?.alpha);
    if (step.update) this.circle(this.parts.ring, step.update.row, this.parts.halo);
    this.circle(this.parts.visit, extra?.visit ?? null);
    if (extra?.asked !== undefined && extra.asked !== null) {
      this.circle(this.parts.ring, extra.asked, this.parts.halo);
    }
    this.verdict(extra?.verdict ?? null);
    set(this.element, { "aria-label": say(this.element.getAttribute("aria-label")) });
    this.select(this.selected);
    return this.run.kernel ? words.kernel : say(caption);
  }

  /** Put circles around a row's mark. */
  circle(node, row, ...more) {
    for (const circle of [node, ...more]) {
      show(circle, row !== null);
      if (row !== null) set(circle, this.around(row));
    }
  }

  around(row, room = 6) {
    const [cx, cy] = this.place_(this.run.points[row].x);
    return { cx, cy, r: (this.grown?.[row] ?? this.radius) + room };
  }

  /** The grid that came for this step, or the plain half-spaces while there is none. */
  shading() {
    const { field } = this;
    this.canvas.hidden = !field;
    const bare = this.run.kernel || field;
    for (const name of ["positive", "negative"]) show(this.parts[name], !bare);
    for (const name of ["boundary", "casing", "before", "shaft", "head", "label", "square"]) {
      if (this.run.kernel) show(this.parts[name], false);
    }
    const d = this.outline.map(
      (ends) => `M${ends.map((u) => this.pixel(u).map((v) => v.toFixed(1)).join(" ")).join("L")}`,
    );
    if (this.extra?.model) this.drawLine(this.parts.contour, this.extra.model);
    else set(this.parts.contour, { d: d.join("") });
  }

  /** Take a grid of the engine's, or null. */
  setField(field) {
    this.field = field;
    this.outline = field ? contourOf(field) : [];
    if (field) paint(this.canvas, field, getComputedStyle(this.element));
    if (this.size) this.shading();
  }

  ghosts(k) {
    const nodes = [];
    for (let i = Math.max(1, k - GHOSTS - 1); i < k - 1 && !this.run.kernel; i++) {
      const theta = [this.run.thetas[2 * i], this.run.thetas[2 * i + 1]];
      const line = lineOf(this.view, { theta, offset: this.run.offsets[i] });
      const ends = line && segment(line);
      if (!ends) continue;
      const [[x1, y1], [x2, y2]] = ends.map((u) => this.pixel(u));
      nodes.push(
        svg(
          "line",
          {
            x1,
            y1,
            x2,
            y2,
            "stroke-opacity": (0.1 + (0.3 * (i - k + GHOSTS + 2)) / GHOSTS).toFixed(2),
          },
        ),
      );
    }
    this.parts.ghosts.replaceChildren(...nodes);
  }

  /** α of each point as its size. */
  sizes(alpha) {
    this.grown = null;
    if (!alpha || alpha.length !== this.marks.children.length) return;
    const most = alpha.reduce((a, b) => Math.max(a, b), 4);
    this.grown = Array.from(alpha, (a) => this.radius * (1 + (LARGEST - 1) * Math.sqrt(a / most)));
    Array.from(this.marks.children).forEach((node, i) => {
      const r = this.grown[i];
      const { ahead, run } = this; // where it is, which may not be where it was
      const [x, y] = this.place_(ahead ? [ahead[i].x, ahead[i].y] : run.points[i].x);
      if (node.tagName === "circle") set(node, { r });
      else set(node, { x: x - 0.9 * r, y: y - 0.9 * r, width: 1.8 * r, height: 1.8 * r });
    });
  }

  // ----------------------------------------------------------------- what is known at the end

  verdict(verdict) {
    const { street, kerbs, middle, hulls, supports, meeting } = this.parts;
    for (const node of [street, kerbs, middle, hulls, meeting]) set(node, { d: "" });
    supports.replaceChildren();
    if (!verdict) return;
    if (verdict.street) this.drawStreet(verdict.street);
    if (verdict.weak) this.drawLine(middle, verdict.weak);
    if (verdict.obstruction) this.drawObstruction(verdict.obstruction);
  }

  drawLine(node, hypothesis, levels = [0]) {
    const d = levels.map((level) => {
      const line = lineOf(this.view, hypothesis, level);
      const ends = line && segment(line);
      return ends ? `M${ends.map((u) => this.pixel(u).join(" ")).join("L")}` : "";
    });
    set(node, { d: d.join("") });
  }

  drawStreet({ theta, offset, margin, support }) {
    const level = margin * Math.hypot(...theta);
    const [low, high] = [-level, level].map((l) => lineOf(this.view, { theta, offset }, l));
    if (low && high) set(
      this.parts.street, { d: path(strip(low, high).map((u) => this.pixel(u))) },
    );
    this.drawLine(this.parts.kerbs, { theta, offset }, [-level, level]);
    this.drawLine(this.parts.middle, { theta, offset });
    this.rings(support);
  }

  rings(rows) {
    this.parts.supports.replaceChildren(...rows.map((row) => svg("circle", this.around(row, 5))));
  }

  /** The two hulls that meet, and the point that is in both; through the origin, the rows alone. */
  drawObstruction({ rows, positive, negative, point }) {
    this.rings(rows);
    if (!point) return;
    const outline = (rows) => path(rows.map((row) => this.place_(this.run.points[row].x)));
    set(this.parts.hulls, { d: outline(positive) + outline(negative) });
    const [x, y] = this.place_(point);
    set(this.parts.meeting, { d: `M${x - 8} ${y - 8}l16 16m0 -16l-16 16` });
  }
}
