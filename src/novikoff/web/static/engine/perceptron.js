/**
 * The perceptron (Rosenblatt 1958), with a margin (Krauth and Mézard 1987).
 *
 * A hypothesis is [θ₁, θ₂, θ₀]; without an offset θ₀ stays 0. Every decision is the exact sign of
 * y·s − β over the stored numbers; an update rounds each product and each sum, as in the library.
 */

import { score } from "./doubles.js";
import { visitingOrders } from "./random.js";
import { Refusal } from "./refusal.js";

export const FILTER = 4e-15; // more than rounding does to four terms, relative to their size
export const UNDERFLOW = 1e-300;

/** The sign of y·(θ·x + θ₀) − β. A sum of doubles decides, unless it might be off by as much. */
export function clearance(theta, point, beta = 0) {
  const first = theta[0] * point.x;
  const second = theta[1] * point.y;
  const rough = point.label * (first + second + theta[2]) - beta;
  const size = Math.abs(first) + Math.abs(second) + Math.abs(theta[2]) + beta;
  if (Math.abs(rough) > FILTER * size + UNDERFLOW) return Math.sign(rough);
  return Math.sign(point.label * score(theta, point, point.label * beta));
}

/** Whether an example of this clearance is a mistake: y·s ≤ β, h(x) ≠ y, or y·s < β. */
export function isMistake(ties, sign, label) {
  return sign < 0 || (sign === 0 && (ties === "mistake" || (ties === "sign" && label < 0)));
}

/** One hyperplane that learns; `hypotheses` are the start and what every update led to. */
export class Perceptron {
  constructor(points, { start, ties, beta, eta, offset }) {
    Object.assign(this, { points, ties, beta, eta, offset });
    this.theta = start;
    this.hypotheses = [start];
  }

  isMistake(row) {
    const point = this.points[row];
    return isMistake(this.ties, clearance(this.theta, point, this.beta), point.label);
  }

  /** η; of another rule what stands in its place. */
  size() {
    return this.eta;
  }

  /** θ ← θ + η·y·x, θ₀ ← θ₀ + η·y; returns the step η·y. */
  update(row) {
    const { x, y, label } = this.points[row];
    const step = this.size(row) * label;
    const [first, second, constant] = this.theta;
    this.theta = [first + step * x, second + step * y, this.offset ? constant + step : constant];
    this.hypotheses.push(this.theta);
    return step;
  }
}

/** ‖x‖² rounded once, the constant 1 of an offset included. */
export const squareOf = ({ x, y }, offset) => score([x, y, Number(offset)], { x, y });

/**
 * PA-I (Crammer et al. 2006): where m = y·s < 1, θ moves by τ = min(C, (1 − m)/‖x‖²) instead of η.
 * s and ‖x‖² are rounded once, then 1 − m and the quotient are; its margin is 1, its ties "correct".
 */
export class PassiveAggressive extends Perceptron {
  constructor(points, rule) {
    super(points, rule);
    this.C = rule.C;
  }

  loss(row) {
    return 1 - this.points[row].label * score(this.theta, this.points[row]);
  }

  isMistake(row) {
    const { x, y } = this.points[row];
    const moves = this.offset || x * x + y * y > 0; // a point of no length has nowhere to move to
    return moves && super.isMistake(row) && this.loss(row) > 0;
  }

  size(row) {
    const square = squareOf(this.points[row], this.offset);
    if (square >= 2 ** -1022) return Math.min(this.C, this.loss(row) / square);
    throw new Refusal(
      `The step at row ${row}, or the score or the squared length that it is computed from, is out ` +
        "of the range of float64. Scale the features (for instance with " +
        "sklearn.preprocessing.MaxAbsScaler).",
    );
  }
}

/**
 * Visit the points epoch by epoch until one makes no mistake.
 *
 * `learner` has isMistake(row) and update(row). The run ends after `epochs`, and before the epoch
 * in which there would be more updates than `most`; then `cut` is true.
 */
export function train(learner, points, { order, seed }, epochs, most) {
  const run = { status: "epoch_limit", nEpochs: 0, updates: [], orders: [], cut: false };
  let t = 0;
  for (const visit of visitingOrders(order, points.length, seed)) {
    const before = run.updates.length;
    for (const row of visit) {
      t += 1;
      if (!learner.isMistake(row)) continue;
      const step = learner.update(row);
      run.updates.push({ epoch: run.nEpochs + 1, t, row, y: points[row].label, step });
    }
    if (run.updates.length > most) {
      run.updates.length = before;
      return { ...run, cut: true };
    }
    run.nEpochs += 1;
    run.orders.push(visit);
    const quiet = run.updates.length === before;
    // Random draws need not contain every point, so all of them are looked at.
    if (quiet && !(order === "random" && points.some((_, row) => learner.isMistake(row)))) {
      return { ...run, status: "separated" };
    }
    if (run.nEpochs === epochs) return run;
  }
  return run;
}
