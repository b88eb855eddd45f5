/** Beside the plane: the sentence, a few facts, the legend. */

import { html, svg, userText } from "./dom.js";
import { about, vector } from "./format.js";
import { mark } from "./plane.js";
import { sentenceOf } from "./sentence.js";
import { facts, legend } from "./strings.js";

function swatch(...nodes) {
  const box = { viewBox: "0 0 32 16", width: 32, height: 16 };
  return svg("svg", { class: "nr-swatch", "aria-hidden": "true", ...box }, ...nodes);
}

const stroke = (name) => swatch(svg("line", { class: name, x1: 1, x2: 31, y1: 8, y2: 8 }));
const halfSpaces = () => [
  svg("rect", { class: "nr-positive", x: 1, y: 1, width: 15, height: 14 }),
  svg("rect", { class: "nr-negative", x: 16, y: 1, width: 15, height: 14 }),
];
const band = () => [
  ...halfSpaces(),
  svg("rect", { class: "nr-band", x: 1, y: 2, width: 30, height: 12 }),
  ...[2, 14].map((y) => svg("line", { class: "nr-low", x1: 1, x2: 31, y1: y, y2: y })),
];

/** What the marks mean; the labels are the user's. */
function legendOf(run) {
  const item = (picture, ...text) => html("li", {}, picture, html("span", {}, ...text));
  const side = (y, label) => {
    const name = userText("bdi", label, { class: "nr-user" });
    return item(swatch(mark(y, 16, 8, 6)), name, " ", html("span", { class: "nr-side" }, `(${legend.side(y)})`));
  };
  const items = [side(1, run.classes.positive), side(-1, run.classes.negative)];
  if (run.points.some((point) => point.side === 0)) items.push(item(swatch(mark(0, 16, 8, 6)), legend.idle));
  items.push(item(swatch(...halfSpaces()), legend.predicted));
  items.push(item(stroke("nr-boundary"), legend.after));
  if (run.n) items.push(item(stroke("nr-before"), legend.before));
  const ring = svg("circle", { class: "nr-ring", cx: 16, cy: 8, r: 6.5 });
  if (run.n) items.push(item(swatch(ring), legend.ring));
  if (run.margin > 0) items.push(item(swatch(...band()), legend.band(run.margin)));
  return html("ul", { class: "nr-legend", "aria-label": legend.title }, ...items);
}

export class Panel {
  constructor(run, counting) {
    this.run = run;
    this.counting = counting;
    // The one live region: off while playing, so that only steps made by hand are spoken.
    this.sentence = html("p", { class: "nr-sentence", "aria-live": "polite", "aria-atomic": "true" });
    this.facts = html("dl", { class: "nr-facts" });
    this.legend = legendOf(run);
  }

  /** Whether a new sentence is spoken. */
  speak(aloud) {
    this.sentence.setAttribute("aria-live", aloud ? "polite" : "off");
  }

  draw(step) {
    const text = sentenceOf(this.run, step, this.counting);
    if (this.sentence.textContent !== text) this.sentence.textContent = text;
    const { run } = this;
    const rows = [
      [facts.updates, facts.of(step.k, run.n)],
      [facts.epoch, step.k ? String(step.epoch) : facts.none],
      [facts.seen, step.update ? String(step.update.t) : "0"],
      [facts.theta, vector(step.theta, run.single)],
    ];
    if (run.fitIntercept) rows.push([facts.offset, about(step.offset, run.single)]);
    if (run.bound !== null) rows.push([facts.bound, facts.allows(run.bound)]);
    this.facts.replaceChildren(
      ...rows.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value))),
    );
  }
}
