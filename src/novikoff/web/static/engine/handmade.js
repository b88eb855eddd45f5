/**
 * A table of steps made by hand: reading it, and the numbers in its cells.
 *
 * It may be CSV or Markdown and have any of the columns of our own table; a column i counts
 * examples from 1, as lectures do. Bare numbers are k, i, θ and the offset. What is compared are
 * numbers, not their spelling: a value may be rounded to two decimals or more, and a fraction may
 * stand as 1/3.
 */

import { distance, less, ofText, size, times } from "./fractions.js";
import { Refusal } from "./refusal.js";

const NUMBER = "[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][-+]?\\d+)?(?:\\/\\d+)?";
const BARE = new RegExp(`^${NUMBER}$`);
const NUMBERS = new RegExp(NUMBER, "g");
const RULE = /^[\s|:-]+$/; // the line below the heads of a Markdown table
const HUGE = /[eE][-+]?0*[1-9]\d{3}/; // exponents that no double has, and that take for ever
const LINES = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;
const CLOSE = { n: 1n, d: 10n ** 9n }; // a decimal and the double nearest to it are closer
const ONE = { n: 1n, d: 1n };
const NAMES = {
  k: "k", epoch: "epoch", t: "t", row: "row", i: "example", y: "y", update: "update", tau: "tau",
  "τ": "tau", ysafter: "product_after", safter: "score_after", scoreafter: "score_after",
  ysbefore: "product_before", sbefore: "score_before", scorebefore: "score_before",
  theta: "theta", offset: "offset", theta0: "offset", b: "offset", bias: "offset",
  intercept: "offset",
};

// ----------------------------------------------------------------------------- reading

/** {heads, rows, line}: a row is {line, cells}, lines counted from 1; `name` is for errors. */
export function readTable(text, name) {
  const lines = text.replace(/^\ufeff/, "").split(LINES);
  if (lines.at(-1) === "") lines.pop();
  for (let at = 0; at + 1 < lines.length; at++) {
    const [line, below] = lines.slice(at, at + 2);
    if (line.includes("|") && below.includes("-") && RULE.test(below)) return markdownTable(lines, at);
  }
  return csvTable(lines, name);
}

function cellsOf(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  const unescaped = (cell) => cell.trim().replaceAll("**", "").replace(/\\(.)/g, "$1");
  return inner.split(/(?<!\\)\|/).map(unescaped);
}

function markdownTable(lines, at) {
  const rows = [];
  for (let i = at + 2; i < lines.length && lines[i].includes("|"); i++) {
    rows.push({ line: i + 1, cells: cellsOf(lines[i]) });
  }
  return { heads: cellsOf(lines[at]), rows, line: at + 1 };
}

function csvTable(lines, name) {
  const first = lines.find((line) => line.trim());
  if (first === undefined) throw new Refusal(`${name} is empty.`);
  const often = (delimiter) => first.split(delimiter).length;
  const best = [",", ";", "\t"].reduce((one, other) => (often(other) > often(one) ? other : one));
  let rows = often(best) > 1 ? separated(lines, best) : blanked(lines);
  rows = rows.filter(({ cells }) => cells.some((cell) => cell.trim()));
  const [{ line, cells }, ...others] = rows;
  return { heads: cells.map((head) => head.trim()), rows: others, line };
}

/** Cells between blanks; if there are blanks within cells, a line is one cell. */
function blanked(lines) {
  const rows = lines.map((text, i) => ({ line: i + 1, cells: text.trim().split(/\s+/) }));
  const widths = new Set(rows.filter(({ cells }) => cells[0]).map(({ cells }) => cells.length));
  return widths.size > 1 ? rows.map(({ line, cells }) => ({ line, cells: [cells.join(" ")] })) : rows;
}

/** Cells between delimiters, some of them in quotes, which may go on in the next line. */
function separated(lines, delimiter) {
  const rows = [];
  let cells = [""];
  let inQuotes = false;
  lines.forEach((text, i) => {
    let fresh = !inQuotes; // nothing of the cell has been read
    for (let p = 0; p < text.length; p++) {
      const c = text[p];
      const at = cells.length - 1;
      if (inQuotes && c === '"' && text[p + 1] === '"') {
        cells[at] += c;
        p += 1;
      } else if (c === '"' && (inQuotes || fresh)) {
        inQuotes = !inQuotes;
        fresh = false;
      } else if (c === delimiter && !inQuotes) {
        cells.push("");
        fresh = true;
      } else if (!(fresh && c === " ")) {
        cells[at] += c;
        fresh = false;
      }
    }
    if (inQuotes) return;
    rows.push({ line: i + 1, cells });
    cells = [""];
  });
  return inQuotes ? [...rows, { line: lines.length, cells }] : rows;
}

/** A table of bare numbers, k, i, θ and the offset, with these heads above it. */
export function withHeads(table, offset) {
  const heads = ["k", "i", "theta_1", "theta_2", ...(offset ? ["theta_0"] : [])];
  const bare = table.heads.every((cell) => BARE.test(cell.replaceAll("−", "-")));
  if (!bare || table.heads.length !== heads.length) return table;
  return { heads, rows: [{ line: table.line, cells: table.heads }, ...table.rows], line: table.line };
}

/** Which of our columns a head names; null if none. */
export function columnOf(head) {
  let text = head.toLowerCase().replace(/[\s·*_]/g, "");
  text = text.replace(/[₀-₉]/g, (digit) => "₀₁₂₃₄₅₆₇₈₉".indexOf(digit));
  for (const symbol of ["θ", "ϑ", "w"]) if (text !== "row") text = text.replaceAll(symbol, "theta");
  if (text.startsWith("mistake") || text.startsWith("test")) return "mistake";
  if (Object.hasOwn(NAMES, text)) return NAMES[text];
  const numbered = text.match(/^theta0*([12])$/);
  return numbered ? `theta_${numbered[1]}` : null;
}

// ----------------------------------------------------------------------------- numbers

/** The numbers in a cell: {value, decimals}, decimals null where it is not a plain decimal. */
export function numbersIn(cell) {
  const text = cell.replaceAll("−", "-").replaceAll("θ₀", "").replaceAll("theta_0", "");
  const close = text.replace(/([-+])\s+(?=[\d.])/g, "$1");
  return (close.match(NUMBERS) ?? []).flatMap((match) => {
    const value = HUGE.test(match) ? null : ofText(match);
    if (!value) return [];
    return [{ value, decimals: /[/eE]/.test(match) ? null : (match.split(".")[1] ?? "").length }];
  });
}

/** Whether a number is the expected one, written exactly or rounded. */
export function same({ value, decimals }, expected) {
  const off = distance(value, expected);
  const large = size(expected);
  if (!less(times(CLOSE, less(large, ONE) ? ONE : large), off)) return true;
  return decimals >= 2 && !less({ n: 51n, d: 100n * 10n ** BigInt(decimals) }, off);
}
