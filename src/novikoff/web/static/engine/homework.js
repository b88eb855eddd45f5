/** What students hand in: a table made by hand, and challenges. */

import { columnOf, numbersIn, readTable, same, withHeads } from "./handmade.js";
import { ofDouble } from "./fractions.js";
import { mistakeCell, tauCell, updateCell } from "./markdown.js";
import { isMistake } from "./perceptron.js";
import { Refusal } from "./refusal.js";
import { learn } from "./runs.js";
import { separation } from "./separation.js";
import { scoresOf } from "./tracing.js";
import { counted, general, signed } from "./words.js";

const TWO = "It takes points of both classes.";
const NAME = "The table";

// ------------------------------------------------------------------------------- check

/** A measurement with six digits. */
function measured(x) {
  if (Math.abs(x) < 1e16) return general(x, 6);
  return x.toExponential(3).replace(/e([-+])(\d)$/, "e$10$2");
}

/** The steps of a run, to compare cells with. */
class Steps {
  constructor(run) {
    this.run = run;
    this.scores = scoresOf(run);
    this.fixed = {
      k: (e) => e + 1,
      example: (e) => run.updates[e].row + 1,
      tau: (e) => Math.abs(run.updates[e].step),
      offset: (e) => run.hypotheses[e + 1][2],
      theta_1: (e) => run.hypotheses[e + 1][0],
      theta_2: (e) => run.hypotheses[e + 1][1],
    };
  }

  /** The number in a column of single numbers. */
  value(column, e) {
    const update = this.run.updates[e];
    if (column in this.fixed) return this.fixed[column](e);
    if (column in update) return update[column];
    const [what, when] = column.split("_");
    return this.scores[when][e] * (what === "product" ? update.y : 1);
  }

  /** What our table has in this column at update e. */
  shown(column, e, rowShift) {
    if (column === "mistake") return mistakeCell(this.run, e, this.scores.before[e]);
    if (column === "update") return updateCell(this.run, e);
    if (column === "tau" && this.run.rule.C) return tauCell(this.run, e, this.scores.before[e]);
    if (column === "theta") {
      return `(${measured(this.value("theta_1", e))}, ${measured(this.value("theta_2", e))})`;
    }
    const value = this.value(column, e) + (column === "row" ? rowShift : 0);
    return column === "y" ? signed(value) : measured(value);
  }

  /** Whether a cell says what happened at update e; an empty cell says nothing. */
  isRight(column, e, cell, rowShift) {
    if (!cell.trim()) return true;
    const written = numbersIn(cell);
    return this.accepted(column, e, rowShift).some(
      (list) => list.length === written.length && written.every((one, i) => same(one, list[i])),
    );
  }

  /** The lists of numbers that a cell may hold. */
  accepted(column, e, rowShift) {
    const { run: { settings, rule, updates }, scores } = this;
    const { ties } = rule;
    const exact = (...numbers) => numbers.map(ofDouble);
    const theta = [this.value("theta_1", e), this.value("theta_2", e)];
    const both = exact(...theta, this.value("offset", e));
    const written = () => numbersIn(this.shown(column, e, rowShift)).map(({ value }) => value);
    if (column === "theta") return [exact(...theta), both];
    if (column === "update") return [written(), settings.offset ? both : exact(...theta)];
    if (column === "mistake") {
      const score = scores.before[e];
      const h = score >= 0 ? 1 : -1;
      if (ties === "sign") return [written(), exact(score), exact(score, h)];
      const product = updates[e].y * score;
      return [written(), exact(product), exact(product, rule.beta)];
    }
    const value = exact(this.value(column, e) + (column === "row" ? rowShift : 0));
    return column === "tau" ? [written(), value] : [value];
  }
}

/** 1 if the table counts rows from 1, which makes more of them right, else 0. */
function rowShiftOf(table, columns, steps) {
  const at = columns.indexOf("row");
  if (at < 0) return 0;
  const column = table.rows.slice(0, steps.run.updates.length).map(({ cells }) => cells[at] ?? "");
  const right = (shift) => column.filter((cell, e) => steps.isRight("row", e, cell, shift)).length;
  return right(1) > right(0) ? 1 : 0;
}

