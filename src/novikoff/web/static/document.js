/**
 * What a person works on: points in visiting order, settings, and the names that belong to them.
 * A document is a plain object and never changed in place, so that history is a list of them.
 */

export const ALGORITHMS = ["last", "averaged", "voted", "pocket", "margin", "kernel"];
export const CHOICES = {
  algorithm: ALGORITHMS,
  ties: ["mistake", "sign", "correct"],
  order: ["cyclic", "shuffled", "random"],
  kernel: ["rbf", "poly", "linear"],
};
export const DEFAULTS = {
  algorithm: "last", offset: true, ties: "mistake", order: "cyclic", eta: 1, epochs: 100,
  start: null, margin: 1, kernel: { name: "rbf", degree: 3, gamma: 1, coef0: 1 }, seed: 0,
};
export const MOST_POINTS = 2000;
export const FARTHEST = 1e6;
const LONGEST_NAME = 200;
const KEPT = 200; // documents in the history

/** A document of points and settings, what is left out taken from the defaults. */
export function makeDocument({ points, settings = {}, axes = null, classes = null, title = null }) {
  const kernel = { ...DEFAULTS.kernel, ...settings.kernel };
  return { points, settings: { ...DEFAULTS, ...settings, kernel }, axes, classes, title };
}

const within = (value, least, most) => Number.isFinite(value) && value >= least && value <= most;
const whole = (value, least, most) => Number.isSafeInteger(value) && within(value, least, most);
const text = (value) => typeof value === "string" && value.length <= LONGEST_NAME;

function checkedKernel(kernel) {
  const { name, degree, gamma, coef0 } = { ...DEFAULTS.kernel, ...kernel };
  const right = CHOICES.kernel.includes(name) && whole(degree, 1, 20);
  return right && within(gamma, 1e-9, 1e9) && within(coef0, -1e9, 1e9)
    ? { name, degree, gamma, coef0 } : null;
}

function checkedSettings(given) {
  const s = { ...DEFAULTS, ...given };
  const kernel = checkedKernel(s.kernel);
  const choices = ["algorithm", "ties", "order"].every((name) => CHOICES[name].includes(s[name]));
  const three = Array.isArray(s.start) && s.start.length === 3;
  const start = s.start === null || (three && s.start.every((v) => within(v, -1e9, 1e9)));
  const right = kernel && choices && start && typeof s.offset === "boolean"
    && within(s.eta, 1e-9, 1e9) && whole(s.epochs, 1, 10_000) && within(s.margin, 0, 1e9)
    && whole(s.seed, 0, 2 ** 32 - 1);
  if (!right) return null;
  const { algorithm, offset, ties, order, eta, epochs, margin, seed } = s;
  return { algorithm, offset, ties, order, eta, epochs, start: s.start, margin, kernel, seed };
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
