/** Every text that the view shows, in one place. */

import { about, equals, number, sign, vector } from "./format.js";

function count(n, noun) {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

export const controls = {
  group: "Replay of the updates",
  first: "First: before any update",
  back: "Back one update",
  play: "Play",
  pause: "Pause",
  step: "Step to the next update",
  last: "Last update",
  slider: "Update",
  speed: "Speed",
  times: (factor) => `${factor}×`,
  keys: "Keys: space plays and pauses, ← and → step, Home and End jump.",
  position: (k, n, epoch) => (k ? `update ${k} of ${n}, epoch ${epoch}` : `start, update 0 of ${n}`),
  ticks: "One tick per mistake, + above and − below; the bands are epochs.",
};

export const figure = {
  /** What someone is told who cannot see the plane. */
  label: (run, step) => {
    const theta = `θ ${equalsVector(step.theta, run.single)}`;
    const offset = run.fitIntercept ? `, θ₀ ${equals(step.offset, run.single)}` : "";
    const points = `${count(run.sideCounts.positive, "positive point")}, ${run.sideCounts.negative} negative`;
    return `The plane with ${points}; ${theta}${offset}.`;
  },
  undivided: (h) => `θ = 0: there is no boundary; every point is predicted ${sign(h)}.`,
  outside: (h) => `The boundary lies outside this part of the plane: all of it is predicted ${sign(h)}.`,
  undrawable: "The boundary cannot be drawn: the numbers are too far apart.",
  units: "The axes have different units: each is scaled by its own spread, and θ with them.",
  feature: (j) => `x${"₁₂"[j]}`,
  theta: "θ",
};

export const legend = {
  title: "Legend",
  side: (y) => `y = ${sign(y)}1`,
  idle: "took no part",
  predicted: "predicted class",
  after: "boundary, θ its normal",
  before: "boundary before this update",
  ring: "example of this update",
  band: (beta) => `margin band: |s| ≤ ${number(beta)}`,
};

export const facts = {
  updates: "Updates so far",
  of: (k, n) => `${k} of ${n}`,
  epoch: "Epoch",
  none: "–",
  seen: "Examples seen",
  theta: "θ",
  offset: "θ₀",
  bound: "The theorem allows",
  allows: (bound) => count(Math.floor(bound), "update"),
};

/** Which example: as everywhere in the library, or as people count. */
export const example = {
  rows: (row) => `row ${row}`,
  examples: (row) => `example ${row + 1}`,
};

export const sentence = {
  start: (run, step) => {
    const offset = run.fitIntercept ? ` and θ₀ ${equals(step.offset, run.single)}` : "";
    return `Start: θ ${equalsVector(step.theta, run.single)}${offset}.`;
  },
  undivided: (h) => `No boundary yet: every point is predicted ${sign(h)}.`,
  had: (k, which, y, score) => `Update ${k}: ${which} (${sign(y)}) had score ${about(score)}`,
  predicted: (h, y) => `so h = ${sign(h)}1 ≠ y = ${sign(y)}1: a mistake.`,
  compared: (product, relation, beta, verdict) =>
    `so y·s ${equals(product)} ${relation} ${number(beta)}${beta > 0 ? " = β" : ""}: ${verdict}.`,
  mistake: "a mistake",
  tie: "on the boundary, which counts as a mistake",
  within: "on the right side, but not beyond the margin",
  becomes: (run, step) => {
    const theta = `θ becomes ${vector(step.theta, run.single)}`;
    return run.fitIntercept ? `${theta}, θ₀ becomes ${about(step.offset, run.single)}` : theta;
  },
  now: (product, verdict) => `y·s is now ${about(product)}: ${verdict}.`,
  undershoots: "it undershoots",
  right: "right",
  beyond: "beyond the margin",
  pocket: (error) => `It enters the pocket: error ${about(error)}.`,
  separated: (n, epochs) => `Separated after ${count(n, "update")}: epoch ${epochs} made no mistake.`,
  epochLimit: (epochs) => `The run ended at its limit of ${count(epochs, "epoch")}, not separated.`,
  earlyStopped: (epochs) => `The run was stopped early, after ${count(epochs, "epoch")}.`,
};

function equalsVector(values, single) {
  const text = vector(values, single);
  return text.startsWith("≈") ? text : `= ${text}`;
}

/** Why a document is not shown, and what to do instead. */
export const errors = {
  title: "This run cannot be replayed here.",
  notTrace: 'This is not a trace: expected a document with "format": "novikoff.trace".',
  list: "This is a list of traces, one per hyperplane: the replay shows one of them.",
  version: (version) => `This view reads version 1 of the trace format; the document has version ${version}.`,
  joint:
    "This is not the run of a single hyperplane (its classes have no negative and positive side): " +
    "the replay shows two classes, or one hyperplane of “ovr” or “ovo”.",
  features: (d) => `This run has ${count(d, "feature")}; the replay shows runs on two. Fit on two features to see it.`,
  updates: (n, most) =>
    `This run has ${n} updates; the replay shows at most ${most}. Fit with fewer epochs (max_iter) or rows.`,
  rows: (n, most) => `This run has ${n} rows; the replay shows at most ${most}. Fit on a sample of them.`,
  examples: "This trace was stored without its examples: write it again with them.",
  field: (path) => `The trace document's “${path}” is missing or not what the format says.`,
  side: (k) => `The trace document contradicts itself: update ${k} is of a row on another side, or of none.`,
  overflow: (k) => `θ leaves the range of floating-point numbers at update ${k}.`,
  score: (k, stored, found) =>
    `The document contradicts itself: the score at update ${k} is ${stored}, but its updates give ${found}.`,
  hypothesis: (k) => `The document contradicts itself: hypothesis ${k} is not what its updates lead to.`,
};
