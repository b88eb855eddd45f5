/**
 * The point of a convex hull nearest to the origin, in exact arithmetic (Wolfe 1976).
 *
 * It decides everything that is asked about separation: a line separates two classes exactly if the
 * hull of the y·(x, 1) does not contain the origin, and half the distance between their hulls is
 * the margin. Points are lists of two or three big integers.
 */

import { lengthOf } from "./doubles.js";

const SAFE = 500; // binary digits: products of such numbers do not overflow a double
const ERROR = 1e-15; // of a product of two rounded numbers, and of a sum of three; generous

export function dot(a, b) {
  let sum = 0n;
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j];
  return sum;
}

const minus = (a, b) => a.map((value, j) => value - b[j]);
export const isZero = (v) => v.every((value) => value === 0n);

/** Big integers as doubles, all divided by the same power of two where some are too large. */
function asDoubles(vectors) {
  const longest = Math.max(...vectors.map((v) => Math.max(...v.map(lengthOf))));
  const shift = Math.max(0, longest - SAFE);
  const numbers = vectors.map((v) => v.map((value) => Number(value >> BigInt(shift))));
  return { numbers, lost: shift ? 1 : 0 };
}

/** A set of points that can be asked for the one lowest in a direction. */
export class Cloud {
  /** `rows[i]` is what point i is called. */
  constructor(points, rows) {
    Object.assign(this, { points, rows });
    this.rough = asDoubles(points);
  }

  vertex(i) {
    return { at: this.points[i], rows: [this.rows[i]] };
  }

  /** A point to begin with: the shortest, more or less; the origin if it is one of them. */
  first() {
    const lengths = this.rough.numbers.map((p) => Math.hypot(...p));
    return this.vertex(lengths.indexOf(Math.min(...lengths)));
  }

  /** The point with the smallest p·v: doubles leave few candidates, big integers decide. */
  lowest(v) {
    const { numbers, lost } = this.rough;
    const { numbers: [w], lost: lostOfV } = asDoubles([v]);
    const lows = new Float64Array(numbers.length);
    let bar = Infinity; // no more than this is the lowest
    for (let i = 0; i < numbers.length; i++) {
      const p = numbers[i];
      let sum = 0;
      let error = 0;
      for (let j = 0; j < w.length; j++) {
        sum += p[j] * w[j];
        error += ERROR * Math.abs(p[j] * w[j]) + lost * Math.abs(w[j]) + lostOfV * Math.abs(p[j]);
      }
      lows[i] = sum - error;
      bar = Math.min(bar, sum + error);
    }
    let best = -1;
    let least = null;
    for (let i = 0; i < lows.length; i++) {
      if (lows[i] > bar) continue;
      const price = dot(this.points[i], v);
      if (best < 0 || price < least) [best, least] = [i, price];
    }
    return this.vertex(best);
  }
}

/** All differences of a point of one cloud and a point of another. */
export class Difference {
  constructor(plus, minus_) {
    Object.assign(this, { plus, minus: minus_ });
  }

  first() {
    return this.between(this.plus.first(), this.minus.first());
  }

  lowest(v) {
    return this.between(this.plus.lowest(v), this.minus.lowest(v.map((value) => -value)));
  }

  between(p, q) {
    return { at: minus(p.at, q.at), rows: [...p.rows, ...q.rows] };
  }
}

/** The determinant of a matrix of up to three rows. */
function determinant(m) {
  if (m.length === 0) return 1n;
  if (m.length === 1) return m[0][0];
  if (m.length === 2) return m[0][0] * m[1][1] - m[0][1] * m[1][0];
  const minor = (j) => determinant(m.slice(1).map((row) => row.filter((_, k) => k !== j)));
  return m[0].reduce((sum, value, j) => sum + (j % 2 ? -value : value) * minor(j), 0n);
}

/** Weights, up to a positive factor, of the point nearest to 0 on the flat through the points. */
function flatWeights(corral) {
  const [origin, ...others] = corral.map(({ at }) => at);
  const sides = others.map((point) => minus(point, origin));
  const gram = sides.map((a) => sides.map((b) => dot(a, b)));
  const right = sides.map((a) => -dot(a, origin));
  // Cramer's rule: at most three equations.
  const weights = sides.map(
    (_, j) => determinant(gram.map((row, i) => row.map((value, k) => (k === j ? right[i] : value)))),
  );
  return [determinant(gram) - weights.reduce((sum, w) => sum + w, 0n), ...weights];
}

export const total = (weights) => weights.reduce((sum, w) => sum + w, 0n);

function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

/** Integers divided by what they have in common. */
export function reduced(numbers) {
  const common = numbers.reduce(gcd, 0n) || 1n;
  return numbers.map((value) => value / common);
}

/**
 * From `weights` towards `target` as far as none becomes negative; at least one becomes zero.
 * Both are positive multiples of weights that sum to 1.
 */
function towards(weights, target) {
  const [have, want] = [total(weights), total(target)];
  // The share s of the way at which w + s (t − w) = 0 is w / (w − t), with both in the same units.
  let [step, most] = [1n, 1n];
  weights.forEach((w, i) => {
    if (target[i] > 0n) return;
    const [share, whole] = [w * want, w * want - target[i] * have];
    if (share * most < step * whole) [step, most] = [share, whole];
  });
  return reduced(weights.map((w, i) => (most - step) * w * want + step * target[i] * have));
}

function combination(corral, weights) {
  const sums = corral[0].at.map(() => 0n);
  corral.forEach(({ at }, i) => at.forEach((value, j) => { sums[j] += weights[i] * value; }));
  return sums;
}

/**
 * {v, total, corral, weights}: the nearest point is v / total, the sum of the corral's vertices by
 * their positive weights, which add up to `total`. v is zero if the hull contains the origin.
 */
export function nearest(hull) {
  let corral = [hull.first()];
  let weights = [1n];
  for (;;) {
    const v = combination(corral, weights);
    const sum = total(weights);
    if (isZero(v)) return { v, total: sum, corral, weights };
    const found = hull.lowest(v);
    if (dot(found.at, v) * sum >= dot(v, v)) return { v, total: sum, corral, weights };
    corral = [...corral, found];
    weights = [...weights, 0n];
    for (;;) {
      const target = flatWeights(corral);
      if (target.every((w) => w > 0n)) {
        weights = reduced(target);
        break;
      }
      const moved = towards(weights, target);
      corral = corral.filter((_, i) => moved[i] > 0n);
      weights = moved.filter((w) => w > 0n);
    }
  }
}
