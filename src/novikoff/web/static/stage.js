/** One algorithm on the plane: its name, the board with hands on it, θ-space, a caption. */

import { html, userText } from "./replay/dom.js";
import { still, tween } from "./replay/motion.js";
import { figure } from "./replay/strings.js";
import { engine, Latest } from "./api.js";
import { Board } from "./board.js";
import { Hands } from "./hands.js";
import { say } from "./notation.js";
import { alphaAfter, modelAt, stepAt } from "./run.js";
import { algorithms, stage as words, thetaSpace } from "./strings.js";
import { ThetaSpace } from "./thetaspace.js";

const TWEEN = 320; // milliseconds at most
const SMALLEST = 160; // pixels
const SHADED = ["averaged", "voted", "kernel"];
const FINE = 128; // cells along a side
const COARSE = 32;
const MANY = 400; // updates, from which on a fine grid is asked for only once a coarse one is there

export class Stage {
  constructor(actions) {
    this.actions = actions;
    this.board = null;
    this.name = html("p", { class: "play-name" });
    this.holder = html("div", { class: "play-holder" });
    this.space = new ThetaSpace();
    this.caption = html("div", { class: "play-caption" });
    this.axes = [0, 1].map(
      (j) => userText("span", "", { class: `nr-user play-axis-name play-axis-${j}` }),
    );
    this.holder.append(...this.axes);
    this.pair = html("div", { class: "play-pair" }, this.holder, this.space.element);
    this.element = html(
      "figure", { class: "play-stage" }, this.name, this.pair, html("figcaption", {}, this.caption),
    );
    this.fields = new Latest(
      (input) => this.askField(input),
      (field, input) => this.takeField(field, input),
      (error, input) => this.missField(error, input),
    );
    this.missed = null; // why there is no shading
    this.stopMoving = () => {};
  }

  setRun(run, view, document_) {
    this.run = run;
    this.document = document_;
    this.stopMoving();
    if (this.board) this.board.setRun(run, view);
    else {
      this.board = new Board(run, view);
      this.holder.prepend(this.board.canvas, this.board.element);
      this.hands = new Hands(this.board, this.actions);
    }
    this.wanted = null;
    this.missed = null;
    if (!this.shaded) this.board.setField(null);
    const names = document_.axes ?? [figure.feature(0), figure.feature(1)];
    this.axes.forEach((node, j) => (node.textContent = names[j]));
    this.name.textContent = algorithms[run.algorithm];
    this.shown = null;
  }

  get known() {
    return this.run.answer.verdict ?? this.run.outdated ?? null;
  }

  get shaded() {
    return SHADED.includes(this.run.algorithm) && this.run.answer.status !== "idle";
  }

  get spacious() {
    return !this.run.fitIntercept && !this.run.kernel;
  }

  /** Fit into a box of pixels, with numbers `large` times their usual size. */
  resize(width, height, alone, large) {
    if (!this.board) return;
    this.board.enlarge(large);
    const beside = this.spacious && alone && width >= 520;
    this.axes[0].style.bottom = `${6 + 26 * this.board.large}px`;
    this.space.element.classList.toggle("play-absent", !beside);
    // A board is a little lower than wide: numbers at its left, numbers below.
    const size = Math.max(
      SMALLEST, Math.floor(Math.min(height + 4, beside ? width * 0.64 : width)),
    );
    this.spaceSize = beside ? Math.floor(Math.min(width - size - 16, size * 0.62)) : 0;
    if (size !== this.board.size) this.board.resize(size);
    this.axes[1].style.left = `${this.board.left + 8}px`;
    if (this.shown) this.draw(this.shown);
  }

  /**
   * Draw a moment: {k, what, visit, asked, verdict}. `moving` milliseconds are there for θ to move
   * from where it is.
   */
  draw(moment, moving = 0) {
    const { k, what, visit } = moment;
    const asked = what === "asked";
    const step = stepAt(this.run, asked ? k - 1 : k);
    const before = this.shown;
    this.shown = moment;
    const extra = {
      alpha: alphaAfter(this.run, step.k),
      model: modelAt(this.run, step.k, asked ? moment.t - 1 : moment.t, what === "end"),
      visit: what === "right" ? visit.row : null,
      asked: asked ? this.run.updates.row[k - 1] : null,
      verdict: what === "end" && !this.run.kernel ? this.known : null, // it speaks of lines
    };
    // At the end and at an example that was right, the last update is over: no ring, no dashes.
    const drawn = what === "right" || what === "end" ? {
      ...step, update: null, before: null,
    } : step;
    this.stopMoving();
    const near = before && Math.abs(before.k - k) === 1 && !asked;
    const from = near && moving > 0 && !still() ? stepAt(this.run, before.k) : null;
    const draw = (between) => this.tell(this.board.draw(drawn, between ?? drawn, extra));
    if (from) this.stopMoving = tween(from, step, Math.min(TWEEN, moving / 2), draw);
    else draw();
    if (this.spaceSize > 60) this.space.draw(this.run, step.k, this.spaceSize);
    this.shade(step.k, what === "end");
  }

  tell(caption) {
    const { algorithm } = this.run;
    const votes = algorithm === "averaged" || algorithm === "voted";
    // Where votes are shaded, what one hypothesis would predict is not what is seen.
    const space = this.spaceSize > 60
      ? say(thetaSpace.caption(this.known && Boolean(this.known.street))) : "";
    const parts = [votes ? "" : caption, this.missed ?? words.shading[algorithm]].filter(Boolean);
    const blank = this.run.kernel && !this.shaded; // points, and nothing that could be explained
    this.caption.textContent = blank ? "" : parts.join(" ") || space; // there is room for one line
  }

  // ------------------------------------------------------------------------------- shading

  shade(k, end) {
    if (!this.shaded) return;
    const wanted = end ? null : k;
    if (this.wanted?.run === this.run && this.wanted.step === wanted) return;
    this.wanted = { run: this.run, step: wanted, document: this.document, view: this.board.view };
    const size = (wanted ?? this.run.n) > MANY ? COARSE : FINE;
    this.fields.send({ ...this.wanted, size, wanted: this.wanted });
  }

  askField({ run, step, size, document: { points, settings }, view: { centre, half } }) {
    const window = {
      left: centre[0] - half[0], right: centre[0] + half[0],
      bottom: centre[1] - half[1], top: centre[1] + half[1],
    };
    return engine.ask(
      "field",
      { points, settings: { ...settings, algorithm: run.algorithm }, step, window, size },
    );
  }

  takeField(field, input) {
    if (input.wanted !== this.wanted) return;
    this.field = input.wanted;
    this.missed = null;
    this.board.setField(field);
    if (input.size < FINE) this.fields.send({ ...input, size: FINE });
  }

  /** No grid came: that of another moment is not to stand for it. A coarse one of this does. */
  missField(error, { wanted }) {
    if (wanted !== this.wanted || this.field === wanted) return;
    this.missed = words.unshaded(error.message);
    this.board.setField(null);
    this.draw(this.shown);
  }
}
