/** The engine's answers, each a function of a question: plain objects in, plain objects out. */

import { Refusal } from "./refusal.js";

export { Refusal };

/** Points to begin with, challenges, limits. */
export function presets() {
  throw new Refusal("Not yet.");
}

/** Learn from points, and say everything about it. */
export function run(question) {
  throw new Refusal("Not yet.");
}

/** What is known about points and a run on them. */
export function known(question) {
  throw new Refusal("Not yet.");
}

/** What is predicted where, on a grid. */
export function field(question) {
  throw new Refusal("Not yet.");
}

/** The first wrong row of a table made by hand. */
export function check(question) {
  throw new Refusal("Not yet.");
}

/** A run as a file. */
export function exported(question) {
  throw new Refusal("Not yet.");
}

/** Whether a challenge is solved. */
export function challenge(question) {
  throw new Refusal("Not yet.");
}

/** By name, as a worker is asked: `answers[name](question)`. */
export const answers = { presets, run, known, field, check, export: exported, challenge };
