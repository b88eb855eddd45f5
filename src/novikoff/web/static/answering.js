/** Questions by name, as the page asks them of the engine; in a worker, or where there is none. */

import { answers } from "./engine/index.js";
import { Refusal } from "./engine/refusal.js";
import { failures } from "./strings.js";

/** {value}, or {refused}: why there is none, for people. */
export function answer(name, question) {
  try {
    return { value: answers[name](question) };
  } catch (error) {
    return { refused: error instanceof Refusal ? error.message : failures.bug(error) };
  }
}

/** Answer every message of a worker's. */
export function listen(scope) {
  scope.onmessage = ({ data: { name, question } }) => scope.postMessage(answer(name, question));
}
