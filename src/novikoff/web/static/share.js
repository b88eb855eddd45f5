/** Share: a link, files, a picture. */

import { html } from "./replay/dom.js";
import { engine, Refused } from "./api.js";
import { LONGEST } from "./link.js";
import { openState } from "./opening.js";
import { toPng } from "./png.js";
import { replayOf } from "./saving.js";
import { share as words } from "./strings.js";
import { button, dialog, download } from "./widgets.js";

const EXPORTS = ["html", "trace", "markdown", "python"];

export class ShareDialog {
  constructor(playground) {
    this.playground = playground;
    this.address = html(
      "input", { type: "text", readonly: "", "aria-label": words.link, class: "play-address" },
    );
    this.copy = button(words.copy, () => this.copyLink(), { class: "play-main-button" });
    this.status = html("p", { class: "play-share-status", role: "status" });
    this.row = html("div", { class: "play-address-row" }, this.address, this.copy);
    this.files = EXPORTS.map(
      (kind) => button(words.kinds[kind], () => this.save(kind), { "data-kind": kind }),
    );
    this.png = button(words.png, () => this.savePng());
    this.file = html(
      "input",
      {
        type: "file",
        accept: ".json,application/json",
        class: "play-hidden",
        "aria-label": words.open,
        tabindex: -1,
      },
    );
    this.file.addEventListener("change", () => this.openFile());
    const state = [
      button(words.saveState, () => this.saveState()), button(words.open, () => this.file.click()),
    ];
    this.element = dialog(
      words.title, words.close, html("h3", {}, words.link), this.row, this.status,
      html("h3", {}, words.files),
      html("div", { class: "play-files" }, ...this.files, this.png),
      html("h3", {}, words.state), html("div", { class: "play-files" }, ...state, this.file),
    );
  }

  open() {
    const { link, document: { settings }, runs } = this.playground;
    this.row.hidden = link === null;
    this.address.value = link ?? "";
    this.status.textContent = link === null ? words.tooLong(LONGEST) : words.what;
    for (const node of this.files) {
      const off = settings.algorithm === "kernel" && node.dataset.kind !== "python";
      node.hidden = off || runs.length === 0;
    }
    this.png.hidden = runs.length === 0;
    this.element.showModal();
    this.address.select();
  }

  async copyLink() {
    this.address.select();
    try {
      await navigator.clipboard.writeText(this.address.value);
      this.status.textContent = words.copied;
    } catch {
      this.status.textContent = words.copyByHand;
    }
  }

  async save(kind) {
    const { points, settings, axes, title } = this.playground.document;
    const question = { points, settings, kind, ...(axes ? { axes } : {}) };
    try {
      const answer = kind === "html" ? await replayOf(question, title ?? words.run)
        : await engine.ask("export", question);
      download(answer.name, answer.type, answer.text);
      this.status.textContent = words.saved(answer.name);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.status.textContent = error.message;
    }
  }

  async savePng() {
    const blob = await toPng(this.playground.page.stages);
    download("novikoff.png", "image/png", blob);
    this.status.textContent = words.saved("novikoff.png");
  }

  saveState() {
    download("novikoff-state.json", "application/json", JSON.stringify(this.playground.state));
    this.status.textContent = words.saved("novikoff-state.json");
  }

  async openFile() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    const state = await file.text().then(JSON.parse).catch(() => null);
    if (openState(this.playground, state)) this.element.close();
    else this.status.textContent = words.notState;
  }
}
