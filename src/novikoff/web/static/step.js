/** This step: the sentence, and the pseudo-code with the running line lit. */

import { html } from "./replay/dom.js";
import { sentenceOf } from "./replay/sentence.js";
import { linesOf, runningAt } from "./code.js";
import { say } from "./notation.js";
import { step as words } from "./strings.js";

/** What a moment is: "start", "update", "right" or "end". */
export function kindOf(run, { end, t }, k) {
  if (end) return "end";
  if (t === 0) return "start";
  return k && run.updates.t[k - 1] === t ? "update" : "right";
}

/** One moment in a sentence or two; null while how it ended is not known. */
export function tell(run, step, what, visit) {
  if (what === "end") return run.answer.sentence ?? (run.unknown ? words.over(run.n) : null);
  if (what === "asked") return words.asked(step.k, step.update);
  if (what === "right") return words.right(visit, run);
  if (run.kernel) return what === "start" ? words.kernelStart : words.kernel(step);
  return sentenceOf(run, step, "examples", false);
}

export class StepPanel {
  constructor() {
    // The one live region: off while playing, so that only steps made by hand are spoken.
    this.sentence = html(
      "p", { class: "play-sentence", "aria-live": "off", "aria-atomic": "true" },
    );
    this.code = html("ol", { class: "play-code" });
    this.sum = html("p", { class: "play-sum" });
    this.element = html(
      "div", {}, html("h2", { class: "play-hidden" }, words.code), this.code, this.sum,
    );
    this.lines = "";
  }

  speak(aloud) {
    this.sentence.setAttribute("aria-live", aloud ? "polite" : "off");
  }

  /** Show a moment; `instead` is another sentence, for two runs at once. */
  draw(run, step, what, visit, settings, instead = null) {
    const text = instead ?? tell(run, step, what, visit);
    if (text !== null && this.sentence.textContent !== say(text)) {
      this.sentence.textContent = say(text);
    }
    const { lit, numbers, sum } = runningAt(run, step, what, visit);
    const lines = linesOf(settings);
    this.code.replaceChildren(...lines.map(({ id, depth, text: content }) => {
      const on = lit.includes(id);
      const item = html(
        "li",
        { class: `play-depth-${depth}${on ? " play-lit" : ""}` },
        html("code", {}, say(content)),
      );
      if (on) item.setAttribute("aria-current", "step");
      if (numbers[id]) item.append(html("span", { class: "play-number" }, say(numbers[id])));
      return item;
    }));
    this.sum.textContent = say(sum);
  }
}
