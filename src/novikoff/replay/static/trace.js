/**
 * A trace document (docs/trace-format.md) as a run that can be shown step by step. No DOM.
 *
 * θ is replayed as the engine computes it: the product step·x_j is rounded to θ's type, then the
 * sum θ_j + product; in doubles those are plain operations, for singles Math.fround rounds each.
 * The result is checked against the scores in the document, which are exact sums rounded once,
 * and against `hypotheses` where it has them.
 */

import { sumOfProducts } from "./exact.js";
import { errors } from "./strings.js";

export const LIMITS = { updates: 5000, rows: 2000 };
const TIES = ["mistake", "sign", "correct"];
const STATUSES = ["separated", "epoch_limit", "early_stopped"];

/** Why a document cannot be shown; the message is for people. */
export class TraceError extends Error {}

function demand(holds, message) {
  if (!holds) throw new TraceError(message);
}

function numbers(path, list, size) {
  const right = Array.isArray(list) && list.every(Number.isFinite);
  demand(right && (size === undefined || list.length === size), errors.field(path));
  return list;
}

function object(path, value) {
  demand(value !== null && typeof value === "object" && !Array.isArray(value), errors.field(path));
  return value;
}

function checkKind(doc) {
  demand(!Array.isArray(doc), errors.list);
  demand(doc !== null && typeof doc === "object" && doc.format === "novikoff.trace", errors.notTrace);
  demand(doc.version === 1, errors.version(String(doc.version)));
  const sides = doc.classes;
  const one = sides !== null && typeof sides === "object" && typeof sides.negative === "string";
  demand(one && typeof sides.positive === "string", errors.joint);
  const theta = numbers("start.theta", object("start", doc.start).theta);
  demand(theta.length === 2, errors.features(theta.length));
  demand(Number.isFinite(doc.start.offset), errors.field("start.offset"));
  demand(typeof doc.fit_intercept === "boolean", errors.field("fit_intercept"));
  demand(Number.isFinite(doc.margin), errors.field("margin"));
  demand(TIES.includes(doc.ties), errors.field("ties"));
  demand(STATUSES.includes(doc.status), errors.field("status"));
  demand(Number.isSafeInteger(doc.n_epochs), errors.field("n_epochs"));
  demand(doc.dtype === "float32" || doc.dtype === "float64", errors.field("dtype"));
}

/** Per row its stored (column, value) pairs, and its two coordinates. */
function readPoints(examples, limits) {
  demand(examples !== null && examples !== undefined, errors.examples);
  const [n, d] = numbers("examples.shape", object("examples", examples).shape, 2);
  demand(d === 2, errors.field("examples.shape"));
  demand(n <= limits.rows, errors.rows(n, limits.rows));
  const side = numbers("examples.side", examples.side, n);
  demand(side.every((y) => y === -1 || y === 0 || y === 1), errors.field("examples.side"));
  if (examples.rows !== undefined) {
    demand(Array.isArray(examples.rows) && examples.rows.length === n, errors.field("examples.rows"));
    return examples.rows.map((row, i) => {
      const x = numbers(`examples.rows[${i}]`, row, 2);
      return { row: i, side: side[i], x, pairs: [[0, x[0]], [1, x[1]]] };
    });
  }
  const values = numbers("examples.values", examples.values);
  const indices = numbers("examples.indices", examples.indices, values.length);
  const indptr = numbers("examples.indptr", examples.indptr, n + 1);
  return side.map((y, i) => {
    const x = [0, 0];
    const pairs = [];
    for (let p = indptr[i]; p < indptr[i + 1]; p++) {
      demand(indices[p] === 0 || indices[p] === 1, errors.field("examples.indices"));
      x[indices[p]] = values[p];
      pairs.push([indices[p], values[p]]);
    }
    return { row: i, side: y, x, pairs };
  });
}

function readUpdates(updates, points, limits) {
  const row = numbers("updates.row", object("updates", updates).row);
  const n = row.length;
  demand(n <= limits.updates, errors.updates(n, limits.updates));
  const column = (name) => numbers(`updates.${name}`, updates[name], n);
  const scores = (name) => (updates[name] === null ? null : column(name));
  const read = {
    row,
    epoch: column("epoch"),
    t: column("t"),
    y: column("y"),
    step: column("step"),
    scoreBefore: scores("score_before"),
    scoreAfter: scores("score_after"),
  };
  row.forEach((i, e) => {
    const matches = points[i] !== undefined && Math.abs(read.y[e]) === 1 && points[i].side === read.y[e];
    demand(matches, errors.side(e + 1));
  });
  return read;
}

/** {thetas, offsets}: hypotheses 0 … n, the θ of number k at 2k and 2k + 1. */
function replay(doc, updates, points) {
  const round = doc.dtype === "float32" ? Math.fround : (x) => x;
  const n = updates.row.length;
  const thetas = new Float64Array(2 * (n + 1));
  const offsets = new Float64Array(n + 1);
  const theta = [...doc.start.theta];
  let offset = doc.start.offset;
  thetas.set(theta);
  offsets[0] = offset;
  for (let e = 0; e < n; e++) {
    const step = updates.step[e];
    for (const [j, x] of points[updates.row[e]].pairs) theta[j] = round(theta[j] + round(step * x));
    if (doc.fit_intercept) offset = round(offset + step);
    demand([...theta, offset].every(Number.isFinite), errors.overflow(e + 1));
    thetas.set(theta, 2 * (e + 1));
    offsets[e + 1] = offset;
  }
  return { thetas, offsets };
}

