/** Whether a line separates the points, and what that rests on, in words and numbers. */

import { integers, quotient } from "./doubles.js";
import { separation } from "./separation.js";
import { general } from "./words.js";

const LONGEST_WEIGHT = 24; // characters

/** What is known of a run's points; null without points of both classes. */
export function knownOf({ idle, points, settings }) {
  return idle ? null : separation(points, settings.offset);
}

/** The verdict as it is answered; `known` is from `knownOf`. */
export function verdictOf({ points, settings: { offset } }, known) {
  const verdict = { offset, margin: null, street: null, obstruction: null, weak: null };
  if (!known) return { ...verdict, ...oneClass(points) };
  const { kind, street } = known;
  if (kind !== "separable") return { ...verdict, kind, ...inseparable(points, known, offset) };
  const line = offset ? "A line" : "A line through the origin";
  if (!isMeasured(known)) {
    const sentence = `${line} separates the points, by a margin too small or large for a double.`;
    return { ...verdict, kind, sentence };
  }
  const { theta, margin, rows } = street;
  const sentence =
    `${line} separates the points; the widest street has the margin ${general(margin, 4)}.`;
  const shown = { theta, offset: street.offset, margin, support: rows };
  return { ...verdict, kind, sentence, margin, street: shown };
}

/** Whether doubles can hold the margins of separable points. */
export function isMeasured({ street, lifted }) {
  return street.margin > 0 && lifted.margin > 0;
}

function oneClass(points) {
  if (!points.length) return { kind: "empty", sentence: "There are no points yet." };
  const missing = points[0].label > 0 ? "−" : "+";
  const sentence = `All points are of one class; add one of class ${missing}.`;
  return { kind: "one class", sentence };
}

function inseparable(points, { kind, obstruction: { rows, weights }, weak }, offset) {
  const line = offset ? "line" : "line through the origin";
  const side = (label) => rows.filter((row) => points[row].label === label);
  const point = offset ? common(points, rows, weights) : null;
  const sides = { positive: side(1), negative: side(-1) };
  const obstruction = { rows, weights: texts(weights), ...sides, point };
  const why = reason(obstruction);
  if (kind === "overlapping") {
    return { obstruction, sentence: `No ${line} separates the points: ${why}` };
  }
  const sentence =
    `No ${line} separates the points strictly, though one has no point on its wrong side ` +
    `(quasi-complete separation): ${why}`;
  return { obstruction, sentence, weak: { theta: weak.theta, offset: weak.offset } };
}

function reason({ point, rows }) {
  if (point) {
    return `(${point.map((x) => general(x, 4)).join(", ")}) lies in the hulls of both classes.`;
  }
  if (rows.length === 1) return "one point is the origin itself.";
  return `weighted and signed by their classes, ${rows.length} points add up to zero.`;
}

/** A point in the hulls of both classes: the mean of the positive rows by their weights. */
function common(points, rows, weights) {
  const chosen = rows.map((row, i) => ({ ...points[row], weight: weights[i] }));
  const plus = chosen.filter(({ label }) => label > 0);
  const sum = plus.reduce((total, { weight }) => total + weight, 0n);
  return ["x", "y"].map((name) => {
    const { whole, exponent } = integers(plus.map((one) => one[name]));
    const moment = whole.reduce((total, value, i) => total + value * plus[i].weight, 0n);
    return quotient(moment, sum, exponent);
  });
}

/** Weights as a person can read them; exact ones may have hundreds of digits. */
function texts(weights) {
  const exact = weights.map(String);
  if (exact.every((text) => text.length <= LONGEST_WEIGHT)) return exact;
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  return weights.map((weight) => general(quotient(weight, sum), 6));
}
