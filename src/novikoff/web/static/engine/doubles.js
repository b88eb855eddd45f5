/**
 * Doubles without their rounding. A double is an integer times a power of two, so sums of products
 * are big integers; what is returned as a double is rounded once, at the end.
 */

const view = new DataView(new ArrayBuffer(8));
const FRACTION = (1n << 52n) - 1n;
const LOWEST = -1074; // the exponent of the smallest double
const SPLITTER = 2 ** 27 + 1;
const TINY = 1e-250; // products above this lose nothing that a double could not hold

/** [m, e] with x = m · 2^e, m a big integer. */
function split(x) {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & FRACTION) | (exponent ? 1n << 52n : 0n);
  return [bits >> 63n ? -mantissa : mantissa, (exponent || 1) - 1075];
}

/** m · 2^e for e of either sign, or its floor. */
export function shifted(m, e) {
  return e < 0 ? m >> BigInt(-e) : m << BigInt(e);
}

/** How many binary digits a big integer has. */
export function lengthOf(m) {
  const digits = (m < 0n ? -m : m).toString(16);
  return 4 * digits.length + 28 - Math.clz32(parseInt(digits[0], 16));
}

/** {whole, exponent}: big integers with doubles[i] = whole[i] · 2^exponent. */
export function integers(doubles) {
  let exponent = 0;
  const parts = doubles.map((x) => {
    if (x === 0) return [0n, 0];
    let [m, e] = split(x);
    for (; e < 0 && !(m & 0xffn); e += 8) m >>= 8n; // short numbers stay short
    exponent = Math.min(exponent, e);
    return [m, e];
  });
  return { whole: parts.map(([m, e]) => (m ? m << BigInt(e - exponent) : m)), exponent };
}

/** 2^e, exactly, for every e that a double can have. */
function power(e) {
  view.setBigUint64(0, e >= -1022 ? BigInt(e + 1023) << 52n : 1n << BigInt(e - LOWEST));
  return view.getFloat64(0);
}

/**
 * (m / n) · 2^e with n > 0 as a double: the nearest, ties to even, or the next one `towards` -1
 * (down) or 1 (up).
 */
export function quotient(m, n, e = 0, towards = 0) {
  if (m === 0n) return 0;
  if (m < 0n) return -quotient(-m, n, e, -towards);
  // 55 digits or more, of which the last says whether anything was left over.
  const more = Math.max(0, lengthOf(n) - lengthOf(m) + 60);
  const wide = m << BigInt(more);
  const whole = wide / n;
  const q = (whole << 1n) | (whole * n === wide ? 0n : 1n);
  const low = e - more - 1;
  const length = lengthOf(q);
  if (length + low > 1024) return towards < 0 ? Number.MAX_VALUE : Infinity;
  const drop = Math.max(length - 53, LOWEST - low, 0);
  let kept = q >> BigInt(drop);
  const rest = q - (kept << BigInt(drop));
  const half = drop ? 1n << BigInt(drop - 1) : 0n;
  const nearer = rest > half || (rest === half && rest > 0n && kept & 1n);
  if (towards ? towards > 0 && rest > 0n : nearer) kept += 1n;
  return Number(kept) * power(low + drop);
}

/** The largest double that is not above the root of (m / n) · 2^e, m and n positive. */
export function rootDown(m, n, e = 0) {
  let more = Math.max(0, 2 * 60 + lengthOf(n) - lengthOf(m));
  if ((more + e) % 2) more += 1;
  const root = integerRoot((m << BigInt(more)) / n);
  return quotient(root, 1n, (e - more) / 2, -1);
}

/** The largest integer whose square is not above m. */
function integerRoot(m) {
  let root = 1n << BigInt((lengthOf(m) >> 1) + 1);
  for (;;) {
    const next = (root + m / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const parts = new Float64Array(8); // of the sum that is being made, without overlap, smallest first
let size = 0;

/** Adds x to the sum (Shewchuk 1997). */
function grow(x) {
  let kept = 0;
  for (let i = 0; i < size; i++) {
    const part = parts[i];
    const sum = x + part;
    const rest = Math.abs(x) < Math.abs(part) ? x - (sum - part) : part - (sum - x);
    if (rest) parts[kept++] = rest;
    x = sum;
  }
  parts[kept] = x;
  size = kept + 1;
}

/** What the product of a and b lost (Dekel 1971). */
function lost(a, b, product) {
  const wideA = SPLITTER * a;
  const wideB = SPLITTER * b;
  const a1 = wideA - (wideA - a);
  const b1 = wideB - (wideB - b);
  const a2 = a - a1;
  const b2 = b - b1;
  return a2 * b2 - (product - a1 * b1 - a2 * b1 - a1 * b2);
}

/** The sum as one double, ties to even. */
function rounded() {
  let at = size - 1;
  let sum = parts[at];
  while (at > 0) {
    const before = sum;
    const part = parts[--at];
    sum = before + part;
    const rest = part - (sum - before);
    if (!rest) continue;
    // Half way between two doubles, but for what follows: if that points away, so does the sum.
    const next = at > 0 ? parts[at - 1] : 0;
    const away = Math.sign(rest) === Math.sign(next);
    if (away && sum + 2 * rest - sum === 2 * rest) sum += 2 * rest;
    break;
  }
  return sum + 0;
}

const isWhole = (product, a, b) => Math.abs(product) > TINY || a === 0 || b === 0;

/** θ·x + θ₀ − level, exact and rounded once: 0 only if it is exactly 0. */
export function score(theta, { x, y }, level = 0) {
  const [a, b, c] = theta;
  const first = a * x;
  const second = b * y;
  if (!isWhole(first, a, x) || !isWhole(second, b, y)) return bigScore(theta, { x, y }, level);
  size = 0;
  grow(lost(a, x, first));
  grow(lost(b, y, second));
  grow(first);
  grow(second);
  grow(c);
  grow(-level);
  return rounded();
}

/** The same for numbers so small that products of doubles lose digits. */
function bigScore([a, b, c], { x, y }, level) {
  const { whole, exponent } = integers([a, b, c, level, x, y, 1]);
  const [p, q, r, l, u, v, one] = whole;
  const sum = p * u + q * v + (r - l) * one;
  const nearest = quotient(sum, 1n, 2 * exponent);
  if (nearest !== 0 || sum === 0n) return nearest;
  return sum > 0n ? Number.MIN_VALUE : -Number.MIN_VALUE; // a sign is never rounded away
}
