/**
 * Sums of products of doubles, exact and rounded once at the end: what the trace format calls a
 * score. A double is an integer times a power of two, so the sum is one of big integers. As in the
 * library a score is finite, and 0 only if it is exactly 0.
 */

const view = new DataView(new ArrayBuffer(8));
const MANTISSA = (1n << 52n) - 1n;
const LOWEST = -1074; // the exponent of the smallest double

/** [m, e] with x = m · 2^e, m a big integer. */
function split(x) {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & MANTISSA) | (exponent ? 1n << 52n : 0n);
  return [bits >> 63n ? -mantissa : mantissa, (exponent || 1) - 1075];
}

/** 2^e, exactly, for every e that a double can have. */
function power(e) {
  view.setBigUint64(0, e >= -1022 ? BigInt(e + 1023) << 52n : 1n << BigInt(e - LOWEST));
  return view.getFloat64(0);
}

/** m · 2^e, m > 0, as the nearest finite double but 0, ties to even: a sign is never rounded away. */
function rounded(m, e) {
  const length = m.toString(2).length;
  if (length + e > 1024) return Number.MAX_VALUE;
  const drop = Math.max(length - 53, LOWEST - e, 0); // bits that a double has no room for
  let kept = m >> BigInt(drop);
  const rest = m - (kept << BigInt(drop));
  const half = drop ? 1n << BigInt(drop - 1) : 0n;
  if (drop && (rest > half || (rest === half && kept & 1n))) kept += 1n;
  const value = Number(kept) * power(e + drop);
  return Math.min(Math.max(value, Number.MIN_VALUE), Number.MAX_VALUE);
}

/** Σ a·b over the pairs [a, b], rounded once to a double. */
export function sumOfProducts(pairs) {
  const terms = [];
  for (const [a, b] of pairs) {
    if (a === 0 || b === 0) continue;
    const [ma, ea] = split(a);
    const [mb, eb] = split(b);
    terms.push([ma * mb, ea + eb]);
  }
  if (terms.length === 0) return 0;
  const lowest = Math.min(...terms.map(([, e]) => e));
  const sum = terms.reduce((total, [m, e]) => total + (m << BigInt(e - lowest)), 0n);
  if (sum === 0n) return 0;
  return sum > 0n ? rounded(sum, lowest) : -rounded(-sum, lowest);
}
