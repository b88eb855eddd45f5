/** The pseudo-code of each algorithm: lines, which of them run at a moment, and its numbers. No DOM. */

import { about, number, vector } from "./replay/format.js";
import { code as words } from "./strings.js";

const BRIEF = 2; // digits of a score beside the long line of a kernel

/** A score: in full, or with few digits where there is no room for more. */
function scoreIn(run, score) {
  const text = about(score);
  if (!run.kernel || text.length <= 6) return words.score(text);
  return words.score(`≈ ${number(Number(score.toPrecision(BRIEF)))}`);
}

const line = (id, depth, text) => ({ id, depth, text });

function condition({ algorithm, ties, margin }) {
  if (algorithm === "aggressive") return "yᵢ·s < β = 1";
  if (ties === "sign") return "h(xᵢ) ≠ yᵢ";
  const threshold = algorithm === "margin" ? `β = ${number(margin)}` : "0";
  return `yᵢ·s ${ties === "mistake" ? "≤" : "<"} ${threshold}`;
}

function beginning({ start, offset }) {
  if (!start) return offset ? "θ ← 0, θ₀ ← 0" : "θ ← 0";
  const theta = `θ ← ${vector(start.slice(0, 2))}`;
  return offset ? `${theta}, θ₀ ← ${number(start[2])}` : theta;
}

/** Lines that an algorithm has beside the perceptron's own: before the loop, in it, at the end. */
const OWN = {
  last: { end: "return θ" },
  margin: { end: "return θ" },
  aggressive: { end: "return θ" },
  averaged: {
    begin: "u ← 0, c ← 1",
    updated: (step) => [line("sum", 3, `u ← u + c·${step}(xᵢ, 1)`)],
    always: [line("count", 2, "c ← c + 1")],
    end: "return θ − u/c",
  },
  voted: {
    begin: "k ← 0, c₀ ← 1",
    updated: () => [line("sum", 3, "k ← k + 1, cₖ ← 0; keep θ")],
    always: [line("count", 2, "cₖ ← cₖ + 1")],
    end: "return sign of Σ cₖ·hₖ(x)",
  },
  pocket: {
    begin: "pocket ← θ, run ← 0",
    updated: () => [line("sum", 3, "run ← 0")],
    always: [
      line("count", 2, "else: run ← run + 1; if longest"),
      line("pocket", 3, "and fewer errors: pocket ← θ"),
    ],
    end: "return pocket",
  },
};

function kernelLines(settings) {
  return [
    line("start", 0, "α ← 0"),
    line("epochs", 0, words.repeat(settings.epochs)),
    line("visit", 1, words.visit[settings.order]),
    line("score", 2, "s ← Σⱼ αⱼ·yⱼ·K(xⱼ, xᵢ)"),
    line("test", 2, `if ${condition(settings)}:`),
    line("theta", 3, "αᵢ ← αᵢ + 1"),
    line("return", 0, "return sign of Σⱼ αⱼ·yⱼ·K(xⱼ, x)"),
  ];
}

/** [{id, depth, text}] */
export function linesOf(settings) {
  if (settings.algorithm === "kernel") return kernelLines(settings);
  const own = OWN[settings.algorithm];
  const aggressive = settings.algorithm === "aggressive";
  const step = aggressive ? "τ·yᵢ·" : settings.eta === 1 ? "yᵢ·" : "η·yᵢ·";
  const taus = [
    line("size", 3, `τ ← (1 − yᵢ·s)/‖${settings.offset ? "(xᵢ, 1)" : "xᵢ"}‖²`),
    line("tau", 3, `τ ← min(τ, ${number(settings.C)})`),
  ];
  return [
    line("start", 0, [beginning(settings), own.begin].filter(Boolean).join("; ")),
    line("epochs", 0, words.repeat(settings.epochs)),
    line("visit", 1, words.visit[settings.order]),
    line("score", 2, settings.offset ? "s ← θ·xᵢ + θ₀" : "s ← θ·xᵢ"),
    line("test", 2, `if ${condition(settings)}:`),
    ...(aggressive ? taus : []),
    ...(own.updated?.(step) ?? []).map(
      (l) => (settings.offset ? l : { ...l, text: l.text.replace("(xᵢ, 1)", "xᵢ") }),
    ),
    line("theta", 3, `θ ← θ + ${step}xᵢ`),
    ...(settings.offset ? [line("offset", 3, `θ₀ ← θ₀ + ${step.slice(0, -1)}`)] : []),
    ...(own.always ?? []),
    line("return", 0, own.end),
  ];
}

/**
 * What runs: {lit: ids, numbers: {id: text}, sum: text}. `what` is "start", "update", "right" (an
 * example that changed nothing), "asked" (an update whose outcome is hidden) or "end".
 */
export function runningAt(run, step, what, visit) {
  if (what === "start") return { lit: ["start"], numbers: {}, sum: "" };
  if (what === "end") return { lit: ["return"], numbers: {}, sum: "" };
  if (what === "right") {
    const { row, y, score } = visit;
    if (score === null) return {
      lit: ["test", "count"], numbers: { visit: words.which(row) }, sum: "",
    };
    return {
      lit: ["score", "test", "count"],
      numbers: { visit: words.which(row), score: scoreIn(run, score), test: words.no },
      sum: words.stays(about(y * score)),
    };
  }
  const { update } = step;
  const { y, scoreBefore, scoreAfter, row } = update;
  const numbers = {
    visit: words.which(row), score: scoreIn(run, scoreBefore), test: words.yes,
  };
  if (what === "asked") return {
    lit: ["score", "test"], numbers, sum: words.asked(about(y * scoreBefore)),
  };
  if (!run.kernel) {
    numbers.theta = words.becomes(vector(step.theta, run.single));
    numbers.offset = words.becomes(about(step.offset, run.single));
    numbers.tau = words.becomes(about(Math.abs(update.step), run.single));
  }
  const [before, after] = [y * scoreBefore, y * scoreAfter];
  const outcome = update.undershoots ? words.undershoots : run.margin > 0 ? words.beyond : words.right;
  return {
    // The pocket's last lines are for examples that were right.
    lit: [
      "score", "test", "size", "tau", "sum", "theta", "offset", ...(run.algorithm === "pocket" ? [] : ["count"])
    ],
    numbers,
    sum: words.sum(
      number(before), number(Number((after - before).toPrecision(12))), number(after), outcome,
    ),
  };
}
