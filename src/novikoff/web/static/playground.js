/**
 * The playground: a document, the runs on it, and a moment of them that is shown. Everything that a
 * person does arrives here; everything that is seen is drawn from here.
 */

import { TraceError } from "./replay/trace.js";
import { ask, Latest, Refused } from "./api.js";
import { fits, frameFor } from "./board.js";
import { History, makeDocument } from "./document.js";
import { buildPage } from "./frame.js";
import { listen } from "./keys.js";
import { toFragment } from "./link.js";
import { setNotation } from "./notation.js";
import { openFirst, openLink } from "./opening.js";
import { readRun, stepAt } from "./run.js";
import { failures } from "./strings.js";
import { Timing } from "./timing.js";

const SAVED_AFTER = 300; // milliseconds without a change, then the address follows

export class Playground extends Timing {
  constructor(root) {
    super();
    this.view = {
      notation: "theta", unit: "update", other: null, letters: true, predict: false, lecture: false,
    };
    this.brush = 1;
    this.selected = null;
    this.history = new History();
    this.requests = new Latest(
      (input) => this.request(input),
      (a, input) => this.answered(a, input),
      (e, input) => this.failed(e, input),
    );
    this.page = buildPage(root, this);
    listen(this);
  }

  // ------------------------------------------------------------------------------- opening

  async open() {
    try {
      const { presets, challenges, limits } = await ask("/api/presets");
      Object.assign(this, { presets, challenges, limits });
      this.page.points.setPresets(presets);
      this.page.learn.setChallenges(challenges);
      await openFirst(this);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.page.alert(error.message);
    }
    addEventListener("hashchange", (event) => {
      const { hash } = new URL(event.newURL);
      if (hash.length > 1 && hash !== this.fragment) openLink(this, hash);
    });
  }

  get state() {
    const { notation, unit, other } = this.view;
    return {
      format: "novikoff.play",
      version: 1,
      document: this.document,
      view: { ...this.moment, notation, unit, other },
    };
  }

  openPreset(name, moment = { t: 0, end: false }, play = false) {
    const { points, settings, title } = this.presets.find((preset) => preset.name === name);
    this.load(makeDocument({ points, settings, title }), moment, play);
  }

  /** Another document: a new part of the plane, and a moment of its own. */
  load(document_, moment, play = false) {
    if (this.document) this.history.keep(this.document);
    this.selected = null;
    this.frame = null;
    this.set(document_, { moment, play });
  }

  // ------------------------------------------------------------------------------- editing

  /** Change the document; what it was can be had again, unless `quiet`. */
  change(part, quiet = false) {
    if (!quiet) this.history.keep(this.document);
    this.page.note("");
    this.set({ ...this.document, ...part });
  }

  changeSettings(part) {
    this.change({ settings: { ...this.document.settings, ...part } });
  }

  changePoint(i, part, quiet = false) {
    const points = this.document.points.map(
      (point, j) => (j === i ? { ...point, ...part } : point),
    );
    this.change({ points }, quiet);
  }

  addPoint({ x, y }) {
    const { points } = this.document;
    if (points.length >= this.limits.points) return;
    this.selected = points.length;
    this.change({ points: [...points, { x, y, label: this.brush }] });
  }

  removePoint(i) {
    const points = this.document.points.filter((_, j) => j !== i);
    this.selected = null;
    this.change({ points });
  }

  reorder(from, to) {
    const points = [...this.document.points];
    points.splice(to, 0, ...points.splice(from, 1));
    this.selected = to;
    this.change({ points });
  }

  undo() {
    const before = this.history.undo(this.document);
    if (before) this.set(before);
  }

  redo() {
    const after = this.history.redo(this.document);
    if (after) this.set(after);
  }

  select(i) {
    this.selected = i;
    this.page.stages.forEach((stage) => stage.board?.select(i));
    this.drawForms();
  }

  setBrush(label) {
    this.brush = label;
    this.drawForms();
  }

  set(document_, { moment = null, play = false } = {}) {
    this.document = document_;
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
    if (moment) this.wanted = { moment, play };
    this.requests.send({ document: document_, other: this.view.other, frame: this.frame });
  }

  // ------------------------------------------------------------------------------- answers

  request({ document: { points, settings, axes }, other }) {
    const names = [settings.algorithm, ...(other ? [other] : [])];
    return Promise.all(
      names.map((algorithm) => {
        const named = axes ? { axes } : {};
        return ask("/api/run", { points, settings: { ...settings, algorithm }, ...named });
      }),
    );
  }

  answered(answers, { document: document_, frame }) {
    const runs = answers.map((answer) => readRun(answer, document_));
    this.page.alert("");
    this.runs = runs;
    this.answeredFor = document_; // what is drawn, which may be older than what is wanted
    this.page.setStages(runs.length);
    runs.forEach((run, i) => this.page.stages[i].setRun(run, frame, document_));
    const { moment, play } = this.wanted ?? {};
    this.wanted = null;
    if (moment) this.moment = moment;
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
    if (!(error instanceof Refused || error instanceof TraceError)) throw error;
    this.answeredFor = input.document;
    this.pause();
    this.page.alert(
      error instanceof Refused ? error.message : `${failures.shown} ${error.message}`,
    );
  }

  // ------------------------------------------------------------------------------- showing

  setView(part) {
    this.view = { ...this.view, ...part };
    setNotation(this.view.notation);
    this.page.applyView(this.view);
    if (this.document) this.drawForms();
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
    const sentence = this.page.drawComparison(this.runs, standings);
    this.page.step.draw(run, stepAt(run, k), what, visit, this.document.settings, sentence);
    this.page.proof.draw(run, what === "asked" ? k - 1 : k);
    this.page.transport.show(this.place, this.describe(run, standings[0]), this.playing);
  }

  drawForms() {
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
    const fragment = toFragment(this.document, { ...this.view, ...this.moment });
    return fragment && `${location.origin}${location.pathname}${fragment}`;
  }

  /** Let the address follow what is shown, once it rests. */
  save() {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => {
      this.fragment = toFragment(this.document, { ...this.view, ...this.moment }) ?? "";
      history.replaceState(null, "", `${location.pathname}${this.fragment}`);
    }, SAVED_AFTER);
  }
}

/** Open the page inside an element. */
export function open(root) {
  const playground = new Playground(root);
  root.playground = playground;
  playground.open();
  return playground;
}
