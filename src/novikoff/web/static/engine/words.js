/** Numbers and counts as text, spelled as Python spells them. */

/** "1 mistake", "2 mistakes". */
export function counted(n, noun) {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function exponential(digits, e) {
  return `${digits}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
}

/** Python's repr of a float: the fewest digits that read back as x. */
export function repr(x) {
  const [digits, exponent] = x.toExponential().split("e");
  const e = Number(exponent);
  if (x !== 0 && (e < -4 || e >= 16)) return exponential(digits, e);
  const text = e < 0 ? x.toFixed(digits.replace(/[-.]/g, "").length - 1 - e) : String(x);
  return text.includes(".") ? text : `${text}.0`;
}

/** The shortest text that reads back as x, a whole number without a point. */
export function number(x) {
  return Number.isInteger(x) && Math.abs(x) < 1e16 ? String(BigInt(x)) : repr(x);
}

/** Python's `:.{digits}g`. */
export function general(x, digits = 6) {
  if (x === 0) return "0";
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const e = Number(exponent);
  const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (e < -4 || e >= digits) return exponential(bare(mantissa), e);
  return bare(x.toFixed(Math.max(0, digits - 1 - e)));
}

/** "+1" or "-1". */
export function signed(y) {
  return y > 0 ? `+${y}` : String(y);
}
