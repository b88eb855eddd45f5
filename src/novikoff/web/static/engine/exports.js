/** A run as a file that can be taken away. */

import { boundOf } from "./bound.js";
import { markdown } from "./markdown.js";
import { Refusal } from "./refusal.js";
import { documentOf } from "./tracing.js";
import { knownOf } from "./verdict.js";
import { repr } from "./words.js";

const FILES = {
  markdown: ["novikoff-run.md", "text/markdown"],
  trace: ["novikoff-trace.json", "application/json"],
  python: ["novikoff_run.py", "text/x-python"],
};
const WIDTH = 88;
const ESTIMATORS = {
  averaged: "AveragedPerceptron", voted: "VotedPerceptron", pocket: "PocketPerceptron",
  kernel: "KernelPerceptron", aggressive: "PassiveAggressiveClassifier",
};

export function exportAnswer(run, kind, axes) {
  if (run.idle) throw new Refusal("There is no run to save yet. It takes points of both classes.");
  const [name, type] = FILES[kind];
  return { kind, name, type, text: textOf(run, kind, axes) };
}

function textOf(run, kind, axes) {
  if (kind === "python") return snippet(run);
  if (run.dual) throw new Refusal("A run of the kernel perceptron can be saved as Python only.");
  if (kind === "markdown") return markdown(run);
  return `${JSON.stringify(documentOf(run, axes, boundOf(run, knownOf(run)).bound.value))}\n`;
}

// ------------------------------------------------------------------------------ Python

const quoted = (text) => `'${text}'`;
const whole = (x) => (Number.isInteger(x) && Math.abs(x) < 1e15 ? String(x) : repr(x));

/** The estimator's parameters in Python, without those that have their default. */
function parameters({ settings, epochs }) {
  const { algorithm, order, ties, seed, kernel, offset, eta, margin, C } = settings;
  const chosen = { order: quoted(order), max_iter: epochs };
  const aggressive = algorithm === "aggressive";
  if (aggressive) chosen.C = repr(C);
  else if (ties !== "mistake") chosen.ties = quoted(ties);
  if (seed) chosen.random_state = seed;
  if (algorithm === "kernel") {
    chosen.kernel = quoted(kernel.name);
    if (kernel.name === "poly") {
      Object.assign(chosen, { degree: kernel.degree, coef0: repr(kernel.coef0) });
    }
    if (kernel.name !== "linear") chosen.gamma = repr(kernel.gamma);
    return chosen;
  }
  if (!offset) chosen.fit_intercept = "False";
  if (eta !== 1 && !aggressive) chosen.eta0 = repr(eta);
  if (algorithm === "margin") chosen.margin = repr(margin);
  return { ...chosen, record_trace: "True" };
}

/** The start as arguments of `fit`; nothing if it is zero. */
function beginning({ algorithm, start, offset }) {
  if (!start || algorithm === "kernel") return {};
  const [first, second, constant] = start.map(repr);
  const theta = { coef_init: `[[${first}, ${second}]]` };
  return offset ? { ...theta, intercept_init: `[${constant}]` } : theta;
}

/** An array literal, several items a line. */
function array(name, items) {
  // Whole numbers would make X an array of integers, which learns the same but prints otherwise.
  const kind = name === "X" ? ", float" : "";
  const lines = [`${name} = np.array(`];
  let line = "    [";
  for (const item of items) {
    if (line.length + item.length + 2 > WIDTH) {
      lines.push(line.trimEnd());
      line = "     ";
    }
    line += `${item}, `;
  }
  return [...lines, `${line.trimEnd().replace(/,$/, "")}]${kind}`, ")"];
}

function call(name, parts) {
  const line = `${name}(${parts.join(", ")})`;
  if (line.length <= WIDTH) return [line];
  return [`${name}(`, ...parts.map((part) => `    ${part},`), ")"];
}

const named = (given) => Object.entries(given).map(([name, value]) => `${name}=${value}`);

/** A Python program that ends with the fitted `clf`, its theta the same to the bit. */
export function snippet(run) {
  const { points, settings } = run;
  const name = ESTIMATORS[settings.algorithm] ?? "Perceptron";
  const printed = run.dual
    ? ["print(clf.support_, clf.dual_coef_)"]
    : ["print(clf.coef_, clf.intercept_)", "print(clf.trace_.markdown())"];
  return [
    `"""The run of the playground, on ${points.length} points."""`,
    "",
    "import numpy as np",
    "",
    `from novikoff import ${name}`,
    "",
    ...array("X", points.map(({ x, y }) => `[${whole(x)}, ${whole(y)}]`)),
    ...array("y", points.map(({ label }) => String(label))),
    "",
    ...call(`clf = ${name}`, named(parameters(run))),
    ...call("clf.fit", ["X", "y", ...named(beginning(settings))]),
    "",
    "print(clf.status_, clf.n_updates_)",
    ...printed,
    "",
  ].join("\n");
}
