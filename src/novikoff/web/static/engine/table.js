/**
 * Points from a table that is text: its columns and, once two of them and a target are chosen, its
 * points. What stands between cells, the decimal sign and whether there is a header are found out,
 * in the way of novikoff.streams.tables.
 */

import { FARTHEST, LIMITS } from "./questions.js";
import { visitingOrders } from "./random.js";
import { Refusal } from "./refusal.js";
import { counted } from "./words.js";

const words = {
  empty: "The table is empty.",
  bare: "The table has no rows below its heads.",
  binary: "This is no table: it holds characters that no text has.",
  libsvm: "This is LIBSVM text; a table with names is needed.",
  column: (j) => `c${j}`,
  twice: (name) => `Two columns are called ${name}; rename one.`,
  ragged: (line, found, needed) => `Line ${line}: ${counted(found, "cell")}, where the first row has ${needed}.`,
  noColumn: (name, names) => `There is no column ${name}; there are ${names.slice(0, 20).join(", ")}.`,
  noNumbers: (name) => `The column ${name} does not hold numbers only; choose another.`,
  different: "Choose two different columns of numbers, and a third one as the target.",
  oneValue: (target) => `The column ${target} has only one value; a target needs two.`,
  noRow: (target, label) => `No row of ${target} holds ${label}.`,
  rest: "the rest",
  leftOut: (n) => `${counted(n, "row")} without two numbers (up to 10⁹) and a label left out.`,
  sampled: (most, n) => `${most} of ${n} rows, drawn at random.`,
  written: ({ delimiter, comma }) => {
    const between = { ";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas" }[delimiter];
    return `Between cells are ${between}${comma ? ", within numbers decimal commas" : ""}.`;
  },
};

const DELIMITERS = [",", ";", "\t", "|"];
const MISSING = new Set([
  "", "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "null", "Null", "NULL", "?",
]);
const USUAL = ["target", "label", "class", "y", "outcome"]; // names of targets
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const SAMPLE = 8; // rows that are shown
const LOOKED_AT = 50; // records that tell how the table is written
const MOST_LABELS = 50; // values of a target that are listed
const FEW = 20; // values up to which a column is suggested as a target

/** The records of a table, [{cells, line}]; a cell in quotes may hold anything. */
function recordsOf(text, delimiter, most = Infinity) {
  const records = [];
  let [cells, cell, quoted, line, begun] = [[], "", false, 1, 1];
  const end = () => {
    cells.push(cell.trim());
    if (cells.some((value) => value !== "")) records.push({ cells, line: begun });
    [cells, cell, begun] = [[], "", line + 1];
  };
  for (let i = 0; i < text.length && records.length < most; i++) {
    const character = text[i];
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (character === '"' && cell.trim() === "") [cell, quoted] = ["", true];
    else if (character === delimiter) [cells, cell] = [[...cells, cell.trim()], ""];
    else if (character === "\n") end();
    else cell += character;
    if (character === "\n") line++;
  }
  if (records.length < most) end();
  return records;
}

/** What stands between cells: that which gives every record as many of them, and the most. */
function delimiterOf(text) {
  const widths = DELIMITERS.map((delimiter) => {
    const counts = recordsOf(text, delimiter, LOOKED_AT).map(({ cells }) => cells.length);
    const even = counts.every((count) => count === counts[0]);
    return even ? counts[0] : Math.min(...counts) / 2; // a ragged one only if there is no other
  });
  return DELIMITERS[widths.indexOf(Math.max(...widths))];
}

/** What a cell says as a number; NaN if it says none. */
function numberOf(cell, comma) {
  const text = (comma ? cell.replace(",", ".") : cell).replace("−", "-");
  return NUMBER.test(text) ? Number(text) : NaN;
}

/** {names, rows, comma, delimiter} */
function read(given) {
  const text = given.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (!text.trim()) throw new Refusal(words.empty);
  if (text.includes("\0")) throw new Refusal(words.binary);
  if (/^\s*[-+]?\d+(\.\d+)?(\s+\d+:\S+)+\s*$/m.test(text.split("\n", 1)[0])) throw new Refusal(words.libsvm);
  const delimiter = delimiterOf(text);
  const records = recordsOf(text, delimiter);
  const comma = delimiter !== ","
    && records.some(({ cells }) => cells.some((cell) => /^[-+]?\d*,\d+$/.test(cell)));
  const [first] = records;
  const named = !first.cells.some((cell) => Number.isFinite(numberOf(cell, comma)));
  const names = first.cells.map((cell, j) => (named && cell ? cell : words.column(j + 1)));
  const rows = named ? records.slice(1) : records;
  const twice = names.find((name, j) => names.indexOf(name) !== j);
  if (twice !== undefined) throw new Refusal(words.twice(twice));
  const ragged = rows.find(({ cells }) => cells.length !== names.length);
  if (ragged) throw new Refusal(words.ragged(ragged.line, ragged.cells.length, names.length));
  if (!rows.length) throw new Refusal(words.bare);
  return { names, rows: rows.map(({ cells }) => cells), comma, delimiter };
}

