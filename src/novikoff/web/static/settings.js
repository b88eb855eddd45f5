/** The settings: which algorithm, and how it runs. */

import { html } from "./replay/dom.js";
import { CHOICES, LIMITS } from "./document.js";
import { say } from "./notation.js";
import { algorithms, settings as words } from "./strings.js";
import { button, choice, labelled, numberField, tick } from "./widgets.js";

const named = (list, texts) => Object.fromEntries(list.map((name) => [name, texts[name]]));

export class SettingsPanel {
  /** `actions`: change(part of settings), compare(name or null), view(part), tourless. */
  constructor(actions) {
    this.actions = actions;
    this.element = html("div", { class: "play-settings" }, html("h2", {}, words.title));
    this.open = false;
    this.drawn = "";
  }

  draw(settings, view) {
    const drawn = JSON.stringify([settings, view]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focus = document.activeElement?.dataset?.field;
    const held = this.element.contains(document.activeElement) ? focus : undefined;
    this.element.replaceChildren(html("h2", {}, words.title), ...this.fields(settings, view));
    if (held) this.element.querySelector(`[data-field="${held}"]`)?.focus();
  }

  fields(s, view) {
    const set = (name) => (value) => this.actions.change({ [name]: value });
    const pick = (name, texts) => choice(
      named(CHOICES[name], texts), s[name], set(name), { "data-field": name },
    );
    const amount = (name) => numberField(
      s[name], LIMITS[name], set(name), { "data-field": name, class: "play-short" },
    );
    const main = [
      labelled(words.algorithm, pick("algorithm", algorithms)),
      labelled(
        words.against,
        choice(
          { "": words.nobody, ...named(CHOICES.algorithm, algorithms) },
          view.other ?? "",
          (name) => this.actions.compare(name || null),
          { "data-field": "other" },
        ),
        { class: "play-field play-against" },
      ),
    ];
    const one = (text, value, act, field) => {
      const { box, element } = tick(text, value, act);
      box.dataset.field = field;
      return element;
    };
    const shown = [s.algorithm, ...(view.other ? [view.other] : [])];
    const kernel = shown.includes("kernel");
    const linear = shown.some((name) => name !== "kernel");
    const stepped = shown.some((name) => name !== "kernel" && name !== "aggressive");
    const tied = shown.some((name) => name !== "aggressive");
    if (linear) main.push(one(say(words.offset), s.offset, set("offset"), "offset"));
    const more = [
      ...(shown.includes("margin") ? [labelled(words.beta, amount("margin"))] : []),
      ...(shown.includes("aggressive") ? [labelled(words.C, amount("C"))] : []),
      ...(kernel ? this.kernelFields(s) : []),
      ...(tied ? [labelled(words.ties, pick("ties", words.tiesNames))] : []),
      labelled(words.order, pick("order", words.orders)),
      ...(s.order === "cyclic" ? [] : [labelled(words.seed, amount("seed"))]),
      ...(stepped ? [labelled(words.eta, amount("eta"))] : []),
      labelled(words.epochs, amount("epochs")),
      ...(linear ? [this.startField(s)] : []),
      labelled(
        words.notation,
        choice(
          words.notations,
          view.notation,
          (notation) => this.actions.view({ notation }),
          { "data-field": "notation" },
        ),
      ),
      one(words.letters, view.letters, (letters) => this.actions.view({ letters }), "letters"),
      one(words.predict, view.predict, (predict) => this.actions.view({ predict }), "predict"),
    ];
    const fold = html("details", { class: "play-fold" }, html("summary", {}, words.more), ...more);
    fold.open = this.open;
    fold.addEventListener("toggle", () => (this.open = fold.open));
    return [...main, fold];
  }

  kernelFields({ kernel }) {
    const set = (name) => (value) => this.actions.change({ kernel: { ...kernel, [name]: value } });
    const fields = [
      labelled(
        words.kernel,
        choice(
          named(CHOICES.kernel, words.kernels), kernel.name, set("name"), { "data-field": "kernel" },
        ),
      ),
    ];
    if (kernel.name === "poly") {
      fields.push(
        labelled(
          words.degree,
          numberField(
            kernel.degree,
            LIMITS.degree,
            set("degree"),
            { "data-field": "degree", class: "play-short" },
          ),
        ),
      );
    }
    if (kernel.name !== "linear") {
      fields.push(
        labelled(
          words.gamma,
          numberField(
            kernel.gamma,
            LIMITS.gamma,
            set("gamma"),
            { "data-field": "gamma", class: "play-short" },
          ),
        ),
      );
    }
    return fields;
  }

  startField({ start, offset }) {
    const values = start ?? [0, 0, 0];
    const put = (j) => (value) => {
      const next = values.map((old, i) => (i === j ? value : old));
      this.actions.change({ start: next.every((v) => v === 0) ? null : next });
    };
    const field = (j) => numberField(
      values[j],
      LIMITS.start,
      put(j),
      { "data-field": `start${j}`, "aria-label": say(words.startParts[j]) },
    );
    return html(
      "fieldset",
      { class: "play-start" },
      html("legend", {}, say(words.start)),
      field(0),
      field(1),
      ...(offset ? [field(2)] : []),
    );
  }
}

/** The tabs of a narrow page. */
export function makeTabs(panels, act) {
  const names = Object.keys(panels);
  const tabs = names.map((name) => button(words.tabs[name], () => choose(name), {
    role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
  }));
  const choose = (name) => {
    names.forEach((other, i) => {
      tabs[i].setAttribute("aria-selected", String(other === name));
      tabs[i].tabIndex = other === name ? 0 : -1;
      panels[other].classList.toggle("play-chosen", other === name);
    });
    act(name);
  };
  const list = html(
    "div", { role: "tablist", class: "play-tabs", "aria-label": words.tabsName }, ...tabs
  );
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const now = tabs.indexOf(document.activeElement);
    const next = (now + step + tabs.length) % tabs.length;
    choose(names[next]);
    tabs[next].focus();
  });
  choose(names[0]);
  return { list, choose };
}
