/** The replay's controls for the playground: one more choice, and a second row of ticks for two runs. */

import { html, set } from "./replay/dom.js";
import { Timeline } from "./replay/timeline.js";
import { Transport } from "./replay/transport.js";
import { UNITS } from "./clock.js";
import { algorithms, time as words } from "./strings.js";
import { choice } from "./widgets.js";

const THUMB = 24; // pixels, as in replay.css
const NOTHING = { n: 0, updates: { epoch: [], y: [] } };
const NOWHERE = { count: 0, place: () => 0, bands: [] };

export class TimeBar {
  constructor(playground) {
    this.inner = new Transport(NOTHING, {
      go: (place) => playground.goByHand(place),
      toggle: () => playground.toggle(),
      speed: (factor) => playground.player.setSpeed(factor),
    }, NOWHERE);
    const { button, element, track } = this.inner;
    button.play.classList.add("play-button-play");
    for (const name of ["first", "last"]) set(
      button[name], { "aria-label": words[name], title: words[name] },
    );
    this.unit = choice(
      words.units, "update", (unit) => playground.setUnit(unit), { class: "nr-speed" },
    );
    const unit = html("label", { class: "nr-speed-label play-unit" }, `${words.unit} `, this.unit);
    element.querySelector(".nr-speed-label").before(unit);
    this.second = html("div", { class: "play-second", hidden: "" });
    this.names = [0, 1].map(() => html("span", { class: "play-track-name" }));
    track.append(this.second);
    this.element = element;
    this.other = null;
  }

  setRun(run, scale, other, otherScale, unit) {
    this.inner.setRun(run, scale);
    this.unit.value = UNITS.includes(unit) ? unit : "update";
    for (const name of ["back", "step"]) {
      const text = words.names[unit][name];
      set(this.inner.button[name], { "aria-label": text, title: text });
    }
    this.other = other ? new Timeline(other, otherScale) : null;
    this.second.hidden = !other;
    this.second.replaceChildren(...(other ? [this.other.element] : []));
    this.inner.track.title = other ? words.rows(
      algorithms[run.algorithm], algorithms[other.algorithm],
    ) : "";
    this.resize();
  }

  resize(large = this.inner.large) {
    this.inner.large = large;
    this.inner.resize();
    this.other?.resize(this.inner.track.clientWidth, THUMB, this.inner.large);
    this.other?.draw(this.inner.k);
  }

  show(place, text, playing) {
    this.inner.show(place, text, playing);
    this.other?.draw(place);
  }
}
