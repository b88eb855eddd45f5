/** A run in the trace format (docs/trace-format.md), and a kernel perceptron's in its likeness. */

import { score } from "./doubles.js";

const column = (updates, name) => updates.map((update) => update[name]);

/** The scores of each update's point before it and after it, exact sums rounded once. */
export function scoresOf({ points, updates, hypotheses }, n = updates.length) {
  const at = (e, k) => score(hypotheses[k], points[updates[e].row]);
  const each = Array.from({ length: n }, (_, e) => e);
  return { before: each.map((e) => at(e, e)), after: each.map((e) => at(e, e + 1)) };
}

function columns(updates, { before, after }) {
  const names = ["epoch", "t", "row", "y", "step"];
  const made = Object.fromEntries(names.map((name) => [name, column(updates, name)]));
  return { ...made, score_before: before, score_after: after };
}

/** How often each point caused an update. */
export function alphaOf({ points, updates }) {
  const alpha = points.map(() => 0);
  for (const { row } of updates) alpha[row] += 1;
  return alpha;
}

/** The trace document; `axes` and `bound` are extras that the replay understands. */
export function documentOf(run, axes = null, bound = null) {
  const { points, settings, rule, updates } = run;
  const [first, second, offset] = rule.start;
  return {
    format: "novikoff.trace",
    version: 1,
    classes: { negative: "-1", positive: "+1" },
    fit_intercept: settings.offset,
    rule: rule.C ? "PA-I" : "perceptron",
    parameters: rule.C ? { C: rule.C } : {},
    margin: rule.beta,
    ties: rule.ties,
    eta: rule.eta,
    order: settings.order,
    status: statusOf(run),
    n_epochs: run.nEpochs,
    dtype: "float64",
    start: { theta: [first, second], offset },
    updates: columns(updates, scoresOf(run)),
    orders: settings.order === "cyclic" ? null : run.orders,
    replacements: run.replacements ?? null,
    examples: {
      dtype: "float64",
      shape: [points.length, 2],
      side: points.map(({ label }) => label),
      rows: points.map(({ x, y }) => [x, y]),
    },
    ...(axes && { feature_names: axes }),
    ...(bound !== null && { bound }),
  };
}

/** A run of the kernel perceptron; there is no theta to trace. */
export function dualOf(run) {
  const { settings, updates } = run;
  return {
    updates: columns(updates, run.dual),
    orders: settings.order === "cyclic" ? null : run.orders,
    n_epochs: run.nEpochs,
    status: statusOf(run),
    ties: settings.ties,
    margin: 0,
    order: settings.order,
    alpha: alphaOf(run),
    kernel: settings.kernel,
  };
}

/** A run that did not begin has reached no end but its limit. */
function statusOf({ idle, status }) {
  return idle ? "epoch_limit" : status;
}
