/**
 * The kernel perceptron (Aizerman, Braverman and Rozonoer 1964): s(x) = Σ α_j K(x, x_j).
 *
 * An update at row i adds y·K(x, x_i) to the score of every x. Scores are doubles and compared as
 * they are; where all sums are whole numbers below 2^53, so in a polynomial of whole numbers, every
 * decision is exact.
 */

import { isMistake } from "./perceptron.js";

const dot = (a, b) => a.x * b.x + a.y * b.y;

/** K(a, b) as a function, of a kernel as scikit-learn's SVC spells it. */
export function kernelOf({ name, degree, gamma, coef0 }) {
  if (name === "linear") return dot;
  if (name === "rbf") {
    return (a, b) => Math.exp(gamma * Math.min(0, 2 * dot(a, b) - dot(a, a) - dot(b, b)));
  }
  return (a, b) => {
    const base = gamma * dot(a, b) + coef0;
    let value = base;
    for (let k = 1; k < degree; k++) value *= base;
    return value;
  };
}

/** One hypothesis in dual form; `errors` has the training errors of the start and after updates. */
export class KernelPerceptron {
  constructor(points, { ties, kernel }) {
    Object.assign(this, { points, ties });
    this.kernel = kernelOf(kernel);
    this.labels = Float64Array.from(points, ({ label }) => label);
    this.scores = new Float64Array(points.length);
    this.values = new Map(); // by row, of all points
    this.before = [];
    this.after = [];
    this.errors = [points.length];
  }

  isMistake(row) {
    const label = this.labels[row];
    return isMistake(this.ties, Math.sign(label * this.scores[row]), label);
  }

  update(row) {
    const { labels, scores } = this;
    const label = labels[row];
    const values = this.valuesOf(row);
    this.before.push(scores[row]);
    let wrong = 0;
    for (let i = 0; i < scores.length; i++) {
      scores[i] += label * values[i];
      wrong += Number(labels[i] * scores[i] <= 0);
    }
    this.after.push(scores[row]);
    this.errors.push(wrong);
    return label;
  }

  valuesOf(row) {
    if (!this.values.has(row)) {
      const { points, kernel } = this;
      const values = new Float64Array(points.length);
      for (let i = 0; i < values.length; i++) values[i] = kernel(points[i], points[row]);
      this.values.set(row, values);
    }
    return this.values.get(row);
  }
}