/** [{name, cells, numbers}], missing cells null; numbers are null where some cell is none. */
function columnsOf({ names, rows, comma }) {
  return names.map((name, j) => {
    const cells = rows.map((row) => (MISSING.has(row[j]) ? null : row[j]));
    const numbers = cells.map((cell) => (cell === null ? NaN : numberOf(cell, comma)));
    const all = cells.every((cell, i) => cell === null || !Number.isNaN(numbers[i]));
    const some = cells.some((cell) => cell !== null);
    return { name, cells, numbers: all && some ? numbers : null };
  });
}

const valuesOf = ({ cells }) => [...new Set(cells.filter((cell) => cell !== null))];

/** The values of a column: numbers in their order, else by the alphabet. */
function labelsOf(column) {
  const values = valuesOf(column).sort();
  return values.some((value) => Number.isNaN(Number(value))) ? values
    : values.sort((a, b) => Number(a) - Number(b));
}

/** Columns with few values: that of a usual name, or the last; then text, then numbers. */
function targetsOf(columns) {
  const few = columns.filter((column) => {
    const { length } = valuesOf(column);
    return length >= 2 && length <= FEW;
  });
  const usual = USUAL.map((name) => columns.find((column) => column.name.toLowerCase() === name));
  const text = few.filter(({ numbers }) => numbers === null);
  const wanted = [usual.find(Boolean) ?? columns.at(-1), ...[...text].reverse(), ...[...few].reverse()];
  return wanted.filter((column) => few.includes(column));
}

/** Two columns of numbers, and a target beside them. */
function suggestedOf(columns) {
  const varying = columns.filter((column) => column.numbers && valuesOf(column).length > 1);
  for (const target of targetsOf(columns)) {
    const features = varying.filter((column) => column !== target).map(({ name }) => name);
    if (features.length >= 2) return { features: features.slice(0, 2), target: target.name };
  }
  return { features: null, target: null };
}

/** Two sides: the label asked for, or else the second of two or the first of more. */
function classesOf(labels, target, asked) {
  if (labels.length < 2) throw new Refusal(words.oneValue(target));
  const positive = asked ?? (labels.length === 2 ? labels[1] : labels[0]);
  if (!labels.includes(positive)) throw new Refusal(words.noRow(target, positive));
  const others = labels.filter((label) => label !== positive);
  return { positive, negative: others.length === 1 ? others[0] : words.rest };
}

/** {points, classes, axes} and what is to be noted about them. */
function chosen(columns, features, target, positive) {
  if (features[0] === features[1] || features.includes(target)) throw new Refusal(words.different);
  const find = (name) => {
    const column = columns.find((known) => known.name === name);
    if (!column) throw new Refusal(words.noColumn(name, columns.map((known) => known.name)));
    return column;
  };
  const [x, y] = features.map((name) => {
    const { numbers } = find(name);
    if (!numbers) throw new Refusal(words.noNumbers(name));
    return numbers;
  });
  const side = find(target);
  const classes = classesOf(labelsOf(side), target, positive);
  const notes = [];
  let rows = x.map((_, i) => i).filter(
    (i) => Math.abs(x[i]) <= FARTHEST && Math.abs(y[i]) <= FARTHEST && side.cells[i] !== null,
  );
  if (rows.length < x.length) notes.push(words.leftOut(x.length - rows.length));
  if (rows.length > LIMITS.points) {
    notes.push(words.sampled(LIMITS.points, rows.length));
    const order = visitingOrders("shuffled", rows.length, 0).next().value;
    rows = order.slice(0, LIMITS.points).sort((a, b) => a - b).map((i) => rows[i]);
  }
  const label = (i) => (side.cells[i] === classes.positive ? 1 : -1);
  const points = rows.map((i) => ({ x: x[i], y: y[i], label: label(i) }));
  return { points, classes, axes: features, notes };
}

/** The columns of a table, and its points once `features` and `target` are chosen. */
export function table({ text, features = null, target = null, positive = null }) {
  const found = read(text);
  const columns = columnsOf(found);
  const side = target === null ? null : columns.find(({ name }) => name === target);
  const { notes = [], ...points } = features && target !== null
    ? chosen(columns, features, target, positive) : {};
  const written = found.comma || found.delimiter !== "," ? [words.written(found)] : [];
  return {
    columns: columns.map((column) => ({
      name: column.name,
      kind: column.numbers ? "number" : "text",
      distinct: valuesOf(column).length,
      missing: column.cells.filter((cell) => cell === null).length,
    })),
    rows: found.rows.slice(0, SAMPLE),
    n_rows: found.rows.length,
    suggested: suggestedOf(columns),
    labels: side ? labelsOf(side).slice(0, MOST_LABELS) : null,
    points: null,
    classes: null,
    axes: null,
    ...points,
    notes: [...written, ...notes],
  };
}