/** θ·x + θ₀ at point `x` with hypothesis k, less `level`: exact, rounded once. */
export function scoreAt(run, k, x, level = 0) {
  const terms = [[run.thetas[2 * k], x[0]], [run.thetas[2 * k + 1], x[1]]];
  if (run.fitIntercept) terms.push([run.offsets[k], 1]);
  terms.push([-level, 1]);
  return sumOfProducts(terms);
}

function checkScores(run, updates) {
  const found = { scoreBefore: [], scoreAfter: [] };
  updates.row.forEach((i, e) => {
    Object.keys(found).forEach((name, shift) => {
      const score = scoreAt(run, e + shift, run.points[i].x);
      const stored = updates[name]?.[e] ?? score;
      // The spacing of the smallest doubles: there a sum may have been rounded on its way, too.
      const same = Math.abs(stored - score) <= Number.MIN_VALUE && Math.sign(stored) === Math.sign(score);
      demand(same, errors.score(e + 1, stored, score));
      found[name].push(score);
    });
  });
  Object.assign(updates, found);
}

/** {thetas, offsets} as a document has them itself, or null. */
function readHypotheses(hypotheses, n) {
  if (hypotheses === undefined || hypotheses === null) return null;
  const { theta, offset } = object("hypotheses", hypotheses);
  demand(Array.isArray(theta) && theta.length === n + 1, errors.field("hypotheses.theta"));
  const pairs = theta.map((pair, k) => numbers(`hypotheses.theta[${k}]`, pair, 2));
  const offsets = numbers("hypotheses.offset", offset, n + 1);
  return { thetas: Float64Array.from(pairs.flat()), offsets: Float64Array.from(offsets) };
}

function checkHypotheses(run, { thetas, offsets }) {
  for (let k = 0; k <= run.n; k++) {
    const same = [2 * k, 2 * k + 1].every((at) => Object.is(thetas[at], run.thetas[at]));
    demand(same && Object.is(offsets[k], run.offsets[k]), errors.hypothesis(k));
  }
}

function readPocket(replacements) {
  if (replacements === undefined || replacements === null) return null;
  const k = numbers("replacements.k", replacements.k);
  const error = numbers("replacements.error", replacements.error, k.length);
  return new Map(k.map((number, e) => [number, error[e]]));
}

function readNames(names) {
  const right = Array.isArray(names) && names.length === 2;
  return right && names.every((name) => typeof name === "string") ? names : null;
}

/**
 * The run that a document describes; throws TraceError where it cannot be shown.
 *
 * `limits` may lower or raise how much is accepted: {updates, rows}. Beside the format's own fields
 * it reads, where present: `feature_names` (two strings), `bound` (the theorem's), `hypotheses`. Those
 * are checked, unless they are `told`: of a run that does not follow the rule, such as a student's.
 */
export function readTrace(doc, limits = {}) {
  const most = { ...LIMITS, ...limits };
  checkKind(doc);
  const points = readPoints(doc.examples, most);
  const updates = readUpdates(doc.updates, points, most);
  const given = readHypotheses(doc.hypotheses, updates.row.length);
  const told = given !== null && doc.hypotheses.told === true;
  const run = {
    n: updates.row.length,
    points,
    updates,
    ...(told ? given : replay(doc, updates, points)),
    told,
    single: doc.dtype === "float32",
    classes: { negative: doc.classes.negative, positive: doc.classes.positive },
    sideCounts: {
      negative: points.filter((p) => p.side < 0).length,
      positive: points.filter((p) => p.side > 0).length,
    },
    featureNames: readNames(doc.feature_names),
    fitIntercept: doc.fit_intercept,
    margin: doc.margin,
    // A rule that computes its step aims at the margin, and may miss it by its rounding.
    slack: (doc.rule ?? "perceptron") === "perceptron" ? 0 : 1e-6,
    ties: doc.ties,
    status: doc.status,
    nEpochs: doc.n_epochs,
    pocket: readPocket(doc.replacements),
    bound: Number.isFinite(doc.bound) ? doc.bound : null,
  };
  checkScores(run, updates);
  if (given !== null) checkHypotheses(run, given);
  return run;
}

/** h at a score: a point on the boundary is positive. */
export function predicted(score) {
  return score >= 0 ? 1 : -1;
}

/** Whether the example of update e is a mistake under hypothesis k, by the run's own rule, exactly. */
function isMistake(run, e, k) {
  const y = run.updates.y[e];
  const x = run.points[run.updates.row[e]].x;
  if (run.ties === "sign") return predicted(scoreAt(run, k, x)) !== y;
  const beyond = y * scoreAt(run, k, x, y * run.margin); // the sign of y·s − β
  return run.ties === "mistake" ? beyond <= 0 : beyond < -run.slack;
}

/** Everything there is to show after k updates; 0 is the start. */
export function stepOf(run, k) {
  const hypothesis = (i) => ({
    theta: [run.thetas[2 * i], run.thetas[2 * i + 1]],
    offset: run.offsets[i],
  });
  if (k === 0) return { k, epoch: 0, ...hypothesis(0), before: null, update: null };
  const e = k - 1;
  const of = (name) => run.updates[name][e];
  return {
    k,
    epoch: of("epoch"),
    ...hypothesis(k),
    before: hypothesis(k - 1),
    update: {
      row: of("row"),
      x: run.points[of("row")].x,
      y: of("y"),
      t: of("t"),
      step: of("step"),
      scoreBefore: of("scoreBefore"),
      scoreAfter: of("scoreAfter"),
      undershoots: isMistake(run, e, k),
    },
  };
}
