/**
 * The theorem of Block and Novikoff (1962) beside a run. With γ the margin of the examples where
 * the run takes place, R the longest of them, η the step and β the margin rule's threshold, after
 * k updates from zero:
 *
 *     θ·θ*  ≥  k η γ            an update adds at least its share
 *     ‖θ‖²  ≤  k η (η R² + 2β)  an update adds at most its share
 *     k     ≤  (R² + 2β/η) / γ²
 */

import { integers, quotient } from "./doubles.js";
import { isMeasured } from "./verdict.js";

const [SMALLEST, LARGEST] = [1e-250, 1e250]; // squares within these neither vanish nor overflow
const UNIT = 2 ** -53;
const TERMS = 4; // of a squared length: two squares, the constant, and one to be safe

const OUT_OF_RANGE =
  "The margin of this data is not within the range of doubles. Multiply X by a power of two that " +
  "brings its values near 1.";

/** An upper bound on the largest ‖(x, constant)‖²; exact for small integers. */
function largestSquare(points, constant) {
  let largest = 0;
  for (const { x, y } of points) {
    let square = constant + x * x + y * y;
    const whole = Number.isInteger(x) && Number.isInteger(y) && square < 2 ** 53;
    if (!whole) square = square * (1 + 1.01 * TERMS * UNIT) + TERMS * Number.MIN_VALUE;
    largest = Math.max(largest, square);
  }
  return largest;
}

/** (R² + 2β/η) / γ², rounded up. */
function mostUpdates(square, beta, eta, gamma) {
  // All in the same units, of which 1 is `one`.
  const [r, b, e, g, one] = integers([square, beta, eta, gamma, 1]).whole;
  return quotient((r * e + 2n * b * one) * one, e * g * g, 0, 1);
}

/** {bound, proof}: the bound beside what happened, and the inequalities at every update. */
export function boundOf(run, known) {
  const bound = {
    radius: null, margin: null, value: null, most: null, used: run.updates.length, covered: false,
    reason: null,
  };
  const none = (reason, more = {}) => ({ bound: { ...bound, ...more, reason }, proof: null });
  if (!known) return none("It takes points of both classes.");
  if (known.kind !== "separable") {
    return none("No line separates the points, so mistakes have no bound.");
  }
  if (!isMeasured(known)) return none(OUT_OF_RANGE);
  if (!run.hypotheses) {
    return none("The kernel perceptron runs in the space of its kernel, not in this plane.");
  }
  const { beta, eta, start, C } = run.rule;
  const square = largestSquare(run.points, run.settings.offset ? 1 : 0);
  if (C) return none("The theorem counts the perceptron's updates; PA's own is about its losses.");
  const growth = eta * (eta * square + 2 * beta);
  const radius = Math.sqrt(square);
  if (start.some((weight) => weight !== 0)) return none("The run did not start at zero.", { radius });
  const inRange = SMALLEST < square && square < LARGEST && eta * eta * square > SMALLEST;
  if (!inRange || Math.max(run.updates.length, 1) * growth >= LARGEST) {
    return none("The squared norms leave the range of doubles. Scale the features.", { radius });
  }
  const gamma = known.lifted.margin;
  const value = mostUpdates(square, beta, eta, gamma);
  if (value === Infinity) return none("The bound (R/γ)² is too large for a double.");
  const made = { radius, margin: gamma, value, most: Math.floor(value), covered: true };
  return { bound: { ...bound, ...made }, proof: proofOf(run, known.lifted, square, growth) };
}

/** The chain of inequalities at every update, θ in units of the step. */
function proofOf({ hypotheses, rule: { beta, eta } }, { theta, margin }, square, growth) {
  if (hypotheses.length === 1) return null;
  const length = Math.sqrt(theta.reduce((sum, weight) => sum + weight * weight, 0));
  const unit = eta * eta;
  const sharpest = margin / Math.sqrt(square + 2 * beta / eta);
  const proof = { k: [], least: [], progress: [], norm: [], most: [], cosine: [], floor: [] };
  hypotheses.slice(1).forEach((hypothesis, e) => {
    const k = e + 1;
    const progress = theta.reduce((sum, weight, j) => sum + hypothesis[j] * (weight / length), 0);
    const norm = hypothesis.reduce((sum, weight) => sum + weight * weight, 0);
    proof.k.push(k);
    proof.least.push((k * (eta * margin)) ** 2 / unit);
    proof.progress.push(progress ** 2 / unit);
    proof.norm.push(norm / unit);
    proof.most.push((k * growth) / unit);
    proof.cosine.push(progress / Math.sqrt(Math.max(norm, SMALLEST)));
    proof.floor.push(Math.sqrt(k) * sharpest);
  });
  return proof;
}
