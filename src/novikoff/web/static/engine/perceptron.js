/**
 * The perceptron (Rosenblatt 1958), with a margin (Krauth and Mézard 1987).
 *
 * A hypothesis is [θ₁, θ₂, θ₀]; without an offset θ₀ stays 0. Every decision is the exact sign of
 * y·s − β over the stored numbers; an update rounds each product and each sum, as in the library.
 */

import { score } from "./doubles.js";
import { visitingOrders } from "./random.js";

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

  /** θ ← θ + η·y·x, θ₀ ← θ₀ + η·y; returns the step η·y. */
  update(row) {
    const { x, y, label } = this.points[row];
    const step = this.eta * label;
    const [first, second, constant] = this.theta;
    this.theta = [first + step * x, second + step * y, this.offset ? constant + step : constant];
    this.hypotheses.push(this.theta);
    return step;
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
