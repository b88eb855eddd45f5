/** One step in one sentence or two: what happened, why, and what it did. No DOM. */

import { example, sentence as say } from "./strings.js";
import { predicted } from "./trace.js";

function reason(run, update) {
  if (run.ties === "sign") return say.predicted(predicted(update.scoreBefore), update.y);
  const product = update.y * update.scoreBefore;
  let verdict = say.mistake;
  if (product > 0) verdict = say.within;
  else if (product === 0 && run.margin === 0) verdict = say.tie;
  return say.compared(product, run.ties === "mistake" ? "≤" : "<", run.margin, verdict);
}

function outcome(run, update) {
  if (update.undershoots) return say.undershoots;
  return run.margin > 0 ? say.beyond : say.right;
}

function ending(run) {
  if (run.status === "separated") return say.separated(run.n, run.nEpochs);
  return run.status === "epoch_limit" ? say.epochLimit(run.nEpochs) : say.earlyStopped(run.nEpochs);
}

/**
 * The text of a step; `counting` is "rows" (from 0) or "examples" (from 1). At the last step it says
 * how the run ended, unless `ends` is false.
 */
export function sentenceOf(run, step, counting = "rows", ends = true) {
  const parts = [];
  const { update } = step;
  if (update === null) {
    parts.push(say.start(run, step));
    if (step.theta[0] === 0 && step.theta[1] === 0) parts.push(say.undivided(predicted(step.offset)));
  } else {
    const which = example[counting](update.row);
    const had = say.had(step.k, which, update.y, update.scoreBefore);
    if (run.told) return `${had}. ${say.becomes(run, step)}.`; // why, its author knows
    parts.push(`${had}, ${reason(run, update)}`);
    parts.push(`${say.becomes(run, step)}; ${say.now(update.y * update.scoreAfter, outcome(run, update))}`);
    if (run.pocket?.has(step.k)) parts.push(say.pocket(run.pocket.get(step.k)));
  }
  if (ends && step.k === run.n && !run.told) parts.push(ending(run));
  return parts.join(" ");
}
