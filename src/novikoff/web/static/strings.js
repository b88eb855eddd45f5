/** Every text of the playground, in one place. Written with θ and θ₀; see notation.js. */

import { about, equals, number, sign, vector } from "./replay/format.js";

const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

export const failures = {
  bug: (error) => `A mistake in novikoff, please report it. ${error.name}: ${error.message}`,
  link: "This link cannot be read: it is damaged, or made by a later version. Here are twelve points instead.",
  file: "This is not a state file of the playground.",
  shown: "This run cannot be shown.",
  before: "Everything but the points is still from before.",
};

export const board = {
  kernel: "Shading: the score Σ αⱼ·yⱼ·K(xⱼ, x). Dotted: where it is 0.",
};

export const algorithms = {
  last: "Perceptron (last)",
  averaged: "Averaged",
  voted: "Voted",
  pocket: "Pocket",
  margin: "Margin",
  aggressive: "Passive-aggressive",
  kernel: "Kernel",
};

export const code = {
  repeat: (epochs) => `repeat ${epochs} times, or until no mistake:`,
  visit: {
    cyclic: "for i = 1 … n:",
    shuffled: "for i in a new random order:",
    random: "n times, for a random i:",
  },
  which: (row) => `i = ${row + 1}`,
  score: (s) => `s ${code.becomes(s)}`,
  becomes: (text) => (text.startsWith("≈") ? text : `= ${text}`),
  yes: "yes",
  no: "no",
  undershoots: "undershoots",
  right: "right now",
  beyond: "beyond β now",
  sum: (before, gain, after, outcome) => `y·s: ${before} + ${gain} = ${after}, ${outcome}`,
  stays: (product) => `y·s: ${product}, right: nothing changes`,
  asked: (product) => `y·s: ${product} + ‖x‖² … = ?`,
};

export const step = {
  code: "The algorithm, and where it is",
  right: ({ row, y, score }, run) => {
    if (score === null) return `Example ${row + 1} (${sign(y)}) is right: nothing changes.`;
    const beta = run.margin > 0 ? `${number(run.margin)} = β` : "0";
    const product = y * score;
    const why = run.ties === "sign" || product < 0 || (product === 0 && run.ties !== "correct")
      ? `h = ${sign(y)}1 = y` : `y·s ${equals(product)} ${run.ties === "correct" ? "≥" : ">"} ${beta}`;
    return `Example ${row + 1} (${sign(y)}) has score ${about(score)}, so ${why}: right. Nothing changes.`;
  },
  asked: (k, { row, y, scoreBefore }) =>
    `Update ${k} comes: example ${row + 1} (${sign(y)}) has score ${about(scoreBefore)}. Where will the boundary go, and will it be right?`,
  epoch: (epoch, mistakes, n, { theta, offset }, { fitIntercept, kernel }) => {
    const made = mistakes ? count(mistakes, "update") : "no update";
    const now = kernel ? "" : ` θ is ${vector(theta)}${fitIntercept ? `, θ₀ is ${about(offset)}` : ""}.`;
    return `Epoch ${epoch} is over: ${made} in ${count(n, "example")}.${now}`;
  },
  over: (n) => `The run is over, after ${count(n, "update")}.`,
  kernelStart: "Start: α = 0, every score is 0.",
  kernel: ({ k, update }) =>
    `Update ${k}: example ${update.row + 1} (${sign(update.y)}) had score ${about(update.scoreBefore)}: a mistake. ` +
    `Its α grows by 1; y·s is now ${about(update.y * update.scoreAfter)}${update.undershoots ? ": it undershoots." : "."}`,
};

