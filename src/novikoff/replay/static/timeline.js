/**
 * Under the slider: a tick per mistake and a band per epoch, on the slider's own scale, so that the
 * thumb stands over its update. It says nothing that the slider does not say, and is hidden from
 * assistive technology.
 */

import { set, svg } from "./dom.js";

const TICKS = 20; // pixels: the height of the row of ticks
const BANDS = 18;
const NARROWEST = 3; // pixels: thinner bands are joined, they could not be told apart

/** [{epoch, first, last}]: the updates of each epoch that made any. */
export function epochsOf(run) {
  const bands = [];
  run.updates.epoch.forEach((epoch, e) => {
    const band = bands.at(-1);
    if (band?.epoch === epoch) band.last = e + 1;
    else bands.push({ epoch, first: e + 1, last: e + 1 });
  });
  return bands;
}

export class Timeline {
  constructor(run) {
    this.run = run;
    this.bands = epochsOf(run);
    this.element = svg("svg", { class: "nr-timeline", "aria-hidden": "true" });
    this.done = svg("line", { class: "nr-cursor" });
  }

  /** Lay out for `width` pixels, of which the slider's thumb needs `thumb`. */
  resize(width, thumb) {
    const height = TICKS + BANDS + 2;
    set(this.element, { viewBox: `0 0 ${width} ${height}`, width, height });
    const room = Math.max(1, width - thumb);
    this.at = (k) => thumb / 2 + (this.run.n ? (k / this.run.n) * room : 0);
    this.element.replaceChildren(...this.epochs(), ...this.mistakes(), this.done);
  }

  mistakes() {
    const middle = TICKS / 2;
    const apart = this.at(1) - this.at(0);
    const width = Math.max(0.25, Math.min(2, 0.6 * apart)); // many: their density shows as a shade
    return [1, -1].map((side) => {
      const d = this.run.updates.y
        .map((y, e) => (y === side ? `M${this.at(e + 1).toFixed(2)} ${middle}v${-side * middle}` : ""))
        .join("");
      return svg("path", { class: side > 0 ? "nr-tick-plus" : "nr-tick-minus", d, "stroke-width": width });
    });
  }

  epochs() {
    const nodes = [];
    const labels = []; // above all bands: they may be wider than their own
    let [drawn, written] = [-Infinity, -Infinity];
    const every = this.labelled();
    for (const { epoch, first, last } of this.bands) {
      const [from, to] = [this.at(first - 0.5), this.at(Math.min(last + 0.5, this.run.n))];
      if (to - drawn < NARROWEST) continue;
      const x = Math.max(from, drawn);
      drawn = to;
      const name = epoch % 2 ? "nr-band-odd" : "nr-band-even";
      nodes.push(svg("rect", { class: name, x, y: TICKS + 2, width: to - x, height: BANDS }));
      const [middle, half] = [(x + to) / 2, 4 * String(epoch).length + 2];
      if (epoch % every || middle - half < written) continue;
      written = middle + half;
      const at = { x: middle, y: TICKS + 2 + 13, "text-anchor": "middle" };
      labels.push(svg("text", at, String(epoch)));
    }
    return [...nodes, ...labels];
  }

  /** Which epochs have a number: every one, or every 2nd, 5th, 10th, … if it is tight. */
  labelled() {
    const last = this.bands.at(-1);
    if (!last) return 1;
    const wide = (this.at(last.last) - this.at(0)) / last.epoch; // a band, on average
    const wanted = (8 * String(last.epoch).length + 8) / wide;
    let every = 1;
    for (let i = 0; every < wanted; i++) every *= i % 3 === 1 ? 2.5 : 2;
    return every;
  }

  draw(k) {
    const x = this.at(k);
    set(this.done, { x1: x, x2: x, y1: TICKS + 2, y2: TICKS + BANDS + 2 });
  }
}
