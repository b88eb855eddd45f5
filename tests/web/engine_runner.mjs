/** The engine as a process: a question a line on stdin, an answer a line on stdout. */

import { createInterface } from "node:readline";

import { score } from "../../src/novikoff/web/static/engine/doubles.js";
import { answers } from "../../src/novikoff/web/static/engine/index.js";
import { separation } from "../../src/novikoff/web/static/engine/separation.js";

/** What answers round: the exact weights and separators behind them. */
answers.exact = ({ points, offset }) => separation(points, offset);
answers.scores = ({ cases }) => cases.map(([theta, x, y, level]) => score(theta, { x, y }, level));

const written = (_, value) => (typeof value === "bigint" ? String(value) : value);

for await (const line of createInterface({ input: process.stdin })) {
  const { name, question } = JSON.parse(line);
  let answer;
  try {
    answer = { answer: answers[name](question) };
  } catch (error) {
    if (error.name !== "Refusal") throw error;
    answer = { refusal: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer, written)}\n`);
}
