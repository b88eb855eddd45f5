/** The tour of six lessons, and homework: challenges that check themselves, and a table to check. */

import { html } from "./replay/dom.js";
import { engine } from "./api.js";
import { makeDocument } from "./document.js";
import { say } from "./notation.js";
import { learn as words, lessons } from "./strings.js";
import { button } from "./widgets.js";

/** What each lesson shows: a preset, settings, the moment and what to step by. */
const SCENES = [
  { preset: "default", moment: { t: 0, end: true } },
  { preset: "default", moment: { t: 0, end: false } },
  { preset: "default", moment: { t: 19, end: false } }, // its third update
  { preset: "offset", settings: { offset: false, epochs: 20 }, moment: { t: 0, end: true } },
  { preset: "bound", moment: { t: 0, end: true } },
  { preset: "xor", settings: { algorithm: "voted", epochs: 10 }, moment: { t: 0, end: true } },
];

export class Learn {
  constructor(playground, changed) {
    Object.assign(this, { playground, changed });
    this.element = html("aside", { class: "play-learn", "aria-label": words.title, hidden: "" });
    this.lesson = null;
    this.challenges = [];
    this.solved = null;
  }

  get active() {
    return !this.element.hidden;
  }

  setChallenges(challenges) {
    this.challenges = challenges;
  }

  close() {
    this.element.hidden = true;
    this.element.classList.remove("play-touring", "play-listing"); // they keep the points hidden
    this.lesson = null;
    this.challenge = null;
    this.changed();
  }

  fill(title, ...content) {
    const out = button("✕", () => this.close(), { class: "play-close", "aria-label": words.close });
    const heading = html("h2", { tabindex: -1 }, title);
    this.element.replaceChildren(
      html("div", { class: "play-learn-head" }, heading, out), ...content
    );
    this.element.hidden = false;
    this.element.classList.toggle("play-touring", this.lesson !== null);
    this.element.classList.toggle("play-listing", this.lesson === null && !this.challenge);
    this.changed();
    heading.focus();
  }

  // ---------------------------------------------------------------------------------- tour

  openTour(number = 0) {
    this.challenge = null;
    this.lesson = number;
    const { title, text, doing } = lessons[number];
    const last = number === lessons.length - 1;
    const back = button(words.back, () => this.openTour(number - 1));
    if (number === 0) back.setAttribute("aria-disabled", "true");
    const next = last ? button(words.done, () => this.close(), { class: "play-main-button" })
      : button(words.next, () => this.openTour(number + 1), { class: "play-main-button" });
    this.fill(
      words.lesson(number + 1, lessons.length), html("h3", {}, title),
      ...text.map((paragraph) => html("p", {}, say(paragraph))),
      html("p", { class: "play-doing" }, say(doing)), html(
        "div", { class: "play-turn" }, back, next,
      ),
    );
    this.showScene(SCENES[number]);
  }

  showScene({ preset, settings = {}, moment }) {
    const { playground } = this;
    playground.pause();
    if (playground.view.other || playground.view.unit !== "update") playground.setView({ other: null, unit: "update" });
    const found = playground.presets.find(({ name }) => name === preset);
    const document_ = {
      points: found.points,
      settings: { ...found.settings, ...settings },
      axes: null,
      classes: null,
      title: found.title,
    };
    playground.load(document_, moment);
  }

  // ------------------------------------------------------------------------------ homework

  openHomework() {
    this.lesson = null;
    this.challenge = null;
    const items = this.challenges.map((challenge) => html(
      "div", { class: "play-task" }, html("h3", {}, challenge.title), html(
        "p", {}, say(challenge.task),
      ),
      button(words.try, () => this.openChallenge(challenge)),
    ));
    const check = html(
      "div",
      { class: "play-task" },
      html("h3", {}, words.check),
      html("p", {}, say(words.checkText)),
      button(words.checkOpen, () => this.playground.page.steps.open(true)),
    );
    this.fill(words.homework, ...items, check);
  }

  openChallenge(challenge) {
    this.challenge = challenge;
    this.outcome = html("p", { class: "play-outcome", role: "status" });
    this.fill(
      challenge.title,
      html("p", {}, say(challenge.task)),
      this.outcome,
      html("div", { class: "play-turn" }, button(words.all, () => this.openHomework())),
    );
    const { playground } = this;
    playground.pause();
    if (playground.view.other) playground.setView({ other: null });
    playground.load(makeDocument({ points: [] }), { t: 0, end: true });
  }

  async check(document_) {
    const { challenge, outcome } = this;
    const { points, settings } = document_;
    const late = () => this.challenge !== challenge || this.playground.document !== document_;
    try {
      const { solved, sentence } = await engine.ask(
        "challenge", { name: challenge.name, points, settings },
      );
      if (late()) return;
      outcome.textContent = say(sentence);
      outcome.classList.toggle("play-solved", solved);
    } catch (error) {
      if (late()) return;
      outcome.textContent = error.message;
      outcome.classList.remove("play-solved");
    }
  }

  // ------------------------------------------------------------------------------- hearing

  /** A run arrived: check the challenge. */
  answered(document_) {
    if (this.challenge) this.check(document_);
  }
}