export const proof = {
  title: "What is known",
  meter: (k, most) => `${k} of ${most}`,
  meterName: (k, most) => `${k} of the ${most} updates that the theorem allows`,
  /** What is drawn: with an offset θ and x are one longer, with a margin R² grows, and η is divided out. */
  names: ({ fitIntercept, margin, eta }) => {
    const norm = fitIntercept ? "‖(θ, θ₀)‖²" : "‖θ‖²";
    const grown = margin > 0 ? `(R² + 2β${eta === 1 ? "" : "/η"})` : "R²";
    return {
      lower: "k²γ²",
      norm: eta === 1 ? norm : `${norm}/η²`,
      upper: `k${grown}`,
      bound: margin > 0 ? `${grown}/γ²` : "(R/γ)²",
    };
  },
  bound: (names, value) => `${names.bound} = ${number(Number(value.toFixed(2)))}`,
  measured: ({ fitIntercept }, { radius, margin }) =>
    `R² = ${short(radius ** 2)}, γ² = ${short(margin ** 2)}${fitIntercept ? ", of the points (x, 1)" : ""}`,
  noBound: (k, reason) => `${count(k, "update")}. ${reason ?? "No bound."}`.trim(),
  unknown: "Whether these points can be separated was not found out.",
  error: (wrong, n) => `Training error ${wrong}/${n}.`,
  modelError: (name, wrong, n) => `${{ averaged: "The mean", voted: "The vote", pocket: "The pocket" }[name] ?? name}: ${wrong}/${n}.`,
  chart: ({ lower, norm, upper }) =>
    `The proof: ${lower} ≤ ${norm} ≤ ${upper}; where the curves meet is the bound.`,
  here: (k, { lower, norm, upper }, [least, size, most]) =>
    `The proof at update ${k}: ${lower} = ${short(least)} ≤ ${norm} = ${short(size)} ≤ ${upper} = ${short(most)}.`,
  axis: (last) => `k = ${last}`,
};

function short(x) {
  return number(Number(x.toPrecision(4)));
}

export const time = {
  group: "Time",
  unit: "Step by",
  units: { example: "example", update: "update", epoch: "epoch" },
  start: (n) => `start, update 0 of ${n}`,
  at: (k, n, epoch) => `update ${k} of ${n}, epoch ${epoch}`,
  example: (t, total, text) => `example ${t} of ${total}, ${text}`,
  end: (n, epochs) => `end: ${count(n, "update")}, ${count(epochs, "epoch")}`,
  names: {
    example: { back: "Back one example", step: "Step to the next example" },
    update: { back: "Back one update", step: "Step to the next update" },
    epoch: { back: "Back one epoch", step: "Step to the next epoch" },
  },
  first: "First: before any update",
  last: "Last: the end",
  rows: (one, other) => `Ticks above: ${one}; below: ${other}`,
};

export const stage = {
  shading: {
    averaged: "Shading: votes. Dotted: the mean, which predicts.",
    pocket: "Dotted: the one in the pocket, which predicts.",
    voted: "Shading: votes. Dotted: where they are even.",
  },
  unshaded: (why) => `No shading: ${why}`,
};

export const thetaSpace = {
  name: "θ-space",
  caption: (separable) => [
    "θ-space: a line for every point, and the way of θ",
    ...(separable === null ? [] : [separable ? "; green: every θ that separates" : "; no θ separates"]),
    ".",
  ].join(""),
  label: (k) => `θ-space: the way of θ after ${count(k, "update")}, and the cone of all θ that separate.`,
};

export const points = {
  title: "Points",
  brush: "Brush: the class of a new point",
  side: (y) => `${sign(y)}1`,
  presets: "Presets",
  preset: "Presets …",
  undo: "Undo",
  redo: "Redo",
  clear: "Clear",
  table: "CSV …",
  index: "i",
  caption: "Points in visiting order",
  hint: "Click the plane to add, drag to move, right-click or Delete to remove.",
  touch: "Tap the plane to add, drag to move, press long to remove.",
  move: "Drag, or press ↑ and ↓, to change the visiting order",
  handle: (i) => `Point ${i}: press up or down to move it in the visiting order`,
  coordinate: (i, j) => `Point ${i}, x${j}`,
  label: (i, y) => `Point ${i} is ${sign(y)}1: press to change`,
  flip: "Change the class",
  removal: "Remove",
  remove: (i) => `Remove point ${i}`,
  before: "Points before",
  after: "Points after",
  range: (from, to, n) => `${from}–${to} of ${n}`,
};

