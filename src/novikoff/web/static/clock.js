/**
 * Time on the page. A moment is {t, end}: t examples seen, and at last `end`, when the verdict is
 * drawn. The slider counts moments: of every example, update or epoch, of one run or of two on a
 * common clock. No DOM.
 */

import { epochsOf } from "./replay/timeline.js";
import { updatesAfter } from "./run.js";

export const UNITS = ["example", "update", "epoch"];

/** The examples seen at each moment but the end, rising. */
function momentsOf(runs, unit) {
  const total = Math.max(...runs.map((run) => run.total));
  if (unit === "example") return { total, at: (i) => i, count: total + 1 };
  const times = new Set([0]);
  for (const run of runs) {
    const n = run.points.length;
    if (unit === "update") run.updates.t.forEach((t) => times.add(t));
    else for (let t = n; n && t <= run.total; t += n) times.add(t);
  }
  const list = [...times].sort((a, b) => a - b);
  return { total, at: (i) => list[i], count: list.length };
}

export class Clock {
  constructor(runs, unit) {
    this.runs = runs;
    this.unit = unit;
    const { total, at, count } = momentsOf(runs, unit);
    Object.assign(this, { total, at });
    this.count = count; // the place of the end; those of the other moments are 0 … count − 1
  }

  moment(place) {
    const end = place >= this.count;
    return { t: end ? this.total : this.at(place), end };
  }

  /** The last place that is not after t. */
  placeOf({ t, end }) {
    if (end) return this.count;
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.at(middle) <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** What the slider counts, for the replay's timeline; updates and epochs are those of `run`. */
  scaleFor(run) {
    const place = (k) => (k ? this.placeOf({ t: run.updates.t[k - 1], end: false }) : 0);
    if (this.unit === "update") {
      const bands = epochsOf(run).map(({ epoch, first, last }) => (
        { epoch, from: place(first) - 0.5, to: place(last) + 0.5 }
      ));
      const last = bands.at(-1) ?? { epoch: 0, to: 0 };
      const epoch = run.answer.n_epochs;
      if (epoch > last.epoch) { // without a mistake: from the last one to where the run is over
        const to = run.total === this.total ? this.count : this.placeOf({ t: run.total, end: false });
        if (to > last.to) bands.push({ epoch, from: last.to, to });
      }
      return { count: this.count, place, bands };
    }
    const n = run.points.length;
    const perEpoch = this.unit === "epoch" ? 1 : n;
    const within = (k) => (k ? run.updates.t[k - 1] / (this.unit === "epoch" ? n : 1) : 0);
    const bands = [];
    for (let epoch = 1; n && epoch * n <= run.total; epoch++) {
      bands.push({ epoch, from: (epoch - 1) * perEpoch, to: epoch * perEpoch });
    }
    return { count: this.count, place: within, bands };
  }

  /** Where a run stands at a moment: {k, epoch, t}. A run that has ended rests. */
  standing(run, { t, end }) {
    const seen = Math.min(end ? this.total : t, run.total);
    const n = run.points.length || 1;
    return { t: seen, k: updatesAfter(run, seen), epoch: Math.ceil(seen / n) };
  }
}
