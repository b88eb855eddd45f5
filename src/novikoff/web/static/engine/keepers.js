/** Which hypothesis is the model: the last, their mean, their vote, or the one in the pocket. */

import { clearance, FILTER, UNDERFLOW } from "./perceptron.js";

/** The points, ready to be asked for the signs that many hypotheses give them. */
export class Judged {
  constructor(points) {
    this.points = points;
    this.xs = Float64Array.from(points, ({ x }) => x);
    this.ys = Float64Array.from(points, ({ y }) => y);
    this.labels = Float64Array.from(points, ({ label }) => label);
    this.found = new Int8Array(points.length);
    const farthest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    this.reach = [farthest(this.xs), farthest(this.ys), 1];
  }

  /** The sign of y·s at every point, exact; overwritten by the next. */
  signs(theta) {
    const { points, xs, ys, labels, found, reach } = this;
    const [a, b, c] = theta;
    const size = theta.reduce((sum, weight, j) => sum + Math.abs(weight) * reach[j], 0);
    const limit = FILTER * size + UNDERFLOW; // rounding errors are smaller, at whichever point
    let near = 0;
    for (let i = 0; i < found.length; i++) {
      const product = labels[i] * (a * xs[i] + b * ys[i] + c);
      found[i] = 2 * Number(product > 0) - 1; // without a branch, which would be guessed wrong
      near += Number(Math.abs(product) <= limit);
    }
    for (let i = 0; near > 0; i++) {
      if (Math.abs(a * xs[i] + b * ys[i] + c) > limit) continue;
      found[i] = clearance(theta, points[i]);
      near -= 1;
    }
    return found;
  }

  /** How many points a hypothesis has wrong, a point on the boundary included. */
  errors(theta) {
    const signs = this.signs(theta);
    let wrong = 0;
    for (let i = 0; i < signs.length; i++) wrong += Number(signs[i] <= 0);
    return wrong;
  }
}

/** How many examples each hypothesis lived for, from its own until that of the next update. */
export function survivalTimes(updates, total) {
  const times = [1, ...updates.map(({ t }) => t), total + 1];
  return times.slice(1).map((t, k) => t - times[k]);
}

// -------------------------------------------------------------------------------- mean

/** Per hypothesis what the mean lacks: the sum of t·(new − old) over the updates. */
export function meanSums(hypotheses, updates) {
  const sums = [[0, 0, 0]];
  updates.forEach(({ t }, e) => {
    const [old, next] = [hypotheses[e], hypotheses[e + 1]];
    sums.push(sums[e].map((sum, j) => sum + t * (next[j] - old[j])));
  });
  return sums;
}

/** The mean of the start and of the hypotheses after each of t examples, θ being the last. */
export function mean(theta, sums, t) {
  return theta.map((weight, j) => weight - sums[j] / (1 + t));
}

// -------------------------------------------------------------------------------- vote

/**
 * {each, voted, end}: how many points every hypothesis has wrong, how many the vote right after
 * its update (it has one vote then, for the example that made it), and how many at the end.
 */
export function voteErrors(hypotheses, lived, judged) {
  const { labels } = judged;
  const votes = new Float64Array(labels.length); // for y, less those against
  const each = [];
  const voted = [];
  hypotheses.forEach((theta, k) => {
    const signs = judged.signs(theta);
    let wrong = 0;
    let outvoted = 0;
    for (let i = 0; i < labels.length; i++) {
      const vote = signs[i] + labels[i] * Number(signs[i] === 0); // h(0) = +1
      wrong += Number(signs[i] <= 0);
      outvoted += Number(votes[i] + vote <= 0);
      votes[i] += lived[k] * vote;
    }
    each.push(wrong);
    voted.push(k ? outvoted : labels.length); // before the first update nobody votes
  });
  return { each, voted, end: votes.filter((vote) => vote <= 0).length };
}

// ------------------------------------------------------------------------------ pocket

/**
 * {k, error}: the hypotheses that went into the pocket (Gallant 1990, with ratchet).
 *
 * One is measured when it has been right on more examples in a row than the one in the pocket was,
 * and goes in if it has fewer errors. The last hypothesis is measured whatever its streak.
 */
export function pocket(updates, errors, nEpochs, n) {
  const entered = { k: [0], error: [errors[0]] };
  let best = errors[0];
  let streak = 0; // of the one in the pocket
  let k = 0;
  let since = 0; // when hypothesis k was made
  let measured = true;
  let holds = true; // whether it is in the pocket

  const measure = () => {
    measured = true;
    if (errors[k] >= best) return;
    best = errors[k];
    holds = true;
    entered.k.push(k);
    entered.error.push(best);
  };
  const rightUntil = (t) => {
    if (t - since <= streak) return;
    if (!measured) measure();
    if (holds) streak = t - since;
  };
  let e = 0;
  for (let epoch = 1; epoch <= nEpochs; epoch++) {
    for (; e < updates.length && updates[e].epoch === epoch; e++) {
      rightUntil(updates[e].t - 1);
      [k, since, measured, holds] = [e + 1, updates[e].t, false, false];
    }
    rightUntil(epoch * n);
  }
  if (!measured) measure();
  return entered;
}
