/** From points and settings to a finished run. */

import { Judged, mean, meanSums, pocket, survivalTimes, voteErrors } from "./keepers.js";
import { KernelPerceptron } from "./kernel.js";
import { PassiveAggressive, Perceptron, train } from "./perceptron.js";
import { LIMITS } from "./questions.js";
import { Refusal } from "./refusal.js";
import { remembered } from "./memory.js";

/** What of the settings the rule of one hyperplane is told. */
function ruleOf({ algorithm, start: given, ties, margin, eta, offset, C }) {
  const [first, second, constant] = given ?? [0, 0, 0];
  const start = [first, second, offset ? constant : 0];
  if (algorithm === "aggressive") return { start, ties: "correct", beta: 1, eta: 1, offset, C };
  return { start, ties, beta: algorithm === "margin" ? margin : 0, eta, offset };
}

function refuseContradiction(settings) {
  const { start, ties, beta } = ruleOf(settings);
  if (ties === "sign" && beta > 0) {
    throw new Refusal(
      'ties="sign" asks whether the sign is right and knows no margin; use margin=0.0, or ' +
        'ties="mistake" or ties="correct" with a margin.',
    );
  }
  if (ties !== "correct" || beta > 0) return;
  if (settings.algorithm === "kernel") {
    throw new Refusal(
      'ties="correct" with margin=0.0 never learns: the kernel perceptron starts at zero, and ' +
        'y * 0 < 0 is never a mistake. Use a margin above 0, or ties="mistake".',
    );
  }
  if (start.every((weight) => weight === 0)) {
    throw new Refusal(
      'ties="correct" with margin=0.0 never learns from theta = 0: every score is 0 and y * 0 < 0 ' +
        "is never a mistake. Use a margin above 0, a nonzero coef_init=… for every hyperplane, or " +
        'ties="mistake".',
    );
  }
}

/** Why a run of fewer epochs is shown; null if it is not. */
function reason(run, epochs, most) {
  const only = (n) => `Only the first ${n === 1 ? "epoch is" : `${n} epochs are`} shown:`;
  if (run.cut) return `${only(run.nEpochs)} ${LIMITS.updates} updates are the most in one answer.`;
  if (epochs <= most || run.status === "separated") return null;
  return `${only(most)} ${LIMITS.examples} examples are the most in one answer.`;
}

/**
 * What the model is and what is wrong under it: `errors` has `each` hypothesis's, those of the
 * `model` after every update and at the `end`, both null where the model is the last hypothesis.
 */
function kept({ settings, points, updates, hypotheses, nEpochs, total }) {
  const { algorithm } = settings;
  const judged = new Judged(points);
  const last = hypotheses.length - 1;
  if (algorithm === "voted") {
    const survival = survivalTimes(updates, total);
    const { each, voted, end } = voteErrors(hypotheses, survival, judged);
    return { survival, errors: { each, model: voted, end } };
  }
  const each = hypotheses.map((theta) => judged.errors(theta));
  if (algorithm === "averaged") {
    const sums = meanSums(hypotheses, updates);
    const after = hypotheses.map((theta, k) => mean(theta, sums[k], k ? updates[k - 1].t : 0));
    const weights = mean(hypotheses[last], sums[last], total);
    const model = after.map((theta) => judged.errors(theta));
    const survival = survivalTimes(updates, total);
    return { sums, survival, weights, errors: { each, model, end: judged.errors(weights) } };
  }
  if (algorithm === "pocket") {
    const replacements = pocket(updates, each, nEpochs, points.length);
    const best = replacements.k.at(-1);
    let at = -1;
    const model = each.map((_, k) => {
      if (replacements.k[at + 1] === k) at += 1;
      return replacements.error[at];
    });
    const end = best === last ? null : each[best];
    return { replacements, weights: hypotheses[best], errors: { each, model, end } };
  }
  return { weights: hypotheses[last], errors: { each, model: null, end: null } };
}

/**
 * Run the algorithm on the points, in their order: {points, settings, rule, idle, status, why,
 * epochs, nEpochs, updates, orders, hypotheses | dual, total, errors, …}, see `kept`.
 *
 * A run that would not fit into an answer is one of fewer, whole epochs: it is what the library
 * does when it is given so many, no less. `idle`: for want of a second class it did not begin.
 */
export const learn = remembered(4, (points, settings) => {
  const rule = ruleOf(settings);
  const kernel = settings.algorithm === "kernel";
  const idle = new Set(points.map(({ label }) => label)).size < 2;
  const Linear = rule.C ? PassiveAggressive : Perceptron;
  const learner = kernel ? new KernelPerceptron(points, settings) : new Linear(points, rule);
  const run = { points, settings, rule, idle, status: "idle", why: null, epochs: settings.epochs };
  if (idle) {
    Object.assign(run, { nEpochs: 0, updates: [], orders: [] });
  } else {
    refuseContradiction(settings);
    const most = Math.max(1, Math.floor(LIMITS.examples / points.length));
    const made = train(learner, points, settings, Math.min(run.epochs, most), LIMITS.updates);
    Object.assign(run, made, { why: reason(made, run.epochs, most) });
    if (run.why) run.epochs = run.nEpochs;
  }
  const n = run.updates.length;
  run.total = run.epochs * points.length;
  if (kernel) {
    const [before, after] = [learner.before.slice(0, n), learner.after.slice(0, n)];
    const each = learner.errors.slice(0, n + 1);
    return { ...run, dual: { before, after }, errors: { each, model: null, end: null } };
  }
  run.hypotheses = learner.hypotheses.slice(0, n + 1);
  if (!idle) return { ...run, ...kept(run) };
  const each = [new Judged(points).errors(rule.start)];
  return { ...run, errors: { each, model: null, end: null } };
});
