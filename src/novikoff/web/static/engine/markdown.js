/** A run as a Markdown table: as a student would write it down, arithmetic included. */

import { equal, less, ofText, over, plus, times } from "./fractions.js";
import { squareOf } from "./perceptron.js";
import { scoresOf } from "./tracing.js";
import { counted, number, signed } from "./words.js";

const RULES = { mistake: "y·s ≤ β", sign: "h ≠ y", correct: "y·s < β" };

const bracketed = (text) => (text.startsWith("-") ? `(${text})` : text);
const vector = (theta) => `(${theta.slice(0, 2).map(number).join(", ")})`;
const line = (cells) => `| ${cells.join(" | ")} |`;
const printed = (x) => ofText(number(x));

/** The heads of the table, without that of the pocket. */
export function heads(run) {
  const after = run.rule.ties === "sign" ? "s after" : "y·s after";
  const test = run.rule.C ? [`test: ${ruleOf(run)}`, "τ"] : [`mistake: ${ruleOf(run)}`];
  return ["k", "epoch", "t", "row", "y", ...test, "update", after];
}

function ruleOf({ rule }) {
  return RULES[rule.ties].replace("β", number(rule.beta));
}

/** What the step of update e of PA-I comes to, from numbers as they are printed. */
export function tauCell({ rule: { C, offset }, points, updates }, e, score) {
  const { row, y, step } = updates[e];
  const [product, square] = [y * score, squareOf(points[row], offset)];
  const quotient = over(plus(printed(1), printed(-product)), printed(square));
  const value = less(quotient, printed(C)) ? quotient : printed(C);
  const is = equal(value, printed(Math.abs(step))) ? "=" : "≈";
  const missing = `1 - ${bracketed(number(product))}`;
  return `min(${number(C)}, (${missing})/${number(square)}) ${is} ${number(Math.abs(step))}`;
}

/** Why update e happened: the score, and how it compares. */
export function mistakeCell(run, e, score) {
  const { rule: { ties, offset, beta }, points, updates, hypotheses } = run;
  const { row, y } = updates[e];
  const [a, b, c] = hypotheses[e];
  const terms = [[a, points[row].x], [b, points[row].y]];
  const texts = terms.map(([w, x]) => `${bracketed(number(w))}·${bracketed(number(x))}`);
  let total = terms.map(([w, x]) => times(printed(w), printed(x))).reduce(plus);
  if (offset) {
    texts.push(bracketed(number(c)));
    total = plus(total, printed(c));
  }
  const exact = equal(total, printed(score));
  const sum = texts.join(" + ");
  const is = exact ? "=" : "≈";
  if (ties === "sign") {
    const h = score >= 0 ? 1 : -1;
    return `s = ${sum} ${is} ${number(score)}, h = ${signed(h)} ${h === y ? "=" : "≠"} y`;
  }
  const product = y * score;
  let compared = product <= beta ? "≤" : ">";
  // A score just below the threshold may be printed as the threshold.
  if (ties === "correct") compared = product < beta || (!exact && product === beta) ? "<" : "≥";
  return `${signed(y)}·(${sum}) ${is} ${number(product)} ${compared} ${number(beta)}`;
}

/** Whether before + step·x = after, as printed. */
function addsUp(step, before, x, after) {
  return equal(plus(printed(before), times(printed(step), printed(x))), printed(after));
}

/** What update e did to θ and θ₀. */
export function updateCell({ settings: { offset }, points, updates, hypotheses }, e) {
  const { row, y, step } = updates[e];
  const [before, after] = [hypotheses[e], hypotheses[e + 1]];
  const x = [points[row].x, points[row].y, 1];
  const exact = (j) => addsUp(step, before[j], x[j], after[j]);
  const is = (...places) => (places.every(exact) ? "=" : "≈");
  const by = `${number(Math.abs(step))}·(${signed(y)})`;
  const text = `θ = ${vector(before)} + ${by}·${vector(x)} ${is(0, 1)} ${vector(after)}`;
  if (!offset) return text;
  return `${text}; θ₀ = ${number(before[2])} + ${by} ${is(2)} ${number(after[2])}`;
}

function table(run) {
  const { updates, replacements, rule: { ties, C } } = run;
  const { before, after } = scoresOf(run);
  const pocket = new Map(replacements?.k.map((k, i) => [k, replacements.error[i]]));
  const more = (cell) => (replacements ? [cell] : []);
  return [
    line([...heads(run), ...more("pocket")]),
    line([..."12345"].map(() => "--:").concat(C ? ":--" : [], ":--", ":--", "--:", more(":--"))),
    ...updates.map(({ epoch, t, row, y }, e) => line([
      e + 1, epoch, t, row, signed(y), mistakeCell(run, e, before[e]),
      ...(C ? [tauCell(run, e, before[e])] : []), updateCell(run, e),
      number(after[e] * (ties === "sign" ? 1 : y)),
      ...more(pocket.has(e + 1) ? `in: error ${number(pocket.get(e + 1))}` : ""),
    ])),
  ];
}

function hypothesis({ settings: { offset } }, theta) {
  return `θ = ${vector(theta)}${offset ? `, θ₀ = ${number(theta[2])}` : ""}`;
}

function introduction(run) {
  const { points, settings: { order, offset }, rule, replacements } = run;
  const { ties, beta, eta, start, C } = rule;
  const size = C ? "τ" : number(eta);
  const where = offset ? "(x, 1)" : "x";
  const tau = C ? `, with τ = min(C, (1 - y·s)/‖x̃‖²), C = ${number(C)}, x̃ = ${where}` : "";
  const pocket = replacements ? ` (in the pocket: error ${number(replacements.error[0])})` : "";
  return [
    `**\\+1** (y = +1) against **\\-1** (y = -1): ${counted(points.length, "example")}, ` +
      `2 features, order ${order}, rows numbered from 0.`,
    "",
    `${C ? "Test" : "Mistake"}: ${ruleOf(run)}, with s = θ·x${offset ? " + θ₀" : ""}` +
      (beta && !C ? ` and β = ${number(beta)}` : "") +
      (ties === "sign" ? " and h = +1 if s ≥ 0, else -1" : "") +
      `. Update${C ? " (PA\\-I)" : ""}: θ ← θ + ${size}·y·x` +
      `${offset ? `, θ₀ ← θ₀ + ${size}·y` : ""}${tau}.`,
    "",
    `Start: ${hypothesis(run, start)}${pocket}.`,
  ];
}

function ending(run) {
  const { status, nEpochs, updates, hypotheses, replacements, settings: { order } } = run;
  const what = run.rule.C ? "update" : "mistake";
  let how = `At its limit of epochs, without one that made no ${what}.`;
  if (status === "separated") {
    const confirmed = order === "random" ? ", and neither did a pass over all rows" : "";
    how = `Separated: epoch ${nEpochs} made no ${what}${confirmed}.`;
  }
  const did = `${counted(updates.length, "update")} in ${counted(nEpochs, "epoch")}`;
  const lines = [`${how} ${did}; ${hypothesis(run, hypotheses.at(-1))}.`];
  if (!replacements) return lines;
  const [k, error] = [replacements.k.at(-1), replacements.error.at(-1)];
  const best = hypothesis(run, hypotheses[k]);
  return [...lines, "", `In the pocket: hypothesis ${k}, with error ${number(error)}; ${best}.`];
}

export function markdown(run) {
  const rows = run.updates.length ? [...table(run), ""] : [];
  return [...introduction(run), "", ...rows, ...ending(run), ""].join("\n");
}
