/**
 * Whether a line separates the classes, and by how much: exact.
 *
 * With an offset the question is one about the y·(x, 1) in space, without it about the y·x in the
 * plane: is there a θ with θ·p > 0 for all of them? There is, unless their hull has the origin.
 */

import { integers, lengthOf, quotient, rootDown } from "./doubles.js";
import { remembered } from "./memory.js";
import { Cloud, Difference, dot, isZero, nearest, reduced } from "./nearest.js";

/** The coordinates as big integers, in units of 2^exponent, and what 1 is there. */
function scaled(points) {
  const { whole, exponent } = integers([1, ...points.flatMap(({ x, y }) => [x, y])]);
  const places = points.map((_, i) => [whole[2 * i + 1], whole[2 * i + 2]]);
  return { places, one: whole[0], exponent };
}

/** One point of each kind is enough: [point, row]. */
function distinct(points) {
  const first = new Map();
  points.forEach((point, row) => {
    const key = `${point.x} ${point.y} ${point.label}`;
    if (!first.has(key)) first.set(key, [point, row]);
  });
  return [...first.values()];
}

/** What is left of a vector at right angles to `axes`, themselves at right angles; up to a factor. */
function flattened(vector, axes) {
  return axes.reduce((at, axis) => {
    const [square, along] = [dot(axis, axis), dot(axis, at)];
    return at.map((value, j) => square * value - along * axis[j]);
  }, vector);
}

/**
 * {kind, nearest, weak}: "separable", with the point of the hull nearest to the origin. Or that is
 * the origin, and either some θ has θ·p ≥ 0 everywhere and > 0 somewhere ("quasi-separable"; `weak`
 * is strict wherever any such θ is), or none has ("overlapping").
 *
 * Vectors that cancel lie in the boundary of every weak separator. So only what is at right angles
 * to them matters; there the same question is asked again, until it has an answer.
 */
function decide(vectors) {
  const ask = (left) => nearest(new Cloud(left.map(({ at }) => at), left.map(({ row }) => row)));
  const first = ask(vectors);
  const axes = [];
  let found = first;
  while (isZero(found.v)) {
    for (const { at } of found.corral) {
      const axis = flattened(at, axes);
      if (!isZero(axis)) axes.push(reduced(axis));
    }
    const full = axes.length === vectors[0].at.length;
    const left = full ? [] : vectors.map(({ at, row }) => ({ at: flattened(at, axes), row }));
    const beyond = left.filter(({ at }) => !isZero(at));
    if (!beyond.length) return { kind: "overlapping", nearest: first, weak: null };
    found = ask(beyond);
  }
  if (found === first) return { kind: "separable", nearest: first, weak: null };
  return { kind: "quasi-separable", nearest: first, weak: reduced(found.v) };
}

/** A vector of big integers as doubles, the largest of them near 1. */
function direction(v) {
  const scale = Math.max(...v.map(lengthOf));
  return { doubles: v.map((value) => quotient(value, 1n, -scale)), scale };
}

/** Rows and the weights of a corral's vertices that they are part of. */
function weighed({ corral, weights }) {
  const sums = new Map();
  corral.forEach(({ rows }, i) => {
    for (const row of rows) sums.set(row, (sums.get(row) ?? 0n) + weights[i]);
  });
  const rows = [...sums.keys()].sort((a, b) => a - b);
  return { rows, weights: rows.map((row) => sums.get(row)) };
}

/** Half the way between the hulls of the classes: the largest margin with an offset. */
function widest(entries, places, exponent) {
  const side = (label) => {
    const mine = entries.flatMap(([point], i) => (point.label === label ? [i] : []));
    return new Cloud(mine.map((i) => places[i]), mine.map((i) => entries[i][1]));
  };
  const between = new Difference(side(1), side(-1));
  const found = nearest(between);
  const { doubles, scale } = direction(found.v);
  const back = found.v.map((value) => -value);
  const [p, q] = [between.plus.lowest(found.v), between.minus.lowest(back)];
  const middle = dot(found.v, p.at) + dot(found.v, q.at); // twice
  return {
    theta: doubles,
    offset: quotient(-middle, 1n, exponent - 1 - scale),
    margin: rootDown(dot(found.v, found.v), found.total ** 2n, 2 * exponent - 2),
    ...weighed(found),
  };
}

/**
 * What is known of points of two classes: {kind, obstruction, weak, street, lifted}.
 *
 * obstruction : {rows, weights}, big integers with Σ weight·y·(x, 1) = 0; null if separable
 * weak : {theta, offset} of a quasi-separation, as big integers and their exponent
 * street : {theta, offset, margin, rows, weights}: the widest one
 * lifted : {theta, margin}, of the y·(x, 1) in the space that a run takes place in
 * Margins are rounded down; one that no double holds is 0.
 */
export const separation = remembered(8, (points, offset) => {
  const entries = distinct(points);
  const { places, one, exponent } = scaled(entries.map(([point]) => point));
  const vectors = entries.map(([{ label }, row], i) => {
    const at = offset ? [...places[i], one] : places[i];
    return { at: label > 0 ? at : at.map((value) => -value), row };
  });
  const found = decide(vectors);
  const { kind } = found;
  if (kind !== "separable") {
    const weak = found.weak && weakLine(found.weak, offset);
    return { kind, obstruction: obstructionOf(found.nearest), weak, street: null, lifted: null };
  }
  const { v, total } = found.nearest;
  const theta = direction(v).doubles;
  const lifted = { theta, margin: rootDown(dot(v, v), total ** 2n, 2 * exponent) };
  const own = { theta, offset: 0, margin: lifted.margin, ...weighed(found.nearest) };
  const street = offset ? widest(entries, places, exponent) : own;
  return { kind, obstruction: null, weak: null, street, lifted };
});

function obstructionOf(found) {
  const { rows, weights } = weighed(found);
  return { rows, weights: reduced(weights) };
}

/** A weak separator in doubles, and `exact`: the big integers, up to a common factor. */
function weakLine(v, offset) {
  const { doubles } = direction(v);
  return { theta: doubles.slice(0, 2), offset: offset ? doubles[2] : 0, exact: v };
}
