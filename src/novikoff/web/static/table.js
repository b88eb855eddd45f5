/** Points from a table: paste or drop a CSV, choose two columns and the target. */

import { html, userText } from "./replay/dom.js";
import { engine, Refused } from "./api.js";
import { makeDocument } from "./document.js";
import { table as words } from "./strings.js";
import { button, dialog, labelled } from "./widgets.js";

export class TableDialog {
  constructor(playground) {
    this.playground = playground;
    this.text = html(
      "textarea",
      {
        rows: 5,
        spellcheck: "false",
        "aria-label": words.paste,
        placeholder: words.example,
        "data-field": "csv",
      },
    );
    this.text.addEventListener("input", () => this.later());
    this.file = html(
      "input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", "aria-label": words.file },
    );
    this.file.addEventListener("change", () => this.file.files[0] && this.read(this.file.files[0]));
    this.choices = html("div", { class: "play-choices" });
    this.preview = html("div", { class: "play-preview" });
    this.status = html("p", { class: "play-share-status", role: "status" });
    this.use = button(words.use, () => this.finish(), { class: "play-main-button" });
    this.element = dialog(
      words.title,
      words.close,
      html("p", {}, words.how),
      this.text,
      this.file,
      this.choices,
      this.preview,
      this.status,
      this.use,
    );
    this.element.classList.add("play-wide");
    this.chosen = {};
    this.reset();
  }

  /** A file dropped anywhere on the page, or a table pasted where nothing is typed. */
  listen(root) {
    root.addEventListener("dragover", (event) => {
      const { types } = event.dataTransfer;
      if (types.includes("Files") || types.includes("text/plain")) event.preventDefault();
    });
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.read(file);
      else this.take(event.dataTransfer.getData("text/plain"));
    });
    document.addEventListener("paste", (event) => {
      if (event.target instanceof Element && event.target.closest("input, textarea, dialog")) return;
      const text = event.clipboardData.getData("text/plain");
      if (!text.trim().includes("\n")) return;
      event.preventDefault(); // or it would be pasted once more, into the field that opens
      this.take(text);
    });
  }

  reset() {
    this.answer = null;
    this.use.hidden = true;
    this.choices.replaceChildren();
    this.preview.replaceChildren();
    this.status.textContent = "";
  }

  open() {
    if (!this.element.open) this.element.showModal();
    this.text.focus();
  }

  async read(file) {
    const text = await file.text();
    this.take(text, file.name);
  }

  take(text, name = null) {
    this.name = name;
    this.text.value = text;
    this.reset(); // what an earlier table showed is not about this one
    this.open();
    this.ask({});
  }

  later() {
    clearTimeout(this.timer);
    this.expect();
    this.timer = setTimeout(() => this.ask({}), 300);
  }

  /** Another answer is to come; what the last one holds is not what is asked for any more. */
  expect() {
    this.turn = {};
    this.use.setAttribute("aria-disabled", "true");
    return this.turn;
  }

  async ask(chosen) {
    this.chosen = chosen;
    const turn = this.expect();
    const text = this.text.value;
    if (!text.trim()) {
      this.reset();
      return;
    }
    try {
      let answer = await engine.ask("table", { text, ...chosen });
      const { features, target } = answer.suggested;
      if (turn !== this.turn) return;
      if (!chosen.target && features && target) {
        this.chosen = { features, target };
        answer = await engine.ask("table", { text, features, target });
      }
      if (turn === this.turn) this.draw(answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (turn !== this.turn) return;
      this.reset();
      this.status.textContent = error.message;
    }
  }

  draw(answer) {
    this.answer = answer;
    const { columns, labels, points, notes, n_rows: n } = answer;
    const names = columns.map(({ name }) => name);
    const numbers = columns.filter(({ kind }) => kind === "number").map(({ name }) => name);
    const { features = [null, null], target = null, positive = null } = this.chosen;
    const pick = (text, list, value, act) => labelled(text, this.select(list, value, act));
    const axis = (j) => (name) => this.ask(
      { ...this.chosen, features: features.map((old, i) => (i === j ? name : old)) },
    );
    const fields = [
      pick(words.first, numbers, features[0], axis(0)),
      pick(words.second, numbers, features[1], axis(1)),
      pick(words.target, names, target, (name) => this.ask({ features, target: name })),
    ];
    if (labels && labels.length > 2) {
      fields.push(
        pick(
          words.positive,
          labels,
          answer.classes?.positive ?? positive,
          (label) => this.ask({ ...this.chosen, positive: label }),
        ),
      );
    }
    this.choices.replaceChildren(...fields);
    this.preview.replaceChildren(this.sample(names, answer.rows));
    this.status.textContent = [
      points ? words.ready(points.length) : words.choose, words.read(n), ...notes,
    ].join(" ");
    this.use.hidden = !points;
    this.use.removeAttribute("aria-disabled");
  }

  select(list, value, act) {
    const node = html("select");
    if (!list.includes(value)) node.append(html("option", { value: "" }, "–"));
    for (const name of list) node.append(html("option", { value: name }, name));
    node.value = value ?? "";
    node.addEventListener("change", () => act(node.value));
    return node;
  }

  sample(names, rows) {
    const cell = (tag) => (text) => userText(tag, text ?? "", tag === "th" ? { scope: "col" } : {});
    return html(
      "table", { class: "play-cells" }, html("thead", {}, html("tr", {}, ...names.map(cell("th")))),
      html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map(cell("td"))))),
    );
  }

  finish() {
    const { points, axes, classes } = this.answer;
    const settings = this.playground.document?.settings;
    this.element.close();
    this.playground.load(
      makeDocument({ points, axes, classes, settings, title: this.name }), { t: 0, end: true },
    );
  }
}
