/**
 * Numbers as text: a decimal point in every locale, and U+2212 as the minus sign.
 *
 * A number is shown in full, with the fewest digits that read back as the same number in its own
 * type, unless that takes more than SHOWN significant digits; then it is rounded, and says so: ≈.
 */

const SHOWN = 6;

/** The fewest digits that read back as x: as a double, or as a single where `single`. */
function shortest(x, single) {
  if (single) {
    for (let digits = 1; digits <= 9; digits++) {
      const candidate = Number(x.toPrecision(digits));
      if (Math.fround(candidate) === x) return String(candidate);
    }
  }
  return String(x);
}

function significant(text) {
  return text.replace(/e.*$/, "").replace(/[^0-9]/g, "").replace(/^0+/, "").length;
}

function signed(text) {
  return text.replaceAll("-", "−");
}

/** {text, exact}: the number, and whether all of it is there. */
export function shown(x, single = false) {
  const full = shortest(x, single);
  const whole = Number.isInteger(x) && Math.abs(x) < 1e15;
  if (whole || significant(full) <= SHOWN) return { text: signed(full), exact: true };
  return { text: signed(String(Number(x.toPrecision(SHOWN)))), exact: false };
}

export function number(x, single = false) {
  return shown(x, single).text;
}

/** "= 8", or "≈ 0.333333" where digits were left out. */
export function equals(x, single = false) {
  const { text, exact } = shown(x, single);
  return `${exact ? "=" : "≈"} ${text}`;
}

/** "8", or "≈ 0.333333". */
export function about(x, single = false) {
  const { text, exact } = shown(x, single);
  return exact ? text : `≈ ${text}`;
}

/** "(5, −1)", or "≈ (0.333333, 1)". */
export function vector(values, single = false) {
  const parts = values.map((x) => shown(x, single));
  const text = `(${parts.map((part) => part.text).join(", ")})`;
  return parts.every((part) => part.exact) ? text : `≈ ${text}`;
}

/** "+" or "−". */
export function sign(y) {
  return y > 0 ? "+" : "−";
}
