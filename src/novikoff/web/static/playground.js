/**
 * The playground: a document, the runs on it, and a moment of them that is shown. Everything that a
 * person does arrives here; everything that is seen is drawn from here.
 */

import { TraceError } from "./replay/trace.js";
import { engine, Latest, Refused } from "./api.js";
import { fits, frameFor } from "./board.js";
import { makeDocument } from "./document.js";
import { Editing } from "./editing.js";
import { buildPage } from "./frame.js";
import { listen } from "./keys.js";
import { toFragment } from "./link.js";
import { setNotation } from "./notation.js";
import { openFirst, openLink } from "./opening.js";
import { readRun, stepAt, withoutRun } from "./run.js";
import { failures } from "./strings.js";

const SAVED_AFTER = 300; // milliseconds without a change, then the address follows
const LAG = 250; // milliseconds that what is known may lag behind points on the move
const QUICK = 20; // milliseconds: an answer that need not be left out

/** Whether the page is in a frame of a notebook: it has no address there. */
const framed = () => location.protocol === "about:";

class Playground extends Editing {
  constructor(root) {
    super();
    this.view = {
      notation: "theta", unit: "update", other: null, letters: true, predict: false, lecture: false,
    };
    this.requests = new Latest(
      (input) => this.request(input),
      (known, input) => this.known(known, input),
      (error, input) => this.failed(error, input),
    );
    this.knowing = { since: 0, until: 0, abort: null };
    this.sent = 0; // questions so far
    this.page = buildPage(root, this);
    listen(this);
  }

  // ------------------------------------------------------------------------------- opening

  async open() {
    try {
      const { presets, challenges, limits } = await engine.ask("presets");
      Object.assign(this, { presets, challenges, limits });
      this.page.points.setPresets(presets);
      this.page.learn.setChallenges(challenges);
      openFirst(this);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.page.alert(error.message);
    }
    addEventListener("hashchange", (event) => {
      const { hash } = new URL(event.newURL);
      if (hash.length <= 1 || hash === this.fragment) return;
      if (this.limits) openLink(this, hash);
      else location.reload(); // it never opened
    });
  }

  get state() {
    const { notation, unit, other } = this.view;
    return {
      format: "novikoff.play",
      version: 1,
      document: this.document,
      view: { ...this.rest, notation, unit, other },
    };
  }

  /** The moment that will be shown, once every answer is there. */
  get rest() {
    return this.wanted?.moment ?? this.moment;
  }

  openPreset(name, moment = { t: 0, end: false }, play = false) {
    const { points, settings, title } = this.presets.find((preset) => preset.name === name);
    this.load(makeDocument({ points, settings, title }), moment, play);
  }

  /** Another document: a new part of the plane, and a moment of its own. */
  load(document_, moment, play = false) {
    if (this.document) this.history.keep(this.document);
    this.selected = null;
    this.told = null; // an edit of what was there before
    this.frame = null;
    this.set(document_, { moment, play });
  }

  // ------------------------------------------------------------------------------- editing

  select(i) {
    this.selected = i;
    this.page.stages.forEach((stage) => stage.board?.select(i));
    this.drawForms();
  }

  setBrush(label) {
    this.brush = label;
    this.drawForms();
  }

  set(document_, { moment = null, play = false, dragging = false } = {}) {
    if (!this.document) this.page.setReady(true);
    if (!dragging) this.page.letGo(); // rows may be others now
    this.document = document_;
    this.page.note("");
    this.page.step.speak(false); // steps are spoken, not every pixel of a drag
    if (this.selected !== null && this.selected >= document_.points.length) this.selected = null;
    const { points, settings } = document_;
    if (!this.frame || !fits(this.frame, points) || this.frameOffset !== settings.offset) {
      this.frame = frameFor(points, settings.offset);
      this.frameOffset = settings.offset;
    } else {
      this.page.stages.forEach((stage) => stage.board?.showPoints(points));
    }
    this.drawForms();
    const number = (this.sent += 1);
    if (moment) this.wanted = { moment, play, number };
    const { since, abort } = this.knowing;
    if (abort) setTimeout(abort, since + LAG - performance.now()); // it holds up what is wanted now
    this.requests.send({ document: document_, other: this.view.other, frame: this.frame, number });
  }

  // ------------------------------------------------------------------------------- answers

  /** Ask for the runs and draw them; then for what is known about them, unless there is no time. */
  async request(input) {
    const { document: { points, settings, axes }, other } = input;
    const questions = [settings.algorithm, ...(other ? [other] : [])].map(
      (algorithm) => ({ points, settings: { ...settings, algorithm } }),
    );
    const named = axes ? { axes } : {};
    const answers = await Promise.all(
      questions.map((question) => engine.ask("run", { ...question, ...named, known: false })),
    );
    this.answered(answers, input);
    const { since, until } = this.knowing;
    const [now, took] = [performance.now(), until - since];
    if (this.requests.waiting && took > QUICK && now - until < LAG) return null;
    const control = new AbortController();
    this.knowing = { since: now, until: now, abort: () => control.abort() };
    const known = await Promise.all(
      questions.map((question) => engine.ask("known", question, control.signal)),
    );
    this.knowing = { since: now, until: performance.now(), abort: null };
    return known;
  }

