/** What is known: the verdict, the meter of updates against the bound, the proof's curves, the error. */

import { html, set, svg } from "./replay/dom.js";
import { number } from "./replay/format.js";
import { say } from "./notation.js";
import { proof as words } from "./strings.js";

const WIDE = 328;
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
  }

  /** Show what is known at update k; the answer holds the rest. */
  draw(run, k) {
    const { answer } = run;
    this.drawError(answer, k, run.points.length);
    if (answer.verdict) { // until it is known, what was known before stays
      this.verdict.textContent = say(answer.verdict.sentence);
      this.drawMeter(answer.bound, k);
      this.drawCurves(answer, k);
    }
    const notes = [answer.why, ...answer.notes].filter(Boolean);
    this.notes.textContent = say(notes.join(" "));
    this.notes.hidden = notes.length === 0;
  }

  drawMeter({ most, reason, value }, k) {
    const known = most !== null;
    this.bar.parentElement.hidden = !known;
    this.used.classList.toggle("play-plain", !known);
    if (known) {
      set(this.meter, { max: Math.max(1, most) });
      this.meter.value = k;
      this.bar.firstChild.style.width = `${Math.min(100, (100 * k) / Math.max(1, most))}%`;
    }
    this.used.textContent = say(known ? words.meter(k, most) : words.noBound(k, reason));
    this.value = known ? words.bound(number(Number(value.toFixed(2)))) : "";
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
  drawCurves({ proof, bound }, k) {
    const drawn = proof !== null && proof.k.length > 0;
    this.chart.toggleAttribute("hidden", !drawn);
    this.chartNote.hidden = !drawn;
    if (!drawn) return;
    const last = Math.max(
      proof.k.length, Math.min(bound.value ?? proof.k.length, 4 * proof.k.length),
    );
    const most = Math.max(...proof.most, ...proof.norm) * (last / proof.k.length);
    const x = (i) => LEFT + (i / last) * (WIDE - 2 * LEFT);
    const y = (v) => HIGH - BOTTOM - (Math.min(v, 1.05 * most) / most) * (HIGH - BOTTOM - 6);
    const unit = [proof.least[0], proof.most[0]];
    const samples = Array.from({ length: 61 }, (_, i) => (i * last) / 60);
    const curve = (f) => `M${samples.map((i) => `${x(i).toFixed(1)} ${y(f(i)).toFixed(1)}`).join("L")}`;
    const dots = proof.norm.map((v, i) => [i + 1, v]);
    const track = `M${[[0, 0], ...dots].map(([i, v]) => `${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join("L")}`;
    const nodes = [
      svg("line", { class: "play-axis", x1: LEFT, x2: WIDE - LEFT, y1: y(0), y2: y(0) }),
      svg("path", { class: "play-upper", d: curve((i) => i * unit[1]) }),
      svg("path", { class: "play-lower", d: curve((i) => i * i * unit[0]) }),
      svg("path", { class: "play-norm", d: track }),
    ];
    if (bound.value !== null && bound.value <= last) {
      const at = { x1: x(bound.value), x2: x(bound.value), y1: 4, y2: y(0) };
      nodes.push(svg("line", { class: "play-limit", ...at }));
    }
    if (k > 0) nodes.push(
      svg("circle", { class: "play-now", cx: x(k), cy: y(proof.norm[k - 1]), r: 4.5 }),
    );
    const label = (i, text, anchor) => svg(
      "text", { x: x(i), y: HIGH - 4, "text-anchor": anchor }, text,
    );
    nodes.push(
      label(0, "0", "start"), label(last, say(words.axis(number(Math.floor(last)))), "end"),
    );
    this.chart.replaceChildren(...nodes);
    const here = k > 0 ? words.here(
      k, proof.least[k - 1], proof.norm[k - 1], proof.most[k - 1],
    ) : words.chart;
    set(this.chart, { "aria-label": say(here) });
    this.chartNote.replaceChildren(
      html("span", { class: "play-key play-key-lower" }, "k²γ²"), " ≤ ",
      html("span", { class: "play-key play-key-norm" }, say("‖θ‖²")), " ≤ ",
      html("span", { class: "play-key play-key-upper" }, "kR²"),
      html("span", { class: "play-value" }, this.value),
    );
  }
}
