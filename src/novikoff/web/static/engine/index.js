/**
 * The engine's answers, each a function of a question: plain objects in, plain objects out. What
 * cannot be answered throws a Refusal, whose message is for people.
 */

import { knownAnswer, runAnswer } from "./answers.js";
import { challengeAnswer, checkAnswer } from "./homework.js";
import { exportAnswer } from "./exports.js";
import { presetsAnswer } from "./presets.js";
import { checked } from "./questions.js";
import { learn } from "./runs.js";
import { fieldAnswer } from "./shading.js";
import { table } from "./table.js";

/** Points to begin with, challenges, limits. */
export function presets() {
  return presetsAnswer();
}

/** Learn from points, and say everything about it. */
export function run(question) {
  const { points, settings, axes, known: all } = checked("run", question);
  return runAnswer(learn(points, settings), axes, all);
}

/** What is known about points and a run on them. */
export function known(question) {
  const { points, settings } = checked("known", question);
  return knownAnswer(learn(points, settings));
}

/** What is predicted where, on a grid. */
export function field(question) {
  const { points, settings, ...where } = checked("field", question);
  return fieldAnswer(learn(points, settings), where);
}

/** The first wrong row of a table made by hand. */
export function check(question) {
  const { points, settings, table } = checked("check", question);
  return checkAnswer(learn(points, settings), table);
}

/** A run as a file: "markdown", "trace" or "python". */
export function exported(question) {
  const { points, settings, kind, axes } = checked("export", question);
  return exportAnswer(learn(points, settings), kind, axes);
}

/** Whether a challenge is solved. */
export function challenge(question) {
  const { points, settings, name } = checked("challenge", question);
  return challengeAnswer(name, points, settings);
}

/** By name, as a worker is asked: `answers[name](question)`. */
export const answers = { presets, run, known, field, check, export: exported, challenge, table };
