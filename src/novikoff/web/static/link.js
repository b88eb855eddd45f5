/**
 * The state in the fragment of the address: what is shown, in at most 2 000 characters.
 *
 * #v=1&p=…&… : `p` holds the points, `k` and the rest what differs from the defaults. Coordinates
 * are whole multiples of 10^-d with the smallest d that keeps every one of them exactly, packed as
 * bits: 300 points on a grid of 0.01 fit. What does not fit is for a state file.
 */

import { checkedDocument, DEFAULTS, makeDocument, MOST_POINTS } from "./document.js";

const VERSION = 1;
export const LONGEST = 2000;
const MOST_DECIMALS = 9;
const WIDEST = 52; // bits of a coordinate
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Whole numbers of given widths as text, six bits a character. */
class Bits {
  constructor(text = "") {
    this.text = text;
    this.held = 0;
    this.room = 6;
    this.next = 0;
  }

  write(value, width) {
    for (let i = width - 1; i >= 0; i--) {
      this.held = this.held * 2 + (Math.floor(value / 2 ** i) % 2);
      if (--this.room === 0) this.flush();
    }
  }

  flush() {
    if (this.room === 6) return;
    this.text += ALPHABET[this.held * 2 ** this.room];
    [this.held, this.room] = [0, 6];
  }

  read(width) {
    let value = 0;
    for (let i = 0; i < width; i++, this.next++) {
      const code = ALPHABET.indexOf(this.text[Math.floor(this.next / 6)] ?? "?");
      value = value * 2 + ((code >> (5 - (this.next % 6))) & 1);
    }
    return value;
  }
}

/** How many decimals write every number exactly; null if none do. */
function decimalsOf(values) {
  for (let d = 0; d <= MOST_DECIMALS; d++) {
    if (values.every((v) => Math.round(v * 10 ** d) / 10 ** d === v)) return d;
  }
  return null;
}

const widthOf = (most) => (most > 0 ? Math.floor(Math.log2(most)) + 1 : 0);

function packPoints(points) {
  const decimals = decimalsOf(points.flatMap(({ x, y }) => [x, y]));
  if (decimals === null) return null;
  const units = ["x", "y"].map((axis) => points.map((p) => Math.round(p[axis] * 10 ** decimals)));
  const least = units.map(
    (list) => list.reduce((low, v) => Math.min(low, v), list.length ? Infinity : 0),
  );
  const widths = units.map(
    (list, j) => widthOf(list.reduce((most, v) => Math.max(most, v - least[j]), 0)),
  );
  const exact = units.flat().every(Number.isSafeInteger);
  if (!exact || widths.some((width) => width > WIDEST)) return null;
  const bits = new Bits();
  points.forEach(({ label }, i) => {
    bits.write(label > 0 ? 1 : 0, 1);
    units.forEach((list, j) => bits.write(list[i] - least[j], widths[j]));
  });
  bits.flush();
  return [points.length, decimals, least[0], widths[0], least[1], widths[1], bits.text].join(".");
}

function unpackPoints(text) {
  const found = /^(\d{1,4})\.(\d)\.(-?\d{1,16})\.(\d{1,2})\.(-?\d{1,16})\.(\d{1,2})\.([\w-]*)$/.exec(text);
  if (!found) return null;
  const [n, decimals, lowX, wideX, lowY, wideY] = found.slice(1, 7).map(Number);
  const size = Math.ceil((n * (1 + wideX + wideY)) / 6);
  if (n > MOST_POINTS || wideX > WIDEST || wideY > WIDEST || found[7].length !== size) return null;
  const bits = new Bits(found[7]);
  return Array.from({ length: n }, () => {
    const label = bits.read(1) ? 1 : -1;
    const x = (lowX + bits.read(wideX)) / 10 ** decimals;
    const y = (lowY + bits.read(wideY)) / 10 ** decimals;
    return { label, x, y };
  });
}

// Settings by their names in the address; what is as by default is left out.
const SETTINGS = {
  algorithm: "a", offset: "o", ties: "ties", order: "order", eta: "eta", epochs: "T", start: "start",
  margin: "beta", C: "C", seed: "seed",
};
const KERNEL = { name: "kernel", degree: "degree", gamma: "gamma", coef0: "coef0" };

function writeSettings(fields, settings) {
  const put = (names, values, defaults) => {
    for (const [name, short] of Object.entries(names)) {
      const value = values[name];
      if (JSON.stringify(value) === JSON.stringify(defaults[name])) continue;
      fields.set(short, typeof value === "boolean" ? String(Number(value)) : String(value));
    }
  };
  put(SETTINGS, settings, DEFAULTS);
  put(KERNEL, settings.kernel, DEFAULTS.kernel);
}

function readSettings(fields) {
  const take = (names, defaults) => {
    const found = {};
    for (const [name, short] of Object.entries(names)) {
      const value = fields.get(short);
      if (value === null) continue;
      if (name === "start") found[name] = value.split(",").map(Number);
      else if (typeof defaults[name] === "boolean") found[name] = { 0: false, 1: true }[value];
      else found[name] = typeof defaults[name] === "number" ? Number(value || NaN) : value;
    }
    return found;
  };
  return { ...take(SETTINGS, DEFAULTS), kernel: take(KERNEL, DEFAULTS.kernel) };
}

/**
 * The fragment for a document and a view ({t, end, unit, notation, other}); null where the points
 * cannot be kept exactly in so few characters.
 */
export function toFragment(document_, view) {
  const packed = packPoints(document_.points);
  if (packed === null) return null;
  const fields = new URLSearchParams({ v: String(VERSION), p: packed });
  writeSettings(fields, document_.settings);
  if (document_.axes) document_.axes.forEach((name, j) => fields.set(`x${j + 1}`, name));
  if (document_.classes) {
    fields.set("neg", document_.classes.negative);
    fields.set("pos", document_.classes.positive);
  }
  if (view.other) fields.set("vs", view.other);
  if (view.notation !== "theta") fields.set("n", view.notation);
  if (view.unit !== "update") fields.set("by", view.unit);
  fields.set("t", view.end ? "end" : String(view.t));
  const fragment = `#${fields}`;
  return fragment.length <= LONGEST ? fragment : null;
}

/** {document, view} of a fragment; null if it is none of ours or damaged. */
export function fromFragment(fragment, { units, notations, algorithms }) {
  if (fragment.length > LONGEST) return null;
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  if (fields.get("v") !== String(VERSION)) return null;
  const points = unpackPoints(fields.get("p") ?? "");
  if (points === null) return null;
  const pair = (a, b) => (fields.has(a) && fields.has(b) ? [fields.get(a), fields.get(b)] : null);
  const sides = pair("neg", "pos");
  const found = checkedDocument({
    points, settings: readSettings(fields), axes: pair("x1", "x2"),
    classes: sides && { negative: sides[0], positive: sides[1] },
  });
  if (found === null) return null;
  const one = (name, choices, otherwise) => {
    const value = fields.get(name) ?? otherwise;
    return choices.includes(value) ? value : undefined;
  };
  const view = {
    other: one("vs", [null, ...algorithms], null),
    notation: one("n", notations, "theta"),
    unit: one("by", units, "update"),
    end: fields.get("t") === "end",
    t: /^\d{1,9}$/.test(fields.get("t") ?? "0") ? Number(fields.get("t") ?? 0) : 0,
  };
  return Object.values(view).includes(undefined) ? null : { document: makeDocument(found), view };
}
