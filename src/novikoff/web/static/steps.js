/** The table of steps: the run in text, and the place to check one's own. */

import { html } from "./replay/dom.js";
import { about, vector } from "./replay/format.js";
import { engine, Refused } from "./api.js";
import { say } from "./notation.js";
import { stepAt } from "./run.js";
import { steps as words } from "./strings.js";
import { button, dialog } from "./widgets.js";

const MOST = 1000; // rows: beyond that nobody reads, and the trace has all of them

export class StepsDialog {
  constructor(playground) {
    this.playground = playground;
    this.table = html("table", { class: "play-steps" });
    this.note = html("p", { class: "play-hint" });
    const scroller = html(
      "div",
      { class: "play-steps-scroller", tabindex: 0, role: "region", "aria-label": words.title },
      this.table,
    );
    this.theirs = html(
      "textarea",
      {
        rows: 6,
        spellcheck: "false",
        "aria-label": words.paste,
        placeholder: words.example,
        "data-field": "check",
      },
    );
    this.result = html("div", { class: "play-check-result", role: "status" });
    this.check = button(words.check, () => this.compare(), { class: "play-main-button" });
    const mine = html(
      "section",
      { class: "play-check" },
      html("h3", {}, words.checkTitle),
      html("p", {}, words.checkText),
      this.theirs,
      this.check,
      this.result,
    );
    this.element = dialog(words.title, words.close, scroller, this.note, mine);
    this.element.classList.add("play-wide");
  }

  open(checking = false) {
    if (!this.playground.runs.length) return;
    this.fill();
    this.turn = null;
    this.result.replaceChildren();
    this.element.showModal();
    if (checking) this.theirs.focus();
  }

  fill() {
    const { playground } = this;
    const [run] = playground.runs;
    const { k: now } = playground.clock.standing(run, playground.moment);
    const columns = words.columns(run.kernel, run.fitIntercept).map(say);
    const head = html(
      "thead", {}, html("tr", {}, ...columns.map((text) => html("th", { scope: "col" }, text))),
    );
    const n = Math.min(run.n, MOST);
    const rows = Array.from({ length: n + 1 }, (_, k) => this.row(run, stepAt(run, k), k === now));
    this.table.replaceChildren(
      html("caption", { class: "play-hidden" }, words.title), head, html("tbody", {}, ...rows),
    );
    this.note.textContent = run.n > MOST ? words.more(MOST, run.n) : words.hint;
  }

  row(run, step, current) {
    const { k, update } = step;
    const go = button(String(k), () => this.go(k), { "aria-label": words.go(k) });
    const cells = [
      update ? String(step.epoch) : "–",
      update ? String(update.row + 1) : "–",
      update ? about(update.y * update.scoreBefore) : "–",
      update ? `${about(update.y * update.scoreAfter)}${update.undershoots ? ` ${words.undershoots}` : ""}` : "–",
      ...(run.kernel ? [] : [vector(step.theta, run.single)]),
      ...(run.fitIntercept ? [about(step.offset, run.single)] : []),
    ];
    const row = html(
      "tr",
      current ? { "aria-current": "step" } : {},
      html("th", { scope: "row" }, go),
      ...cells.map((text) => html("td", {}, text)),
    );
    return row;
  }

  go(k) {
    const { playground } = this;
    this.element.close();
    const t = k ? playground.runs[0].updates.t[k - 1] : 0;
    playground.goByHand(playground.clock.placeOf({ t, end: false }));
  }

  async compare() {
    const { points, settings } = this.playground.document;
    const table = this.theirs.value;
    const turn = (this.turn = {});
    try {
      const { right, sentence, wrong, notes } = await engine.ask(
        "check", { points, settings, table },
      );
      if (turn !== this.turn) return; // asked again meanwhile
      const parts = [html("p", { class: right ? "play-solved" : "play-wrong" }, say(sentence))];
      if (wrong?.cells?.length) parts.push(this.cells(wrong));
      if (wrong?.line) parts.push(this.marked(table, wrong.line));
      for (const note of notes) parts.push(html("p", { class: "play-hint" }, note));
      this.result.replaceChildren(...parts);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (turn !== this.turn) return;
      this.result.replaceChildren(html("p", { class: "play-wrong" }, error.message));
    }
  }

  cells({ cells }) {
    const rows = cells.map(
      ({ column, yours, expected }) => html(
        "tr",
        {},
        ...[column, yours || "–", expected || "–"].map((text) => html("td", {}, say(String(text)))),
      ),
    );
    const head = html("tr", {}, ...words.cells.map((text) => html("th", { scope: "col" }, text)));
    return html(
      "table", { class: "play-cells" }, html("thead", {}, head), html("tbody", {}, ...rows),
    );
  }

  /** What was pasted, with the first wrong row marked. */
  marked(table, number) {
    const lines = table.split(/\r?\n/).slice(0, number + 3).map(
      (line, i) => html(i + 1 === number ? "mark" : "span", {}, `${line}\n`),
    );
    return html("pre", { class: "play-pasted" }, ...lines);
  }
}
