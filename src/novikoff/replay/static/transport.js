/** The controls: first, back, play, step, last, the slider with its timeline, the speed. */

import { html, set, svg } from "./dom.js";
import { controls } from "./strings.js";
import { byUpdates, Timeline } from "./timeline.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 16, 64];
const THUMB = 24; // pixels, as in replay.css
const ICONS = {
  first: "M5 5v14M19 5L8 12l11 7z",
  back: "M16 5L6 12l10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  step: "M8 5l10 7-10 7z",
  last: "M19 5v14M5 5l11 7-11 7z",
};

function icon(name) {
  const glyph = svg("svg", { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" });
  glyph.append(svg("path", { d: ICONS[name] }));
  return glyph;
}

export class Transport {
  /**
   * `actions`: go(place), toggle(), speed(factor); all by hand, never by the clock. `scale` is what
   * the slider counts, see timeline.js.
   */
  constructor(run, actions, scale = byUpdates(run)) {
    this.run = run;
    this.count = scale.count;
    this.k = 0;
    this.timeline = new Timeline(run, scale);
    this.large = 1; // how much larger than usual the numbers of the epochs are
    this.button = {
      first: this.makeButton("first", () => actions.go(0)),
      back: this.makeButton("back", () => actions.go(this.k - 1)),
      play: this.makeButton("play", () => actions.toggle()),
      step: this.makeButton("step", () => actions.go(this.k + 1)),
      last: this.makeButton("last", () => actions.go(this.count)),
    };
    this.slider = html("input", {
      type: "range", class: "nr-slider", min: 0, max: this.count, step: 1, value: 0,
      "aria-label": controls.slider,
    });
    this.slider.addEventListener("input", () => actions.go(Number(this.slider.value)));
    this.speed = html("select", { class: "nr-speed" });
    for (const factor of SPEEDS) {
      const option = html("option", { value: factor }, controls.times(factor));
      this.speed.append(option);
    }
    this.speed.value = "1";
    this.speed.addEventListener("change", () => actions.speed(Number(this.speed.value)));
    this.position = html("output", { class: "nr-position", "aria-live": "off" });
    this.track = html("div", { class: "nr-track" }, this.slider, this.timeline.element);
    this.element = html(
      "div", { class: "nr-transport", role: "group", "aria-label": controls.group },
      html("div", { class: "nr-buttons" }, ...Object.values(this.button)),
      this.position,
      html("label", { class: "nr-speed-label" }, `${controls.speed} `, this.speed),
      this.track,
    );
  }

  /** Control another run, or the same one on another scale. */
  setRun(run, scale) {
    this.run = run;
    this.count = scale.count;
    set(this.slider, { max: this.count });
    const { element } = this.timeline;
    this.timeline = new Timeline(run, scale);
    element.replaceWith(this.timeline.element);
    this.resize();
  }

  makeButton(name, act) {
    const label = controls[name];
    const button = html("button", { type: "button", "aria-label": label, title: label }, icon(name));
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") act();
    });
    return button;
  }

  resize() {
    this.timeline.resize(this.track.clientWidth, THUMB, this.large);
    this.timeline.draw(this.k);
  }

  draw(step, playing) {
    this.show(step.k, controls.position(step.k, this.run.n, step.epoch), playing);
  }

  /** Show a place of the slider, called `text`. */
  show(place, text, playing) {
    this.k = place;
    this.slider.value = String(place);
    set(this.slider, { "aria-valuetext": text });
    this.position.textContent = text;
    // Not the attribute `disabled`: a button that loses the focus leaves a keyboard user nowhere.
    const [first, last] = [place === 0, place === this.count];
    const off = { first, back: first, step: last, last, play: this.count === 0 };
    for (const [name, value] of Object.entries(off)) {
      set(this.button[name], { "aria-disabled": value ? "true" : null });
    }
    const name = playing ? "pause" : "play";
    if (this.shown !== name) {
      this.shown = name;
      set(this.button.play, { "aria-label": controls[name], title: controls[name] });
      this.button.play.replaceChildren(icon(name));
    }
    this.timeline.draw(place);
  }
}
