/** What is predicted where, on a grid of the plane, for shading. */

import { kernelOf } from "./kernel.js";
import { mean, survivalTimes } from "./keepers.js";
import { Refusal } from "./refusal.js";

const LEVELS = 127;

/**
 * A grid from its bottom left: votes (their share, of voted and averaged) or scores (over the
 * largest), from −127 to 127, after update `step` or of the finished model.
 */
export function fieldAnswer(run, { window, size, step, what }) {
  if (!(window.left < window.right && window.bottom < window.top)) {
    throw new Refusal("The window is empty: left must be below right, and bottom below top.");
  }
  const voting = ["voted", "averaged"].includes(run.settings.algorithm);
  const kind = what ?? (voting ? "votes" : "score");
  if (kind === "votes" && !voting) {
    throw new Refusal('Only "voted" and "averaged" have votes; ask for the score.');
  }
  const xs = centres(window.left, window.right, size);
  const grid = { xs, ys: centres(window.bottom, window.top, size) };
  return { size, window, step, kind, values: levels(valuesOf(run, grid, kind, step)) };
}

function valuesOf(run, grid, kind, step) {
  if (run.idle) return new Float64Array(grid.xs.length * grid.ys.length);
  const n = run.updates.length;
  if (step > n) throw new Refusal(`There is no update ${step}: the run makes ${n}.`);
  if (kind === "votes") return votes(run, grid, step);
  if (run.dual) return kernelScores(run, grid, step ?? n);
  const [a, b, c] = weightsAt(run, step);
  return onGrid(grid, (x, y) => a * x + b * y + c);
}

/** Where the centres of the cells are. */
function centres(low, high, size) {
  return Float64Array.from({ length: size }, (_, i) => low + (high - low) * ((i + 0.5) / size));
}

function onGrid({ xs, ys }, value) {
  const values = new Float64Array(xs.length * ys.length);
  ys.forEach((y, j) => xs.forEach((x, i) => { values[j * xs.length + i] = value(x, y); }));
  return values;
}

/** Whole numbers with the sign of the values: 0 only for 0. */
function levels(values) {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return Array.from(values, () => 0);
  const level = (value) => Math.ceil((Math.abs(value) / largest) * LEVELS);
  return Array.from(values, (value) => Math.sign(value) * level(value));
}

/** What the algorithm would predict with right after update `step`, or at the end. */
function weightsAt({ hypotheses, updates, sums, replacements, weights }, step) {
  if (step === null && weights) return weights;
  let k = step ?? updates.length;
  if (sums) return mean(hypotheses[k], sums[k], k ? updates[k - 1].t : 0);
  if (replacements) k = replacements.k.findLast((entered) => entered <= k);
  return hypotheses[k];
}

/**
 * The sum of the signs, each counted as long as its hypothesis survived.
 *
 * Along a column the sign of a score changes at most once, also as it is rounded: each sum and
 * product is monotone in the height. So a hypothesis costs one height per column.
 */
function votes({ hypotheses, updates, total }, { xs, ys }, step) {
  const made = updates.slice(0, step ?? updates.length);
  const lived = survivalTimes(made, step === null ? total : made.at(-1)?.t ?? 0);
  const size = xs.length;
  const changes = new Float64Array((size + 1) * size); // what is added to a column from a height on
  lived.forEach((weight, k) => {
    if (weight <= 0) return;
    const [a, b, c] = hypotheses[k];
    xs.forEach((x, i) => {
      const sign = (j) => (a * x + b * ys[j] + c >= 0 ? 1 : -1);
      const lowest = sign(0);
      changes[i] += weight * lowest;
      changes[firstOther(sign, lowest, size) * size + i] -= 2 * weight * lowest;
    });
  });
  for (let at = size; at < size * size; at++) changes[at] += changes[at - size];
  return changes.subarray(0, size * size);
}

/** The first height at which the sign is not the lowest's, by bisection; `size` if there is none. */
function firstOther(sign, lowest, size) {
  let [low, high] = [0, size];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign(middle) === lowest) low = middle;
    else high = middle;
  }
  return high;
}

function kernelScores({ points, settings, updates }, grid, step) {
  const kernel = kernelOf(settings.kernel);
  const alpha = points.map(() => 0);
  for (const { row, y } of updates.slice(0, step)) alpha[row] += y;
  const support = points.map((point, row) => [point, alpha[row]]).filter(([, weight]) => weight);
  return onGrid(
    grid,
    (x, y) => support.reduce((sum, [point, weight]) => sum + weight * kernel({ x, y }, point), 0),
  );
}
