/**
 * The time of the playground: which moment is shown, playing, and stepping by hand. What is then
 * drawn is up to the class that extends this one: `show(moving)` and `save()`.
 */

import { Player } from "./replay/player.js";
import { Clock } from "./clock.js";
import { rowAt, scoreOf, stepAt, updatesAfter } from "./run.js";
import { kindOf } from "./step.js";
import { step, time } from "./strings.js";

const UNHURRIED = 640; // milliseconds, of which half are for moving

export class Timing {
  constructor() {
    this.runs = [];
    this.clock = null;
    this.place = 0; // of the moment, on the slider
    this.moment = { t: 0, end: false };
    this.asked = false; // whether the outcome of this update is still hidden
    this.byItself = false;
    this.player = new Player((n) => this.advance(n));
  }

  /** Count anew: the runs are others, or the unit is. The moment stays where it can. */
  setClock() {
    this.clock = new Clock(this.runs, this.view.unit);
    const total = this.clock.total;
    if (this.moment.t > total) this.moment = { t: total, end: this.moment.end };
    this.place = this.clock.placeOf(this.moment);
    this.moment = this.clock.moment(this.place);
    this.page.transport.setRun(
      this.runs[0],
      this.clock.scaleFor(this.runs[0]),
      this.runs[1],
      this.runs[1] && this.clock.scaleFor(this.runs[1]),
      this.view.unit,
    );
  }

  get playing() {
    return this.player.playing;
  }

  play() {
    if (!this.clock || this.clock.count === 0) return;
    if (this.place === this.clock.count) this.go(0);
    this.asked = false;
    this.player.start();
    this.page.step.speak(false);
    this.show();
  }

  playByItself() {
    this.play();
    this.byItself = true;
  }

  pause() {
    this.byItself = false;
    if (!this.playing) return;
    this.player.stop();
    this.show();
    this.save();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  advance(n) {
    const place = Math.min(this.clock.count, this.place + n);
    const more = place < this.clock.count;
    if (!more) this.player.stop();
    this.go(place);
    if (!more) this.byItself = false;
    return more;
  }

  go(place, moving = this.playing ? this.player.interval : UNHURRIED) {
    this.place = Math.min(this.clock.count, Math.max(0, place));
    this.moment = this.clock.moment(this.place);
    this.show(moving);
  }

  /** A step somebody asked for: it is spoken, and with *predict first* only half told. */
  goByHand(place) {
    if (!this.clock) return;
    this.pause();
    this.page.step.speak(true);
    const forward = place === this.place + 1;
    if (this.asked && forward) {
      this.asked = false;
      this.show(UNHURRIED);
    } else {
      this.asked = false;
      const next = this.clock.moment(Math.min(place, this.clock.count));
      const { k } = this.clock.standing(this.runs[0], next);
      const what = kindOf(this.runs[0], next, k);
      this.asked = this.view.predict && forward && this.runs.length === 1 && what === "update";
      this.go(place);
    }
    this.save();
  }

  setUnit(unit) {
    this.pause();
    this.view = { ...this.view, unit };
    this.asked = false;
    if (this.clock) {
      this.setClock();
      this.show();
    }
    this.save();
  }

  /** Where a run stands at this moment, as its stage and panels want to know. */
  standing(run) {
    const { k, t, epoch } = this.clock.standing(run, this.moment);
    const over = this.moment.end || this.moment.t > run.total; // beside a longer run it rests
    let what = over ? "end" : kindOf(run, { t, end: false }, k);
    if (this.asked && what === "update") what = "asked";
    const row = what === "right" ? rowAt(run, t) : null;
    const visit = row === null ? null : {
      row, y: run.points[row].side, score: scoreOf(run, k, row),
    };
    return { k, t, epoch, what, visit };
  }

  /** Stepping by epochs, a sentence about the epoch that is over; null at other times. */
  tellEpoch(run, { k, t, epoch, what }) {
    if (this.view.unit !== "epoch" || t === 0 || what === "end" || what === "asked") return null;
    const n = run.points.length;
    const made = k - updatesAfter(run, t - n);
    return step.epoch(epoch, made, n, stepAt(run, k), run);
  }

  describe(run, { k, t, epoch, what }) {
    if (what === "end") return time.end(run.n, run.answer.n_epochs);
    if (t === 0) return time.start(run.n);
    const text = time.at(k, run.n, epoch);
    return this.view.unit === "example" ? time.example(t, run.total, text) : text;
  }
}
