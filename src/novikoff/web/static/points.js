/** The points: brush, presets, undo, and the table that is the plane's text twin. */

import { html, set, svg } from "./replay/dom.js";
import { mark } from "./replay/plane.js";
import { FARTHEST } from "./engine/questions.js";
import { points as words } from "./strings.js";
import { button, choice, numberField } from "./widgets.js";

const PAGE = 100; // rows at a time

function brushButton(label, act) {
  const picture = svg(
    "svg",
    { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" },
    mark(label, 10, 10, 7),
  );
  const node = html(
    "button",
    { type: "button", role: "radio", class: "play-brush" },
    picture,
    html("span", {}, words.side(label)),
  );
  node.addEventListener("click", () => act(label));
  return node;
}

export class PointsPanel {
  /**
   * `actions`: brush(label), preset(name), undo(), redo(), clear(), table(), edit(i, point),
   * remove(i), reorder(from, to), select(i), flip(i).
   */
  constructor(actions) {
    this.actions = actions;
    this.page = 0;
    this.rows = [];
    this.brushes = { 1: brushButton(1, actions.brush), "-1": brushButton(-1, actions.brush) };
    this.group = html(
      "div",
      { role: "radiogroup", "aria-label": words.brush, class: "play-brushes" },
      ...Object.values(this.brushes),
    );
    this.group.addEventListener("keydown", (event) => this.arrows(event));
    this.presets = choice(
      { "": words.preset },
      "",
      (name) => name && actions.preset(name),
      { "aria-label": words.presets },
    );
    this.undo = button("↶", actions.undo, { "aria-label": words.undo, title: words.undo });
    this.redo = button("↷", actions.redo, { "aria-label": words.redo, title: words.redo });
    this.clear = button(words.clear, actions.clear);
    this.tools = html(
      "div",
      { class: "play-tools" },
      this.undo,
      this.redo,
      this.clear,
      button(words.table, actions.table),
    );
    const heads = [words.index, "x₁", "x₂", "y"].map((text) => html("th", { scope: "col" }, text));
    heads.push(html("th", { scope: "col" }, html("span", { class: "play-hidden" }, words.removal)));
    this.body = html("tbody");
    this.table = html(
      "table",
      { class: "play-points" },
      html("caption", { class: "play-hidden" }, words.caption),
      html("thead", {}, html("tr", {}, ...heads)),
      this.body,
    );
    this.pager = html("div", { class: "play-pager" });
    this.scroller = html(
      "div",
      { class: "play-scroller", tabindex: 0, role: "region", "aria-label": words.caption },
      this.table,
    );
    const fingers = matchMedia("(pointer: coarse)").matches;
    this.hint = html("p", { class: "play-hint" }, fingers ? words.touch : words.hint);
    this.element = html(
      "div",
      { class: "play-points-panel" },
      html("h2", {}, words.title),
      this.group,
      this.presets,
      this.tools,
      this.scroller,
      this.pager,
      this.hint,
    );
  }

  /** Put what is needed at every point into `place`, or back among the rest. */
  lend(place) {
    if (place) place.append(this.group, this.undo, this.redo);
    else {
      this.presets.before(this.group);
      this.tools.prepend(this.undo, this.redo);
    }
  }

  setPresets(presets) {
    const options = presets.map(({ name, title }) => html("option", { value: name }, title));
    this.presets.append(...options);
  }

  arrows(event) {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.brush > 0 ? -1 : 1;
    this.actions.brush(next);
    this.brushes[next].focus();
  }

  setBrush(label, classes) {
    this.brush = label;
    for (const [side, node] of Object.entries(this.brushes)) {
      const on = Number(side) === label;
      set(
        node,
        {
          "aria-checked": on,
          tabindex: on ? 0 : -1,
          title: classes ? classes[side > 0 ? "positive" : "negative"] : words.side(Number(side)),
        },
      );
    }
  }

  /** Show the points as they are; fields that are being typed in are left alone. */
  draw(list, { selected, canUndo, canRedo }) {
    set(this.undo, { "aria-disabled": canUndo ? null : "true" });
    set(this.redo, { "aria-disabled": canRedo ? null : "true" });
    set(this.clear, { "aria-disabled": list.length ? null : "true" });
    const pages = Math.max(1, Math.ceil(list.length / PAGE));
    if (selected !== null && selected !== this.selected) this.page = Math.floor(selected / PAGE);
    this.page = Math.min(this.page, pages - 1);
    const begin = this.page * PAGE;
    const shown = list.slice(begin, begin + PAGE);
    if (this.rows.length !== shown.length || this.begin !== begin) this.rebuild(begin, shown.length);
    shown.forEach((point, r) => this.fill(this.rows[r], point, begin + r === selected));
    if (selected !== null && selected !== this.selected) this.rows[selected - begin]?.row.scrollIntoView({ block: "nearest" });
    this.selected = selected;
    this.list = list;
    this.drawPager(pages, list.length);
  }

  drawPager(pages, n) {
    this.pager.hidden = pages < 2;
    if (pages < 2) return;
    const go = (step) => {
      this.page = Math.min(pages - 1, Math.max(0, this.page + step));
      this.draw(
        this.list,
        {
          selected: this.selected,
          canUndo: !this.undo.hasAttribute("aria-disabled"),
          canRedo: !this.redo.hasAttribute("aria-disabled"),
        },
      );
    };
    const begin = this.page * PAGE;
    this.pager.replaceChildren(
      button("‹", () => go(-1), { "aria-label": words.before }),
      html("span", {}, words.range(begin + 1, Math.min(n, begin + PAGE), n)),
      button("›", () => go(1), { "aria-label": words.after }),
    );
  }

  rebuild(begin, n) {
    const focus = this.rows.findIndex(({ row }) => row.contains(document.activeElement));
    const column = focus < 0 ? -1 : this.rows[focus].nodes.indexOf(document.activeElement);
    this.begin = begin;
    this.rows = Array.from({ length: n }, (_, r) => this.makeRow(begin + r));
    this.body.replaceChildren(...this.rows.map(({ row }) => row));
    if (focus >= 0) this.rows[Math.min(focus, n - 1)]?.nodes[column]?.focus();
  }

  makeRow(i) {
    const { actions } = this;
    const limits = { least: -FARTHEST, most: FARTHEST };
    const handle = html(
      "button",
      {
        type: "button", class: "play-handle", title: words.move, "aria-label": words.handle(i + 1),
      },
      String(i + 1),
    );
    handle.addEventListener("click", () => actions.select(i));
    handle.addEventListener("keydown", (event) => this.moveByKey(event, i));
    handle.addEventListener("pointerdown", (event) => this.dragRow(event, i));
    const x = numberField(
      0,
      limits,
      (value) => actions.edit(i, { x: value }),
      { "aria-label": words.coordinate(i + 1, 1) },
    );
    const y = numberField(
      0,
      limits,
      (value) => actions.edit(i, { y: value }),
      { "aria-label": words.coordinate(i + 1, 2) },
    );
    const label = button("", () => actions.flip(i), { class: "play-flip" });
    const remove = button(
      "✕",
      () => actions.remove(i),
      { class: "play-remove", "aria-label": words.remove(i + 1), title: words.remove(i + 1) },
    );
    const nodes = [handle, x, y, label, remove];
    const row = html("tr", {}, ...nodes.map((node) => html("td", {}, node)));
    row.addEventListener("focusin", () => actions.select(i));
    return { row, nodes, x, y, label, i };
  }

  fill({ row, x, y, label, i }, point, selected) {
    row.classList.toggle("play-selected", selected);
    for (const [node, value] of [[x, point.x], [y, point.y]]) {
      const text = String(value);
      const mending = node.dataset.shown === text && node.getAttribute("aria-invalid") === "true";
      if (mending) continue;
      node.dataset.shown = text;
      if (node.value !== text) node.value = text;
      node.setAttribute("aria-invalid", "false");
    }
    label.textContent = point.label > 0 ? "+" : "−";
    label.classList.toggle("play-plus", point.label > 0);
    set(label, { "aria-label": words.label(i + 1, point.label), title: words.flip });
  }

  moveByKey(event, i) {
    const to = { ArrowUp: i - 1, ArrowDown: i + 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to < 0 || to >= this.list.length) return;
    this.actions.reorder(i, to);
    this.rows[to - this.begin]?.nodes[0].focus();
  }

  /** Drag a row by its number to where it is to be visited. */
  dragRow(event, i) {
    if (event.button !== 0) return;
    const handle = event.currentTarget;
    let to = i;
    handle.setPointerCapture(event.pointerId);
    const mark_ = (place) => this.rows.forEach(
      ({ row }, r) => row.classList.toggle("play-target", this.begin + r === place && place !== i),
    );
    const moved = (move) => {
      const row = document.elementFromPoint(
        move.clientX, move.clientY,
      )?.closest(".play-points tbody tr");
      const r = this.rows.findIndex((known) => known.row === row);
      if (r >= 0) to = this.begin + r;
      mark_(to);
    };
    const ended = new AbortController();
    const done = () => {
      ended.abort();
      mark_(null);
      if (to !== i) this.actions.reorder(i, to);
    };
    // On the window: an answer that arrives meanwhile may draw the rows anew, this one too.
    const { signal } = ended;
    window.addEventListener("pointermove", moved, { signal });
    window.addEventListener("pointerup", done, { signal });
    window.addEventListener("pointercancel", () => ended.abort(), { signal });
  }
}
