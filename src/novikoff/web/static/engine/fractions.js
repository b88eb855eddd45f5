/** Fractions of big integers, as far as tables of numbers need them: {n, d} with d > 0. */

import { integers } from "./doubles.js";

const abs = (n) => (n < 0n ? -n : n);

export const plus = (a, b) => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const times = (a, b) => ({ n: a.n * b.n, d: a.d * b.d });
export const over = (a, b) => ({ n: a.n * b.d, d: a.d * b.n }); // b > 0
export const equal = (a, b) => a.n * b.d === b.n * a.d;
export const less = (a, b) => a.n * b.d < b.n * a.d;
export const size = ({ n, d }) => ({ n: abs(n), d });
export const distance = (a, b) => size(plus(a, { n: -b.n, d: b.d }));

/** The value of a double. */
export function ofDouble(x) {
  const { whole: [n], exponent } = integers([x]);
  return { n, d: 1n << BigInt(-exponent) };
}

const WRITTEN = /^([-+]?)(\d*)(?:\/(\d+)|(?:\.(\d*))?(?:[eE]([-+]?\d+))?)$/;

/** The value of a decimal, or of a quotient of integers; null if text is neither. */
export function ofText(text) {
  const [, sign, whole, below, decimals = "", exponent = "0"] = text.match(WRITTEN) ?? [];
  if (whole === undefined || !(whole + decimals) || (below && BigInt(below) === 0n)) return null;
  const digits = BigInt(whole + decimals) * (sign === "-" ? -1n : 1n);
  if (below) return { n: digits, d: BigInt(below) };
  const e = BigInt(exponent) - BigInt(decimals.length);
  return e < 0n ? { n: digits, d: 10n ** -e } : { n: digits * 10n ** e, d: 1n };
}
