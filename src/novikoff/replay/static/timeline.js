/**
 * Under the slider: a tick per mistake and a band per epoch, on the slider's own scale, so that the
 * thumb stands over its update. It says nothing that the slider does not say, and is hidden from
 * assistive technology.
 */

import { set, svg } from "./dom.js";

const TICKS = 20; // pixels: the height of the row of ticks
const BANDS = 18; // pixels, for numbers of 12
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

/**
 * What a slider counts. It goes from 0 to `count`; `place(k)` is where update k stands on it, and
 * `bands` are the epochs, [{epoch, from, to}]. In a replay it counts updates.
 */
export function byUpdates(run) {
  const bands = epochsOf(run).map(({ epoch, first, last }) => (
    { epoch, from: first - 0.5, to: Math.min(last + 0.5, run.n) }
  ));
  return { count: run.n, place: (k) => k, bands };
}

export class Timeline {
  constructor(run, scale = byUpdates(run)) {
    this.run = run;
    this.scale = scale;
    this.element = svg("svg", { class: "nr-timeline", "aria-hidden": "true" });
    this.done = svg("line", { class: "nr-cursor" });
  }

  /**
   * Lay out for `width` pixels, of which the slider's thumb needs `thumb`; the numbers of the epochs
   * are `large` times their usual size.
   */
  resize(width, thumb, large = 1) {
    this.large = large;
    const height = TICKS + BANDS * large + 2;
    set(this.element, { viewBox: `0 0 ${width} ${height}`, width, height });
    const room = Math.max(1, width - thumb);
    this.at = (place) => thumb / 2 + (this.scale.count ? (place / this.scale.count) * room : 0);
    this.element.replaceChildren(...this.epochs(), ...this.mistakes(), this.done);
  }

  mistakes() {
    const middle = TICKS / 2;
    const { place } = this.scale;
    const apart = this.run.n ? (this.at(place(this.run.n)) - this.at(0)) / this.run.n : 1;
    const width = Math.max(0.25, Math.min(2, 0.6 * apart)); // many: their density shows as a shade
    return [1, -1].map((side) => {
      const d = this.run.updates.y
        .map((y, e) => (y === side ? `M${this.at(place(e + 1)).toFixed(2)} ${middle}v${-side * middle}` : ""))
        .join("");
      return svg("path", { class: side > 0 ? "nr-tick-plus" : "nr-tick-minus", d, "stroke-width": width });
    });
  }

  epochs() {
    const nodes = [];
    const labels = []; // above all bands: they may be wider than their own
    let [drawn, written] = [-Infinity, -Infinity];
    const { large } = this;
    const every = this.labelled();
    for (const band of this.scale.bands) {
      const { epoch } = band;
      const [from, to] = [this.at(band.from), this.at(band.to)];
      if (to - drawn < NARROWEST) continue;
      const x = Math.max(from, drawn);
      drawn = to;
      const name = epoch % 2 ? "nr-band-odd" : "nr-band-even";
      nodes.push(svg("rect", { class: name, x, y: TICKS + 2, width: to - x, height: BANDS * large }));
      const [middle, half] = [(x + to) / 2, 4 * large * String(epoch).length + 2];
      if (epoch % every || middle - half < written) continue;
      written = middle + half;
      const at = { x: middle, y: TICKS + 2 + 13 * large, "text-anchor": "middle" };
      labels.push(svg("text", at, String(epoch)));
    }
    return [...nodes, ...labels];
  }

  /** Which epochs have a number: every one, or every 2nd, 5th, 10th, … if it is tight. */
  labelled() {
    const last = this.scale.bands.at(-1);
    if (!last) return 1;
    const wide = (this.at(last.to) - this.at(0)) / last.epoch; // a band, on average
    const wanted = (8 * this.large * String(last.epoch).length + 8) / wide;
    let every = 1;
    for (let i = 0; every < wanted; i++) every *= i % 3 === 1 ? 2.5 : 2;
    return every;
  }

  draw(place) {
    const x = this.at(place);
    set(this.done, { x1: x, x2: x, y1: TICKS + 2, y2: TICKS + BANDS * this.large + 2 });
  }
}
