/**
 * The plane as SVG: points, half-spaces, the boundary before and after, θ, the ring, the band.
 *
 * What is drawn is a function of the run, the step and the size alone. Lengths are pixels, so text
 * and lines keep their weight at every width. Whatever has a colour has a class; see replay.css.
 */

import { svg, set } from "./dom.js";
import { number } from "./format.js";
import { figure } from "./strings.js";
import { predicted } from "./trace.js";
import { halves, lengthsOf, lineOf, segment, strip, ticks, toUnit, viewOf } from "./view.js";

const LONGEST = 0.35; // of the plane's width: the arrow of the run's longest θ
const SHORTEST = 16; // pixels, so that every θ ≠ 0 can be seen
const HEAD = 11; // pixels: the arrow's head
const INSET = 14; // pixels: how close to the edge its tip may come
const CLEAR = 15; // pixels from the label of θ to a point
const CROWD = 300; // points, among which no label is free
const TOP = 8;
const RIGHT = 12;
const BOTTOM = 26;
const LETTER = 7; // pixels: a digit of the numbers along the axes

/** How large a mark is among n of them. */
export function markRadius(n) {
  if (n <= 60) return 6;
  if (n <= 300) return 4.5;
  return n <= 1000 ? 3.5 : 2.8;
}

/** A point's mark: its shape tells its class as well as its colour does. */
export function mark(side, x, y, radius) {
  if (side > 0) return svg("circle", { class: "nr-plus", cx: x, cy: y, r: radius });
  if (side < 0) {
    const r = radius * 0.9; // a square of about the circle's area
    return svg("rect", { class: "nr-minus", x: x - r, y: y - r, width: 2 * r, height: 2 * r });
  }
  const r = radius * 0.6;
  const d = `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
  return svg("path", { class: "nr-idle", d });
}

/** The outline of a polygon, given in pixels. */
export const path = (polygon) =>
  polygon.length ? `M${polygon.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}Z` : "";

/** Show a node, or hide it. */
export function show(node, visible) {
  set(node, { visibility: visible ? null : "hidden" });
}

export class Plane {
  /** `view` is the part of the plane to show, for a page that wants it to stay; see view.js. */
  constructor(run, view = viewOf(run)) {
    this.run = run;
    this.view = view;
    this.lengthOf = lengthsOf(this.view, run);
    this.element = svg("svg", { class: "nr-plane", role: "img" });
    this.parts = {};
    this.size = 0;
    this.large = 1; // how much larger than usual the numbers along the axes are
  }

  /** Lay out for `size` pixels of width; draw afterwards. */
  resize(size) {
    const wanted = size < 420 ? 5 : 7;
    const marks = [0, 1].map((j) => ticks(this.view, j, wanted));
    const longest = Math.max(1, ...marks[1].map((value) => number(value).length));
    const left = 12 + LETTER * this.large * longest;
    const bottom = BOTTOM * this.large;
    const side = Math.max(120, size - left - RIGHT);
    this.size = size;
    this.side = side;
    this.left = left;
    this.top = TOP;
    set(this.element, {
      viewBox: `0 0 ${size} ${side + TOP + bottom}`,
      width: size,
      height: side + TOP + bottom,
    });
    // An inner <svg> clips to the square without needing an id for a clip path.
    const inner = svg("svg", { x: left, y: TOP, width: side, height: side, overflow: "hidden" });
    const frame = svg("rect", { class: "nr-frame", x: left, y: TOP, width: side, height: side });
    inner.append(...this.layers(marks));
    this.element.replaceChildren(inner, frame, ...this.axes(marks, left));
  }

  pixel(u) {
    return [((u[0] + 1) / 2) * this.side, ((1 - u[1]) / 2) * this.side];
  }

  layers(marks) {
    const part = (name, tag, attributes = {}) =>
      (this.parts[name] = svg(tag, { class: `nr-${name}`, ...attributes }));
    const grid = svg("g", { class: "nr-grid" });
    marks.forEach((values, j) =>
      values.forEach((value) => {
        const u = (value - this.view.centre[j]) / this.view.half[j];
        const [x, y] = this.pixel([u, u]);
        const zero = value === 0 ? "nr-zero" : "nr-line";
        const ends = j ? { x1: 0, x2: this.side, y1: y, y2: y } : { x1: x, x2: x, y1: 0, y2: this.side };
        grid.append(svg("line", { class: zero, ...ends }));
      }),
    );
    const radius = markRadius(this.run.points.length);
    const points = svg("g", { class: radius < 4 ? "nr-points nr-many" : "nr-points" });
    this.marks = points;
    for (const point of this.run.points) {
      points.append(mark(point.side, ...this.pixel(toUnit(this.view, point.x)), radius));
    }
    const label = part("label", "text", { "text-anchor": "middle" });
    label.append(figure.theta);
    const ring = { r: radius + 6 };
    return [
      part("positive", "path"), part("negative", "path"), part("band", "path"), grid, points,
      part("low", "line"), part("high", "line"), part("before", "line"), part("casing", "line"),
      part("boundary", "line"), part("square", "path"), part("halo", "circle", ring),
      part("ring", "circle", ring), part("shaft", "line"), part("head", "path"), label,
    ];
  }

  axes(marks, left) {
    const labels = svg("g", { class: "nr-ticks", "aria-hidden": "true" });
    const room = Math.max(...marks[0].map((value) => number(value).length)) * LETTER * this.large + 10;
    const apart = (this.side / 2 / this.view.half[0]) * Math.abs(marks[0][1] - marks[0][0] || 1);
    const every = Math.max(1, Math.ceil(room / apart)); // long numbers: fewer of them
    marks[0].forEach((value, i) => {
      if (i % every) return;
      const [x] = this.pixel([(value - this.view.centre[0]) / this.view.half[0], 0]);
      const at = { x: left + x, y: TOP + this.side + 17 * this.large, "text-anchor": "middle" };
      labels.append(svg("text", at, number(value)));
    });
    for (const value of marks[1]) {
      const [, y] = this.pixel([0, (value - this.view.centre[1]) / this.view.half[1]]);
      const at = { x: left - 6, y: TOP + y + 4 * this.large, "text-anchor": "end" };
      labels.append(svg("text", at, number(value)));
    }
    return [labels];
  }

  /**
   * Draw a step; `moving` is a hypothesis on the way to the step's own, shown in its place.
   * Returns the caption, "" if there is nothing to add to the picture.
   */
  draw(step, moving = step) {
    const line = lineOf(this.view, moving);
    this.areas(line, moving);
    this.lines(line, step);
    this.arrow(line, moving);
    this.ring(step);
    set(this.element, { "aria-label": figure.label(this.run, step) });
    return this.caption(line, moving);
  }

  /** The half-spaces; without a boundary, the whole square in its predicted class. */
  areas(line, moving) {
    const whole = { normal: [1, 0], distance: predicted(moving.offset) > 0 ? -2 : 2 };
    const { positive, negative } = halves(line ?? whole);
    const outline = (polygon) => path(polygon.map((u) => this.pixel(u)));
    set(this.parts.positive, { d: outline(positive) });
    set(this.parts.negative, { d: outline(negative) });
    const { margin } = this.run;
    const [low, high] = [-margin, margin].map((level) =>
      margin > 0 ? lineOf(this.view, moving, level) : null,
    );
    set(this.parts.band, { d: low && high ? outline(strip(low, high)) : "" });
    this.place(this.parts.low, low);
    this.place(this.parts.high, high);
  }

  lines(line, step) {
    this.place(this.parts.before, step.before && lineOf(this.view, step.before));
    this.place(this.parts.casing, line); // sets the boundary off from the points it crosses
    this.place(this.parts.boundary, line);
  }

  /** Put a line where it belongs; out of sight if there is none. */
  place(node, line) {
    const ends = line && segment(line);
    show(node, ends);
    if (!ends) return;
    const [[x1, y1], [x2, y2]] = ends.map((u) => this.pixel(u));
    set(node, { x1, y1, x2, y2 });
  }

  /** θ, from the middle of the boundary; where that would leave the square, moved into it. */
  arrow(line, { theta }) {
    const { shaft, head, square, label } = this.parts;
    for (const node of [shaft, head, square, label]) show(node, line);
    if (!line) return;
    const ends = segment(line);
    const foot = ends ? [0, 1].map((j) => (ends[0][j] + ends[1][j]) / 2) : [0, 0];
    const along = [line.normal[0], -line.normal[1]]; // in pixels y points down
    const across = [-along[1], along[0]];
    const length = Math.max(SHORTEST, LONGEST * this.side * this.lengthOf(theta));
    const inside = (value) => Math.min(this.side - INSET, Math.max(INSET, value));
    const base = this.pixel(foot);
    const tip = base.map((value, j) => inside(value + length * along[j]));
    const tail = tip.map((value, j) => value - length * along[j]);
    const at = (from, a, b) => from.map((value, j) => value + a * along[j] + b * across[j]);
    const neck = at(tip, -HEAD, 0);
    set(shaft, { x1: tail[0], y1: tail[1], x2: neck[0], y2: neck[1] });
    set(head, { d: path([tip, at(tip, -HEAD, HEAD / 2), at(tip, -HEAD, -HEAD / 2)]) });
    const [x, y] = this.labelAt([at(tip, -2, -16), at(tip, -2, 16), at(tip, 14, 0)]);
    set(label, { x, y: y + 5 });
    const moved = Math.hypot(tail[0] - base[0], tail[1] - base[1]) > 0.5;
    const stands = ends && !moved && length > 2 * SHORTEST;
    show(square, stands);
    if (stands) {
      const [a, b, c] = [at(base, 8, 0), at(base, 8, 8), at(base, 0, 8)];
      set(square, { d: `M${a.join(" ")}L${b.join(" ")}L${c.join(" ")}` });
    }
  }

  /** Of places for the label of θ the one with more room; if it can be, not on a point. */
  labelAt(places) {
    const room = ([x, y]) => Math.min(x, y, this.side - x, this.side - y);
    const [first, other, beyond] = places;
    const wanted = room(other) > room(first) + 1 ? [other, first, beyond] : [first, other, beyond];
    if (this.run.points.length > CROWD) return wanted[0];
    const marks = this.run.points.map((point) => this.pixel(toUnit(this.view, point.x)));
    const free = ([x, y]) => marks.every(([a, b]) => Math.hypot(a - x, b - y) >= CLEAR);
    return wanted.find((place) => room(place) >= CLEAR && free(place)) ?? wanted[0];
  }

  ring(step) {
    const { ring, halo } = this.parts;
    for (const node of [ring, halo]) show(node, step.update);
    if (!step.update) return;
    const [cx, cy] = this.pixel(toUnit(this.view, step.update.x));
    for (const node of [ring, halo]) set(node, { cx, cy });
  }

  caption(line, { theta, offset }) {
    if (theta[0] === 0 && theta[1] === 0) return figure.undivided(predicted(offset));
    if (!line) return figure.undrawable;
    if (!segment(line)) return figure.outside(line.distance < 0 ? 1 : -1);
    return this.view.equal ? "" : figure.units;
  }
}
