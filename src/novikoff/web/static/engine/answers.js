/** A run, what is known about it, and how it ended. */

import { boundOf } from "./bound.js";
import { alphaOf, documentOf, dualOf } from "./tracing.js";
import { knownOf, verdictOf } from "./verdict.js";
import { counted } from "./words.js";

const KEPT = { averaged: "mean", voted: "vote", pocket: "one in the pocket" };

/** What happened in a run, and with `known` everything else about it. */
export function runAnswer(run, axes, known) {
  const { settings, errors } = run;
  const answer = {
    algorithm: settings.algorithm,
    status: run.status,
    sentence: null,
    n_updates: run.updates.length,
    n_epochs: run.nEpochs,
    trace: null,
    dual: null,
    model: null,
    errors: errors.each,
    model_errors: errors.model,
    survival: run.survival ?? null,
    averaged: run.sums ? averaged(run.sums) : null,
    alpha: alphaOf(run),
    verdict: null,
    bound: null,
    proof: null,
    truncated: run.why !== null,
    why: run.why,
    notes: notes(settings),
    ...(known && knownAnswer(run)),
  };
  if (run.dual) return { ...answer, dual: dualOf(run) };
  return { ...answer, trace: documentOf(run, axes, answer.bound?.value), model: modelOf(run) };
}

/** The verdict on the points, the bound, and how the run ended. */
export function knownAnswer(run) {
  const known = knownOf(run);
  const verdict = verdictOf(run, known);
  const { bound, proof } = boundOf(run, known);
  return { sentence: known ? ending(run, verdict, bound) : verdict.sentence, verdict, bound, proof };
}

/** What the mean lacks: after t examples and k updates it is theta_k - sums_k / (1 + t). */
function averaged(sums) {
  return { sums: sums.map(([a, b]) => [a, b]), offset_sums: sums.map(([, , c]) => c) };
}

/** What a finished run predicts with; k is the number of its updates, if it is a hypothesis. */
function modelOf({ idle, settings, weights, replacements, updates, errors }) {
  if (idle || settings.algorithm === "voted") return null;
  const [first, second, offset] = weights;
  const k = settings.algorithm === "averaged" ? null : replacements?.k.at(-1) ?? updates.length;
  return { theta: [first, second], offset, k, errors: k === null ? errors.end : errors.each[k] };
}

/** How the run ended. */
function ending({ settings, status, updates, nEpochs, errors, points }, verdict, bound) {
  const { algorithm, offset } = settings;
  const last = errors.each.at(-1);
  const beyond = algorithm === "margin" || algorithm === "aggressive"; // they learn from others too
  const did = counted(updates.length, beyond ? "update" : "mistake");
  const epochs = counted(nEpochs, "epoch");
  const allowed = bound.most === null ? "" : ` The theorem allows ${BigInt(bound.most)}.`;
  let end;
  if (status === "separated") {
    end = (last === 0 ? `Separated after ${did}.` : `It rests after ${did}.`) + allowed;
  } else if (algorithm === "kernel") {
    end = `Not separated: ${did} in ${epochs}.`;
  } else if (algorithm === "aggressive" && verdict.kind === "separable") {
    end = `Not at rest: ${did} in ${epochs}, and ${last} of ${points.length} wrong.`;
  } else if (verdict.kind === "separable") {
    end = `Not separated yet: ${did} in ${epochs}.${allowed}`;
  } else {
    const line = offset ? "line" : "line through the origin";
    end = `No ${line} separates these points: ${did} in ${epochs}, and there is no end.`;
  }
  if (errors.end === null || !(errors.end || last)) return end;
  return (
    `${end} The ${KEPT[algorithm]} has ${errors.end} of ${points.length} wrong, ` +
    `the last hypothesis ${last}.`
  );
}

/** What of the settings has no effect here. */
function notes({ algorithm, eta, ties, start }) {
  if (algorithm === "aggressive" && (eta !== 1 || ties !== "mistake")) {
    return ["PA computes its steps, and asks whether y·s < 1: η and ties have no effect on it."];
  }
  if (algorithm !== "kernel") return [];
  const first = "The kernel perceptron has no offset; the kernel's constant does its work.";
  const ignored = [...(eta !== 1 ? ["η"] : []), ...(start ? ["the start"] : [])];
  if (!ignored.length) return [first];
  const text = ignored.join(" and ");
  const verb = ignored.length > 1 ? "have" : "has";
  return [first, `${text[0].toUpperCase()}${text.slice(1)} ${verb} no effect on it.`];
}
