/**
 * θ-space, where there is no offset: every example is a half-plane of the θ that get it right, and
 * every update moves θ by η·y·x. Where all half-planes meet is the cone of separators.
 */

import { set, svg } from "./replay/dom.js";
import { clip, CORNERS } from "./replay/view.js";
import { say } from "./notation.js";
import { thetaSpace as words } from "./strings.js";

const FEW = 24; // examples up to which each has its own edge

export class ThetaSpace {
  constructor() {
    this.element = svg("svg", { class: "play-theta-space", role: "img" });
  }

  draw(run, k, size) {
    set(this.element, { viewBox: `0 0 ${size} ${size}`, width: size, height: size });
    const most = 1.15 * (run.thetas.reduce((a, b) => Math.max(a, Math.abs(b)), 0) || 1);
    const pixel = ([a, b]) => [((a + 1) / 2) * size, ((1 - b) / 2) * size];
    const at = (i) => pixel([run.thetas[2 * i] / most, run.thetas[2 * i + 1] / most]);
    const text = (p) => p.map((v) => v.toFixed(1)).join(" ");
    const outline = (list) => (list.length ? `M${list.map(text).join("L")}` : "");
    let cone = CORNERS;
    const edges = [];
    for (const { x, side } of run.points) {
      const length = Math.hypot(...x);
      if (length === 0 || side === 0) continue;
      const normal = x.map((v) => (side * v) / length);
      cone = clip(cone, { normal, distance: 0 });
      if (run.points.length <= FEW) edges.push(
        outline([-2, 2].map((s) => pixel([-s * normal[1], s * normal[0]]))),
      );
    }
    const [ox, oy] = pixel([0, 0]);
    const path = Array.from({ length: k + 1 }, (_, i) => at(i));
    const [x, y] = at(k);
    const update = k ? svg("path", { class: "play-hop", d: outline([at(k - 1), at(k)]) }) : null;
    this.element.replaceChildren(...[
      svg("path", { class: "play-cone", d: cone.length ? `${outline(cone.map(pixel))}Z` : "" }),
      svg("path", { class: "play-edges", d: edges.join("") }),
      svg("path", { class: "play-cross", d: `M0 ${oy}H${size}M${ox} 0V${size}` }),
      svg("path", { class: "play-path", d: outline(path) }), update,
      svg("circle", { class: "play-theta", cx: x, cy: y, r: 5 }),
      svg("rect", { class: "nr-frame", x: 0.5, y: 0.5, width: size - 1, height: size - 1 }),
      svg("text", { x: 8, y: 24 }, say(words.name)),
    ].filter(Boolean));
    set(this.element, { "aria-label": say(words.label(k)) });
  }
}
