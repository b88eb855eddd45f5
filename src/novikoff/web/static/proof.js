/** What is known: the verdict, the meter of updates against the bound, the proof's curves, the error. */

import { html, set, svg } from "./replay/dom.js";
import { number } from "./replay/format.js";
import { say } from "./notation.js";
import { proof as words } from "./strings.js";

const WIDE = 328; // pixels, until the chart has been laid out
const HIGH = 116;
const LEFT = 8;
const BOTTOM = 18;

export class ProofPanel {
  constructor() {
    this.verdict = html("p", { class: "play-verdict" });
    this.meter = html("meter", { min: 0, class: "play-meter" });
    this.used = html("span", { class: "play-used" });
    this.error = html("p", { class: "play-error" });
    this.chart = svg("svg", { class: "play-chart", role: "img", viewBox: `0 0 ${WIDE} ${HIGH}` });
    this.chartNote = html("p", { class: "play-chart-note" });
    this.bar = html("div", { class: "play-bar", "aria-hidden": "true" }, html("i"));
    const meter = html(
      "div",
      { class: "play-metering" },
      html("div", { class: "play-gauge" }, this.bar, this.meter),
      this.used,
    );
    this.notes = html("p", { class: "play-notes" });
    this.element = html(
      "div", {}, html("h2", { class: "play-hidden" }, words.title), this.verdict, meter, this.error,
      this.chart, this.chartNote, this.notes,
    );
    // Drawn for the pixels it has: a chart that is scaled has text nobody can read.
    this.observer = new ResizeObserver(() => this.drawn && this.drawCurves(...this.drawn));
    this.observer.observe(this.chart);
  }

  /** Show what is known at update k; the answer holds the rest. */
  draw(run, k) {
    const { answer } = run;
    this.drawError(answer, k, run.points.length);
    if (answer.verdict) { // until it is known, what was known before stays
      this.verdict.textContent = say(answer.verdict.sentence);
      this.drawMeter(answer.bound, k);
      this.drawCurves(run, k);
    } else if (run.unknown) {
      this.verdict.textContent = words.unknown;
      this.drawMeter({ most: null, reason: "" }, k);
      this.drawCurves(null, k);
    }
    const notes = [answer.why, ...answer.notes].filter(Boolean);
    this.notes.textContent = say(notes.join(" "));
    this.notes.hidden = notes.length === 0;
  }

  drawMeter({ most, reason }, k) {
    const known = most !== null;
    this.bar.parentElement.hidden = !known;
    this.used.classList.toggle("play-plain", !known);
    if (known) {
      set(this.meter, { max: Math.max(1, most) });
      this.meter.value = k;
      this.bar.firstChild.style.width = `${Math.min(100, (100 * k) / Math.max(1, most))}%`;
    }
    this.used.textContent = say(known ? words.meter(k, most) : words.noBound(k, reason));
    set(this.meter, { "aria-label": known ? words.meterName(k, most) : null });
  }

  drawError(answer, k, n) {
    const parts = [words.error(answer.errors[k], n)];
    if (answer.model_errors) parts.push(
      words.modelError(answer.algorithm, answer.model_errors[k], n),
    );
    this.error.textContent = parts.join(" ");
  }

  /** kγ, squared, below ‖θ‖² below kR²: where they meet is the bound. */
  drawCurves(run, k) {
    const { proof, bound } = run?.answer ?? { proof: null };
    const drawn = proof !== null && proof.k.length > 0;
    this.drawn = drawn ? [run, k] : null;
    this.chart.toggleAttribute("hidden", !drawn);
    this.chartNote.hidden = !drawn;
    if (!drawn) return;
    const box = this.chart.getBoundingClientRect();
    const [wide, high] = [Math.round(box.width) || WIDE, Math.round(box.height) || HIGH];
    const last = Math.max(
      proof.k.length, Math.min(bound.value ?? proof.k.length, 4 * proof.k.length),
    );
    const most = Math.max(...proof.most, ...proof.norm) * (last / proof.k.length);
    const x = (i) => LEFT + (i / last) * (wide - 2 * LEFT);
    const y = (v) => high - BOTTOM - (Math.min(v, 1.05 * most) / most) * (high - BOTTOM - 6);
    const unit = [proof.least[0], proof.most[0]];
    const samples = Array.from({ length: 61 }, (_, i) => (i * last) / 60);
    const line = (ends) => `M${ends.map(([i, v]) => `${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join("L")}`;
    const curve = (f) => line(samples.map((i) => [i, f(i)]));
    const nodes = [
      svg("line", { class: "play-axis", x1: LEFT, x2: wide - LEFT, y1: y(0), y2: y(0) }),
      svg("path", { class: "play-upper", d: curve((i) => i * unit[1]) }),
      svg("path", { class: "play-lower", d: curve((i) => i * i * unit[0]) }),
      svg("path", { class: "play-norm", d: line([[0, 0], ...proof.norm.map((v, i) => [i + 1, v])]) }),
    ];
    if (bound.value !== null && bound.value <= last) {
      const at = { x1: x(bound.value), x2: x(bound.value), y1: 4, y2: y(0) };
      nodes.push(svg("line", { class: "play-limit", ...at }));
    }
    if (k > 0) nodes.push(
      svg("circle", { class: "play-now", cx: x(k), cy: y(proof.norm[k - 1]), r: 4.5 }),
    );
    const label = (i, text, anchor) => svg(
      "text", { x: x(i), y: high - 4, "text-anchor": anchor }, text,
    );
    nodes.push(
      label(0, "0", "start"), label(last, say(words.axis(number(Math.floor(last)))), "end"),
    );
    set(this.chart, { viewBox: `0 0 ${wide} ${high}` });
    this.chart.replaceChildren(...nodes);
    this.nameCurves(run, k);
  }

  /** What the three curves are; with an offset, β or η they are not quite the theorem's own. */
  nameCurves(run, k) {
    const { proof, bound } = run.answer;
    const names = words.names(run);
    const at = k > 0 ? [proof.least[k - 1], proof.norm[k - 1], proof.most[k - 1]] : null;
    set(this.chart, { "aria-label": say(at ? words.here(k, names, at) : words.chart(names)) });
    const key = (name) => html(
      "span", { class: `play-key play-key-${name}` }, say(names[name]),
    );
    const value = bound.value === null ? "" : words.bound(names, bound.value);
    const title = bound.value === null ? "" : words.measured(run, bound);
    this.chartNote.replaceChildren(
      key("lower"), " ≤ ", key("norm"), " ≤ ", key("upper"), " ",
      html("span", { class: "play-value", title }, value),
    );
  }
}
