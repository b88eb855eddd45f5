/**
 * The replay of a run: mount(element, traceDocument, options) -> Replay.
 *
 * It reads the trace format and nothing else; see docs/replay.md.
 */

import { html, userText } from "./dom.js";
import { still, tween } from "./motion.js";
import { Panel } from "./panel.js";
import { Plane } from "./plane.js";
import { Player } from "./player.js";
import { controls, errors, figure } from "./strings.js";
import { readTrace, stepOf, TraceError } from "./trace.js";
import { Transport } from "./transport.js";

const TWEEN = 320; // milliseconds at most
const SMALLEST = 240; // pixels: the plane is never drawn for less

/** A run on the page. Fires "change" whenever what is shown changes. */
export class Replay extends EventTarget {
  constructor(element, traceDocument, options = {}) {
    super();
    this.element = element;
    this.error = null;
    this.run = null;
    this.step = null;
    this.cleanup = new AbortController();
    this.stopMoving = () => {};
    this.player = new Player((n) => this.advance(n));
    element.classList.add("novikoff-replay");
    element.setAttribute("dir", "ltr");
    try {
      this.run = readTrace(traceDocument, options.limits);
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      this.error = error;
      const title = html("strong", {}, errors.title);
      element.replaceChildren(html("p", { class: "nr-error", role: "alert" }, title, " ", error.message));
      return;
    }
    this.build(options);
    this.listen(options);
    this.show(this.clamp(options.start ?? 0));
    if (options.autoplay && !still()) this.play();
    this.byItself = this.playing;
  }

  build({ counting = "rows" }) {
    const { run } = this;
    this.plane = new Plane(run);
    this.panel = new Panel(run, counting);
    this.transport = new Transport(run, {
      go: (k) => this.goByHand(k),
      toggle: () => this.toggle(),
      speed: (factor) => this.player.setSpeed(factor),
    });
    const name = (j) => (run.featureNames ? run.featureNames[j] : figure.feature(j));
    const axis = (j, end) => userText("div", name(j), { class: `nr-axis nr-user nr-${end}` });
    this.caption = html("div", { class: "nr-caption" });
    this.holder = html("div", { class: "nr-holder" }, this.plane.element);
    const below = html("figcaption", { class: "nr-below" }, this.caption, axis(0, "horizontal"));
    const picture = html("figure", { class: "nr-figure" }, axis(1, "vertical"), this.holder, below);
    const body = html(
      "div", { class: "nr-body" },
      picture, this.panel.sentence, this.transport.element, this.panel.facts, this.panel.legend,
      html("p", { class: "nr-hint" }, `${controls.ticks} ${controls.keys}`),
    );
    this.element.replaceChildren(body);
    this.element.tabIndex = -1; // a click anywhere lets the keys work
  }

  listen({ keys = this.element }) {
    const { signal } = this.cleanup;
    keys.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.element.addEventListener("pointerdown", (event) => this.onPointer(event), { signal });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.holder);
    this.observer.observe(this.transport.track);
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
    matchMedia("print").addEventListener("change", (event) => this.print(event.matches), { signal });
    this.resize();
  }

  // ------------------------------------------------------------------- what others may call

  /** What is shown: {k, n, epoch, theta, offset, update, playing}; null if the run cannot be. */
  get state() {
    if (!this.run) return null;
    const { k, epoch, theta, offset, update } = this.step;
    const { playing, run: { n } } = this;
    return { k, n, epoch, theta: [...theta], offset, update: update && { ...update }, playing };
  }

  get playing() {
    return this.player.playing;
  }

  /** Show the state after k updates. */
  go(k) {
    if (!this.run) return;
    this.panel.speak(!this.playing);
    this.show(this.clamp(k));
  }

  /** Play on; from the beginning, if this is the end. */
  play() {
    if (!this.run || this.run.n === 0 || this.playing) return;
    this.player.start();
    this.panel.speak(false);
    if (this.step.k === this.run.n) this.show(0);
    else this.refresh();
  }

  pause() {
    this.byItself = false;
    this.panel?.speak(true);
    if (!this.playing) return;
    this.player.stop();
    this.refresh();
  }

  /** Take everything off the page again. */
  destroy() {
    this.player.stop();
    this.stopMoving();
    this.cleanup.abort();
    this.observer?.disconnect();
    this.element.replaceChildren();
    this.element.classList.remove("novikoff-replay");
  }

  // ------------------------------------------------------------------------------- drawing

  clamp(k) {
    const whole = Math.trunc(Number(k)) || 0;
    return Math.min(this.run.n, Math.max(0, whole));
  }

  show(k) {
    if (this.step?.k === k) return;
    const from = this.step;
    this.step = stepOf(this.run, k);
    const near = from !== null && Math.abs(from.k - k) === 1;
    this.refresh(near && !still() ? from : null);
  }

  /** Draw the step; `from` is what θ is to move from. */
  refresh(from = null) {
    this.panel.draw(this.step);
    this.transport.draw(this.step, this.playing);
    this.stopMoving();
    if (from) this.move(from);
    else this.draw();
    this.dispatchEvent(new CustomEvent("change", { detail: this.state }));
  }

  draw(moving) {
    this.caption.textContent = this.plane.draw(this.step, moving);
  }

  move(from) {
    const length = Math.min(TWEEN, this.playing ? this.player.interval / 2 : TWEEN);
    this.stopMoving = tween(from, this.step, length, (moving) => this.draw(moving));
  }

  resize() {
    const width = Math.max(SMALLEST, Math.floor(this.holder.clientWidth));
    if (width !== this.plane.size) {
      this.plane.resize(width);
      if (this.step) this.draw();
    }
    this.transport.resize();
  }

  /** On paper there is one state: the last. Back on the screen it is as it was. */
  print(begins) {
    if (begins && this.printed === undefined) {
      this.pause();
      this.printed = this.step.k;
      this.step = stepOf(this.run, this.run.n);
      this.refresh();
    } else if (!begins && this.printed !== undefined) {
      const k = this.printed;
      this.printed = undefined;
      this.step = stepOf(this.run, k);
      this.refresh();
    }
  }

  // --------------------------------------------------------------------------------- input

  advance(n) {
    const k = this.clamp(this.step.k + n);
    const more = k < this.run.n;
    if (!more) this.player.stop(); // the live region stays off: nobody asked for this step
    this.show(k);
    return more;
  }

  goByHand(k) {
    this.pause();
    this.go(k);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** What started by itself is stopped by any input; the play button stops it anyway. */
  onPointer(event) {
    if (this.byItself && !this.transport.button.play.contains(event.target)) this.pause();
  }

  onKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target } = event;
    const on = (selector) => target instanceof Element && target.closest(selector) !== null;
    if (on("select, textarea, [contenteditable], input:not([type=range])")) return;
    if (event.key === " ") {
      if (on("button, a[href], summary")) return; // theirs
      event.preventDefault();
      this.toggle();
      return;
    }
    if (this.byItself) this.pause();
    if (on("input")) return; // a slider knows its keys
    const { k } = this.step;
    const goal = { ArrowLeft: k - 1, ArrowRight: k + 1, Home: 0, End: this.run.n }[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    this.goByHand(goal);
  }
}

/**
 * Show a trace document inside an element.
 *
 * Options: `autoplay` (not where reduced motion is asked for), `start` (the number of updates shown
 * first), `counting` ("rows" from 0, "examples" from 1), `keys` (where keys are listened to; the
 * element itself by default), `limits` ({updates, rows}).
 */
export function mount(element, traceDocument, options = {}) {
  return new Replay(element, traceDocument, options);
}