/** The first row of the table that is wrong, missing, or one too many; null if all are right. */
function firstWrong(table, columns, steps) {
  const n = steps.run.updates.length;
  const shift = rowShiftOf(table, columns, steps);
  const marks = (e, cells, isWrong) => columns.flatMap((column, i) => {
    if (column === null || !isWrong(column, cells[i] ?? "")) return [];
    const expected = steps.shown(column, e, shift);
    return [{ column: table.heads[i], yours: cells[i] ?? "", expected }];
  });
  // A row that says nothing but its number is no answer, unless numbers are all there is.
  const others = columns.filter((column) => column !== null && column !== "k");
  const telling = others.length ? others : ["k"];
  for (const [e, { line, cells }] of table.rows.entries()) {
    if (e >= n) return { step: e + 1, line, what: "surplus", cells: [] };
    const said = columns.some((column, i) => telling.includes(column) && cells[i]?.trim());
    const isRight = (column, cell) => said && steps.isRight(column, e, cell, shift);
    const wrong = marks(e, cells, (column, cell) => !isRight(column, cell));
    if (wrong.length) return { step: e + 1, line, what: "wrong", cells: wrong };
  }
  const e = table.rows.length;
  if (e >= n) return null;
  return { step: e + 1, line: null, what: "missing", cells: marks(e, [], () => true) };
}

/** Text as Python quotes it. */
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return mark + (mark === "'" ? inner.replaceAll("'", "\\'") : inner) + mark;
}

/** Compare a table made by hand with the run. */
export function checkAnswer(run, text) {
  if (run.dual) throw new Refusal("The kernel perceptron has no theta to compare a table with.");
  if (run.idle) throw new Refusal(`There is no run to compare with yet. ${TWO}`);
  const table = withHeads(readTable(text, NAME), run.settings.offset);
  const columns = table.heads.map(columnOf);
  if (columns.every((column) => column === null)) {
    throw new Refusal(
      `${NAME}: none of its columns (${table.heads.slice(0, 10).join(", ")}) is known. Use some of ` +
        "k, epoch, t, row (or i, from 1), y, mistake, tau, update, y·s after, theta_1 …, offset.",
    );
  }
  const wrong = firstWrong(table, columns, new Steps(run));
  const unknown = table.heads.filter((_, i) => columns[i] === null);
  const updates = run.updates.length;
  return {
    right: wrong === null,
    updates,
    right_rows: wrong === null ? table.rows.length : wrong.step - 1,
    sentence: sentence(updates, wrong),
    wrong,
    notes: unknown.map((head) => `The column ${quoted(head)} is not known; it was not compared.`),
  };
}

function sentence(n, wrong) {
  if (!wrong) return `All right: ${counted(n, "update")}, each as it should be.`;
  const { step, what, line } = wrong;
  let before = step === 1 ? "" : ` Updates 1 to ${step - 1} are right.`;
  if (step === 2) before = " Update 1 is right.";
  if (what === "surplus") {
    return `Update ${step} is one too many; the run makes ${counted(n, "update")}.${before}`;
  }
  if (what === "missing") return `Update ${step} is missing at the end of your table.${before}`;
  return `Line ${line}: update ${step} is wrong.${before}`;
}

// --------------------------------------------------------------------------- challenges

/** Whether points and settings solve a challenge. */
export function challengeAnswer(name, points, settings) {
  const both = new Set(points.map(({ label }) => label)).size === 2;
  const solve = name === "offset" ? onlyWithOffset : undershoot;
  const [solved, words] = both ? solve(points, settings) : [false, TWO];
  return { name, solved, sentence: words };
}

function undershoot(points, settings) {
  const run = learn(points, settings);
  if (run.dual) {
    return [false, "The kernel perceptron does not count here; choose another algorithm."];
  }
  const { updates, rule: { ties, beta } } = run;
  const { before, after } = scoresOf(run);
  const k = updates.findIndex(({ y }, e) => isMistake(ties, Math.sign(y * after[e] - beta), y));
  const n = counted(updates.length, "update");
  if (k < 0) return [false, `Not yet: of ${n}, each put its own example right.`];
  const { row, y } = updates[k];
  return [
    true,
    `Solved: update ${k + 1} takes y·s of example ${row + 1} from ${general(y * before[k])} to ` +
      `${general(y * after[k])}, which is still a mistake.`,
  ];
}

function onlyWithOffset(points) {
  if (separation(points, true).kind !== "separable") {
    return [false, "Not yet: no line separates these points, wherever it lies."];
  }
  if (separation(points, false).kind === "separable") {
    return [false, "Not yet: a line through the origin separates them too."];
  }
  return [true, "Solved: a line separates the points, but none through the origin does."];
}
