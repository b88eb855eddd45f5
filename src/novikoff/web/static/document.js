/**
 * What a person works on: points in visiting order, settings, and the names that belong to them.
 * A document is a plain object and never changed in place, so that history is a list of them.
 */

import { ALGORITHMS, FARTHEST, LIMITS as ENGINE } from "./engine/questions.js";

export const CHOICES = {
  algorithm: ALGORITHMS,
  ties: ["mistake", "sign", "correct"],
  order: ["cyclic", "shuffled", "random"],
  kernel: ["rbf", "poly", "linear"],
};
export const DEFAULTS = {
  algorithm: "last", offset: true, ties: "mistake", order: "cyclic", eta: 1, epochs: 100,
  start: null, margin: 1, C: 1, kernel: { name: "rbf", degree: 3, gamma: 1, coef0: 1 }, seed: 0,
};
/** What the engine takes. */
export const LIMITS = {
  eta: { least: 1e-6, most: 1e6 },
  epochs: { least: 1, most: 10_000, whole: true },
  start: { least: -1e9, most: 1e9 },
  margin: { least: 0, most: 1e9 },
  C: { least: 1e-6, most: 1e6 },
  seed: { least: 0, most: 2 ** 32 - 1, whole: true },
  degree: { least: 1, most: 10, whole: true },
  gamma: { least: 1e-6, most: 1e6 },
  coef0: { least: 0, most: 1e6 },
};
export const MOST_POINTS = ENGINE.points;
const LONGEST_NAME = 200;
const KEPT = 200; // documents in the history

/** A document of points and settings, what is left out taken from the defaults. */
export function makeDocument({ points, settings = {}, axes = null, classes = null, title = null }) {
  const kernel = { ...DEFAULTS.kernel, ...settings.kernel };
  return { points, settings: { ...DEFAULTS, ...settings, kernel }, axes, classes, title };
}

const within = (value, least, most) => Number.isFinite(value) && value >= least && value <= most;
const taken = (name, value) => {
  const { least, most, whole = false } = LIMITS[name];
  return within(value, least, most) && (!whole || Number.isSafeInteger(value));
};
const text = (value) => typeof value === "string" && value.length <= LONGEST_NAME;

function checkedKernel(kernel) {
  const { name, degree, gamma, coef0 } = { ...DEFAULTS.kernel, ...kernel };
  const numbers = Object.entries({ degree, gamma, coef0 });
  const right = CHOICES.kernel.includes(name) && numbers.every((number) => taken(...number));
  return right ? { name, degree, gamma, coef0 } : null;
}

function checkedSettings(given) {
  const s = { ...DEFAULTS, ...given };
  const kernel = checkedKernel(s.kernel);
  const choices = ["algorithm", "ties", "order"].every((name) => CHOICES[name].includes(s[name]));
  const three = Array.isArray(s.start) && s.start.length === 3;
  const start = s.start === null || (three && s.start.every((v) => taken("start", v)));
  const right = kernel && choices && start && typeof s.offset === "boolean"
    && ["eta", "epochs", "margin", "C", "seed"].every((name) => taken(name, s[name]));
  if (!right) return null;
  const { algorithm, offset, ties, order, eta, epochs, start: from, margin, C, seed } = s;
  return { algorithm, offset, ties, order, eta, epochs, start: from, margin, C, kernel, seed };
}

function checkedPoint(point) {
  const { x, y, label } = point ?? {};
  const right = within(x, -FARTHEST, FARTHEST) && within(y, -FARTHEST, FARTHEST);
  return right && (label === 1 || label === -1) ? { x, y, label } : null;
}

/** A document from somebody else's object (a file, a link), every field checked; null if not one. */
export function checkedDocument(given) {
  if (given === null || typeof given !== "object") return null;
  const { points, axes = null, classes = null, title = null } = given;
  if (!Array.isArray(points) || points.length > MOST_POINTS) return null;
  const settings = checkedSettings(given.settings ?? {});
  const read = points.map(checkedPoint);
  if (settings === null || read.includes(null)) return null;
  const named = axes === null || (Array.isArray(axes) && axes.length === 2 && axes.every(text));
  const sides = classes === null || (text(classes?.negative) && text(classes?.positive));
  if (!named || !sides || !(title === null || text(title))) return null;
  const kept = classes && { negative: classes.negative, positive: classes.positive };
  return { points: read, settings, axes, classes: kept, title };
}

/** What can be undone and done again. */
export class History {
  constructor() {
    this.past = [];
    this.future = [];
  }

  /** Remember what was, before it changes. */
  keep(old) {
    this.past.push(old);
    if (this.past.length > KEPT) this.past.shift();
    this.future = [];
  }

  /** The document before `now`, or null. */
  undo(now) {
    if (!this.past.length) return null;
    this.future.push(now);
    return this.past.pop();
  }

  redo(now) {
    if (!this.future.length) return null;
    this.past.push(now);
    return this.future.pop();
  }
}