  /** What is known about the runs that are drawn, null if nobody asked. */
  known(known, { document: document_ }) {
    if (!known) return;
    known.forEach((answer, i) => Object.assign(this.runs[i].answer, answer));
    this.show();
    if (document_ === this.document) this.speak();
  }

  answered(answers, { document: document_, frame, number }) {
    const runs = answers.map((answer) => readRun(answer, document_));
    runs.forEach((run, i) => { // what was known is near enough until it is known again
      const { points, answer, outdated } = this.runs[i] ?? {};
      if (points?.length === run.points.length) run.outdated = answer.verdict ?? outdated;
    });
    this.page.alert("");
    this.runs = runs;
    // What is drawn, which may be older than what is wanted.
    this.answeredFor = this.drawnFor = document_;
    this.page.setStages(runs.length);
    runs.forEach((run, i) => this.page.stages[i].setRun(run, frame, document_));
    // A moment that is wanted of a newer document says nothing about this one.
    const { moment, play } = this.wanted?.number <= number ? this.wanted : {};
    if (moment) [this.moment, this.wanted] = [moment, null];
    this.asked = false;
    this.setClock();
    this.page.resize();
    this.show();
    for (const { board } of this.page.stages) {
      if (this.document !== this.answeredFor) board.showPoints(this.document.points);
      board.select(this.selected);
    }
    this.page.learn.answered(document_);
    if (play) this.playByItself();
    else this.save();
  }

  failed(error, input) {
    if (error.name === "AbortError") return; // something newer is wanted
    this.knowing.abort = null;
    if (input.document === this.document) this.told = null;
    if (!(error instanceof Refused || error instanceof TraceError)) throw error;
    const message = error instanceof Refused ? error.message : `${failures.shown} ${error.message}`;
    const drawn = this.drawnFor === input.document;
    this.answeredFor = input.document;
    this.pause();
    this.page.alert(drawn || !this.runs.length ? message : `${message} ${failures.before}`);
    if (drawn) this.forget();
    else this.showAlone();
    if (this.clock) this.show();
    this.save(); // a reload is to find the points that are there
  }

  /** The points as they are, without a run on them; to mend what is refused, one has to see it. */
  showAlone() {
    const { page: { stages }, document: document_, frame } = this;
    if (!this.runs.length) {
      stages[0].setRun(withoutRun(document_), frame, document_);
      this.page.resize();
      stages[0].draw({ k: 0, t: 0, what: "start", visit: null });
    }
    stages.forEach(({ board }) => board.showPoints(document_.points, frame));
  }

  /** What is known did not come: what was known of other points is not to stand beside these. */
  forget() {
    for (const run of this.runs) {
      if (!run.answer.verdict) Object.assign(run, { outdated: null, unknown: true });
    }
  }

  // ------------------------------------------------------------------------------- showing

  setView(part) {
    this.view = { ...this.view, ...part };
    if (!this.view.predict) this.asked = false;
    setNotation(this.view.notation);
    this.page.applyView(this.view);
    this.drawForms();
    if (this.clock) this.show();
    if (this.clock && this.clock.unit !== this.view.unit) this.setUnit(this.view.unit);
  }

  compare(other) {
    this.setView({ other });
    this.set(this.document);
  }

  show(moving = 0) {
    const standings = this.runs.map((run) => this.standing(run));
    standings.forEach((standing, i) => this.page.stages[i].draw(standing, moving));
    const [run] = this.runs;
    const [{ k, what, visit }] = standings;
    const sentence = this.page.drawComparison(this.runs, standings)
      ?? this.tellEpoch(run, standings[0]);
    this.page.step.draw(run, stepAt(run, k), what, visit, this.document.settings, sentence);
    this.page.proof.draw(run, what === "asked" ? k - 1 : k);
    this.page.transport.show(this.place, this.describe(run, standings[0]), this.playing);
  }

  drawForms() {
    if (!this.document) return;
    const { points, settings, classes } = this.document;
    this.page.points.setBrush(this.brush, classes);
    this.page.points.draw(points, {
      selected: this.selected,
      canUndo: this.history.past.length > 0,
      canRedo: this.history.future.length > 0,
    });
    this.page.settings.draw(settings, this.view);
    this.page.drawLegend(classes);
  }

  // ------------------------------------------------------------------------------- sharing

  get link() {
    const fragment = toFragment(this.document, { ...this.view, ...this.rest });
    return fragment && `${framed() ? "" : location.href.split("#")[0]}${fragment}`;
  }

  /** Let the address follow what is shown, once it rests. */
  save() {
    clearTimeout(this.saving);
    if (framed()) return;
    this.saving = setTimeout(() => {
      this.fragment = toFragment(this.document, { ...this.view, ...this.rest }) ?? "";
      history.replaceState(null, "", `${location.href.split("#")[0]}${this.fragment}`);
    }, SAVED_AFTER);
  }
}

/** Open the page inside an element. */
export function open(root) {
  root.classList.toggle("play-embed", new URLSearchParams(location.search).get("embed") === "1");
  const playground = new Playground(root);
  root.playground = playground;
  playground.open();
  return playground;
}