/** 10⁹ rather than 1000000000. */
const power = (x) => {
  const exponent = Math.log10(Math.abs(x));
  if (!Number.isInteger(exponent) || Math.abs(exponent) < 6) return number(x);
  const digits = [...number(exponent)].map((c) => (c === "−" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
  return `${x < 0 ? "−" : ""}10${digits.join("")}`;
};

export const fields = {
  refused: (name, least, most, whole) =>
    `${name}: a ${whole ? "whole " : ""}number from ${power(least)} to ${power(most)} is needed here.`,
};

/** What an edit did; the verdict follows. */
export const told = {
  added: (i, { x, y, label }) => `Point ${i} (${sign(label)}) added at (${number(x)}, ${number(y)}).`,
  moved: (i, { x, y }) => `Point ${i} moved to (${number(x)}, ${number(y)}).`,
  removed: (i) => `Point ${i} removed.`,
  flipped: (i, label) => `Point ${i} is of class ${sign(label)} now.`,
  reordered: (from, to) => `Point ${from} is visited as number ${to} now.`,
  full: (most) => `${most} points are the most that fit here.`,
  undone: "Undone.",
  redone: "Done again.",
};

export const settings = {
  title: "Settings",
  algorithm: "Algorithm",
  against: "Side by side with",
  nobody: "–",
  more: "More settings",
  offset: "With offset θ₀",
  ties: "Ties",
  tiesNames: {
    mistake: "y·s ≤ 0 is a mistake", sign: "h(x) ≠ y, h = +1 at 0", correct: "only y·s < 0",
  },
  order: "Order",
  orders: { cyclic: "cyclic", shuffled: "shuffled", random: "random" },
  seed: "Seed",
  eta: "η",
  epochs: "T, most epochs",
  start: "Start θ₁, θ₂, θ₀",
  startParts: ["Start: θ₁", "Start: θ₂", "Start: θ₀"],
  beta: "β",
  C: "C, the largest step",
  kernel: "Kernel",
  kernels: { rbf: "Gaussian (RBF)", poly: "polynomial", linear: "linear" },
  degree: "Degree",
  gamma: "γ of the kernel",
  notation: "Notation",
  notations: { theta: "θ, θ₀", w: "w, b" },
  letters: "Letter keys (L, P, B)",
  predict: "Predict first (P)",
  tabsName: "What is shown below",
  tabs: { step: "Step", proof: "Proof", points: "Points", settings: "Settings" },
};

export const frame = {
  name: "novikoff",
  subtitle: "the perceptron playground",
  tools: "Tools",
  tour: "Tour",
  homework: "Homework",
  steps: "Steps",
  share: "Share",
  lecture: "Lecture",
  predict: "Predict first",
  predictTitle: "Hide the outcome of an update until the next press (P)",
  lectureTitle: "Lecture mode: large, and nothing else (L)",
  legend: "Classes",
  classes: { positive: "+1", negative: "−1" },
  plane: "The plane",
  quick: "Class of a new point; undo",
  now: "This step, and what is known",
  work: "Points and settings",
};

const predictor = { averaged: "the mean", voted: "the vote", pocket: "the pocket" };

export const compare = {
  sentence: (t) => `After ${count(t, "example")}, on the same points:`,
  name: (algorithm) => algorithms[algorithm],
  lines: (algorithm, k, n, wrong, model, points_) => [
    `${k} of ${count(n, "update")}`,
    `now ${wrong}/${points_} wrong${model === undefined ? "" : `; ${predictor[algorithm]} ${model}/${points_}`}`,
  ],
};

export const share = {
  title: "Share",
  close: "Close",
  link: "A link to exactly this",
  copy: "Copy",
  copied: "Copied.",
  copyByHand: "Press Ctrl+C to copy it.",
  what: "Points, settings and this very step. It opens wherever the playground runs.",
  run: "A perceptron run",
  tooLong: (most) => `These points do not fit into a link of ${most} characters: save a state file instead.`,
  files: "Files",
  kinds: {
    html: "Replay as HTML", trace: "Trace (JSON)", markdown: "Table (Markdown)", python: "Python",
  },
  png: "Picture (PNG)",
  state: "State",
  saveState: "Save a state file",
  open: "Open a state file",
  notState: "This is not a state file of the playground.",
  saved: (name) => `Saved as ${name}.`,
};

export const steps = {
  title: "The steps",
  close: "Close",
  hint: "Press a number to go there.",
  more: (shown, n) => `The first ${shown} of ${n} updates; the trace (Share) has all of them.`,
  columns: (kernel, offset) => [
    "k",
    "epoch",
    "i",
    "y·s before",
    "y·s after",
    ...(kernel ? [] : ["θ"]),
    ...(offset ? ["θ₀"] : []),
  ],
  undershoots: "(undershoots)",
  go: (k) => `Go to update ${k}`,
  checkTitle: "Check my table",
  checkText: "Paste what you worked out by hand: one row per update, with k, i and θ. The first wrong row is marked.",
  paste: "Your table",
  example: "k, i, θ₁, θ₂, θ₀",
  check: "Check",
  cells: ["column", "yours", "expected"],
};

export const table = {
  title: "Points from a table",
  close: "Close",
  how: "Paste a table here, choose a file, or drop one on the page. It stays on this computer.",
  paste: "The table, as CSV",
  example: "length,width,species\n5.1,3.5,setosa\n…",
  file: "Choose a file",
  first: "Horizontal",
  second: "Vertical",
  target: "Target",
  positive: "Positive class",
  choose: "Choose two columns of numbers and the target.",
  ready: (n) => `${count(n, "point")} ready.`,
  read: (n) => `${count(n, "row")} read.`,
  use: "Use these points",
};

/** What is wrong with a table, or was done about it. */
export const learn = {
  title: "Lessons and homework",
  close: "Close",
  lesson: (i, n) => `Lesson ${i} of ${n}`,
  back: "Back",
  next: "Next",
  done: "Done",
  homework: "Homework",
  try: "Try it",
  all: "All homework",
  check: "Check my table",
  checkText: "Work out the updates by hand, paste k, i and θ, and see the first wrong row.",
  checkOpen: "Check it",
};

/** The tour: what each lesson says, and what to try. What it shows is in learn.js. */
export const lessons = [
  {
    title: "A line and two half-spaces",
    text: [
      "A linear classifier says +1 where its score s = θ·x + θ₀ is at least 0, and −1 elsewhere. The boundary s = 0 is a line; θ is perpendicular to it and points to the + side.",
      "Here the line separates all twelve points, and the dashed street is the widest that fits.",
    ],
    doing: "Drag a point across the line and watch it follow.",
  },
  {
    title: "The update",
    text: [
      "Points are visited one by one. Nothing happens while they are right. At a mistake, y·s ≤ 0, the point is added: θ ← θ + y·x and θ₀ ← θ₀ + y.",
      "y·s grows by ‖x‖² + 1 each time: the line turns towards being right about this point.",
    ],
    doing: "Press the right arrow and read the sentence at each step.",
  },
  {
    title: "Undershooting",
    text: [
      "One update need not be enough. Here y·s was −8 and grew by 6: it is −2, still a mistake. The update undershoots.",
      "The same point will be met again in a later epoch.",
    ],
    doing: "Drag the ringed point outwards: the longer x, the larger the gain.",
  },
  {
    title: "Why an offset",
    text: [
      "Without θ₀ the line must go through the origin. These points can be separated, but not by such a line: the run never ends by itself.",
      "An offset is one more coordinate that is always 1. Beside the plane you see θ-space: no θ is on the right side of every edge.",
    ],
    doing: "Tick “With offset θ₀” in the settings.",
  },
  {
    title: "It ends, and when",
    text: [
      "If a line separates with margin γ and no point is farther than R, there are at most (R/γ)² updates (with an offset, measured on (x, 1)).",
      "‖θ‖² lies between k²γ² and kR²: where these curves cross, updates must end. Three points use half of that.",
    ],
    doing: "Move a point towards the other class and see the bound grow.",
  },
  {
    title: "No separator",
    text: [
      "No line separates XOR: the two hulls share the marked point, which proves it. The last hypothesis goes round in circles.",
      "Voted and averaged let every hypothesis speak, for as long as it survived: the shading is their vote.",
    ],
    doing: "Choose Averaged, then Kernel, and compare.",
  },
];
