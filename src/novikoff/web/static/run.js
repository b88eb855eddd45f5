/**
 * An answer of the engine as a run that can be shown: the replay's run, and what the playground
 * knows beyond it. No DOM.
 */

import { readTrace, scoreAt, stepOf } from "./replay/trace.js";

/** The kernel perceptron has no θ in the plane; its run is read from the dual. */
function readDual(answer, points) {
  const { dual } = answer;
  const n = dual.updates.row.length;
  const { score_before: scoreBefore, score_after: scoreAfter, ...updates } = dual.updates;
  const read = points.map(({ x, y, label }, row) => ({ row, side: label, x: [x, y] }));
  return {
    n, points: read, updates: { ...updates, scoreBefore, scoreAfter }, kernel: true,
    thetas: new Float64Array(2 * (n + 1)), offsets: new Float64Array(n + 1), single: false,
    classes: { negative: "−1", positive: "+1" }, featureNames: null, fitIntercept: false,
    sideCounts: {
      negative: points.filter((p) => p.label < 0).length,
      positive: points.filter((p) => p.label > 0).length,
    },
    margin: dual.margin ?? 0, ties: dual.ties, status: dual.status, nEpochs: dual.n_epochs,
    pocket: null, bound: null,
  };
}

/** {n, points, updates, …} as in replay/trace.js, and algorithm, orders, total, answer. */
export function readRun(answer, document_) {
  const run = answer.trace ? readTrace(answer.trace) : readDual(answer, document_.points);
  const orders = (answer.trace ?? answer.dual).orders ?? null;
  return Object.assign(run, {
    answer, orders, algorithm: answer.algorithm, eta: document_.settings.eta,
    settings: document_.settings, total: answer.n_epochs * run.points.length,
    kernel: run.kernel ?? false,
  });
}

/** What stands for a run where there is none: points, and no hypothesis to draw. */
export function withoutRun(document_) {
  const { algorithm, ties } = document_.settings;
  const updates = { row: [], t: [], score_before: [], score_after: [] };
  const dual = { updates, ties, status: "idle", n_epochs: 0 };
  return readRun({ algorithm, dual, status: "idle", n_epochs: 0 }, document_);
}

/** How many updates there were when t examples had been seen. */
export function updatesAfter(run, t) {
  const list = run.updates.t;
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row that was the t-th example; null at the start. */
export function rowAt(run, t) {
  if (t < 1 || t > run.total) return null;
  const n = run.points.length;
  const [epoch, place] = [Math.floor((t - 1) / n), (t - 1) % n];
  return run.orders ? run.orders[epoch][place] : place;
}

/** Everything there is to show after k updates, for every algorithm. */
export function stepAt(run, k) {
  const step = stepOf({ ...run, ties: run.kernel ? "mistake" : run.ties }, k);
  if (run.kernel && step.update) {
    const { y, scoreAfter } = step.update;
    const product = y * scoreAfter - run.margin;
    step.update.undershoots = run.ties === "correct" ? product < 0 : product <= 0;
  }
  return step;
}

/** The score of an example that changed nothing; null for the kernel perceptron, which says none. */
export function scoreOf(run, k, row) {
  return run.kernel ? null : scoreAt(run, k, run.points[row].x);
}

/**
 * What the algorithm would predict with, where that is another line than the current one: the mean,
 * or the one in the pocket. null for the others.
 */
export function modelAt(run, k, t, end) {
  const { algorithm, averaged, model } = run.answer;
  if (algorithm !== "averaged" && algorithm !== "pocket") return null;
  if (end) return model;
  const at = (i) => ({ theta: [run.thetas[2 * i], run.thetas[2 * i + 1]], offset: run.offsets[i] });
  if (algorithm === "pocket") return run.pocket ? at(
    Math.max(...[...run.pocket.keys()].filter((i) => i <= k)),
  ) : null;
  if (!averaged) return null;
  const { theta, offset } = at(k);
  const share = 1 / (1 + t); // the mean after t examples: θ − u/c
  return {
    theta: theta.map((value, j) => value - averaged.sums[k][j] * share),
    offset: offset - averaged.offset_sums[k] * share,
  };
}

/** α after k updates: how often each row caused one. */
export function alphaAfter(run, k) {
  const alpha = new Uint32Array(run.points.length);
  for (let e = 0; e < k; e++) alpha[run.updates.row[e]] += 1;
  return alpha;
}
