/** The page itself: where everything stands. */

import { html, svg, userText } from "./replay/dom.js";
import { mark } from "./replay/plane.js";
import { Learn } from "./learn.js";
import { say } from "./notation.js";
import { PointsPanel } from "./points.js";
import { ProofPanel } from "./proof.js";
import { makeTabs, SettingsPanel } from "./settings.js";
import { ShareDialog } from "./share.js";
import { Stage } from "./stage.js";
import { StepPanel } from "./step.js";
import { StepsDialog } from "./steps.js";
import { compare as versus, frame as words } from "./strings.js";
import { TableDialog } from "./table.js";
import { TimeBar } from "./timebar.js";
import { button } from "./widgets.js";

const LECTURE = 22 / 12; // times the usual size of numbers, to be read from the last row

function handsOf(playground) {
  return {
    points: () => playground.document.points,
    add: (point) => playground.addPoint(point),
    grab: () => playground.history.keep(playground.document),
    move: (i, point) => playground.changePoint(i, point, true),
    drop: (i) => playground.dropPoint(i),
    remove: (i) => playground.removePoint(i),
    select: (i) => playground.select(i),
  };
}

function pointsOf(playground, page) {
  return {
    brush: (label) => playground.setBrush(label),
    preset: (name) => {
      playground.openPreset(name);
      page.points.presets.value = "";
    },
    undo: () => playground.undo(),
    redo: () => playground.redo(),
    clear: () => playground.clear(),
    table: () => page.table.open(),
    edit: (i, part) => playground.changePoint(i, part),
    remove: (i) => playground.removePoint(i),
    reorder: (from, to) => playground.reorder(from, to),
    select: (i) => playground.select(i),
    flip: (i) => playground.changePoint(i, { label: -playground.document.points[i].label }),
  };
}

class Page {
  constructor(root, playground) {
    this.root = root;
    this.playground = playground;
    this.stages = [new Stage(handsOf(playground))];
    this.points = new PointsPanel(pointsOf(playground, this));
    this.settings = new SettingsPanel({
      change: (part) => playground.changeSettings(part),
      compare: (name) => playground.compare(name),
      view: (part) => playground.setView(part),
    });
    this.step = new StepPanel();
    this.proof = new ProofPanel();
    this.transport = new TimeBar(playground);
    this.learn = new Learn(playground, () => this.applyView(playground.view));
    this.share = new ShareDialog(playground);
    this.steps = new StepsDialog(playground);
    this.table = new TableDialog(playground);
    this.build();
  }

  build() {
    const panel = (name, content) => html(
      "section", { class: `play-panel play-${name}`, id: `panel-${name}` }, content,
    );
    this.panels = {
      step: panel("step", this.step.element),
      proof: panel("proof", this.proof.element),
      points: panel("points-tab", this.points.element),
      settings: panel("settings-tab", this.settings.element),
    };
    for (const [name, node] of Object.entries(this.panels)) node.id = `panel-${name}`;
    this.tabs = makeTabs(this.panels, () => this.resize());
    this.message = html("p", { class: "play-alert", role: "alert", hidden: "" });
    this.remark = html("p", { class: "play-remark", role: "status", hidden: "" });
    this.spoken = html("p", { class: "play-hidden play-spoken", role: "status" });
    this.comparison = html("div", { class: "play-comparison", hidden: "" });
    this.legend = html("ul", { class: "play-legend", "aria-label": words.legend });
    this.boards = html(
      "div", { class: "play-boards" }, ...this.stages.map((stage) => stage.element)
    );
    this.quick = html("div", { class: "play-quick", role: "group", "aria-label": words.quick });
    this.centre = html(
      "section",
      { class: "play-centre", "aria-label": words.plane },
      this.boards,
      this.quick,
      this.legend,
    );
    const right = html(
      "section",
      { class: "play-right", "aria-label": words.now },
      this.message,
      this.remark,
      this.spoken,
      this.step.sentence,
      this.comparison,
      this.tabs.list,
      this.panels.step,
      this.panels.proof,
    );
    const left = html(
      "section",
      { class: "play-left", "aria-label": words.work },
      this.learn.element,
      this.panels.points,
      this.panels.settings,
    );
    const main = html("main", { class: "play-main" }, this.centre, right, left);
    const bar = html("footer", { class: "play-bar-bottom" }, this.transport.element);
    this.root.replaceChildren(
      this.head(), main, bar, this.share.element, this.steps.element, this.table.element,
    );
    this.early = [this.root.querySelector("nav"), left, bar];
    this.setReady(false);
    this.table.listen(this.root);
    this.root.addEventListener("play-refused", ({ detail }) => this.alert(detail));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.centre);
    this.observer.observe(this.transport.inner.track);
  }

  head() {
    const { playground } = this;
    this.lecture = button(
      words.lecture,
      () => playground.setView({ lecture: !playground.view.lecture }),
      { title: words.lectureTitle, class: "play-lecture-button" },
    );
    this.predict = button(
      words.predict,
      () => playground.setView({ predict: !playground.view.predict }),
      { title: words.predictTitle, class: "play-predict-button" },
    );
    const tools = [
      button(words.tour, () => this.learn.openTour()),
      button(words.homework, () => this.learn.openHomework()),
      button(words.steps, () => this.steps.open()),
      button(words.share, () => this.share.open()),
      this.predict,
      this.lecture,
    ];
    const title = html("h1", {}, html("b", {}, words.name), html("span", {}, words.subtitle));
    return html(
      "header", { class: "play-head" }, title, html("nav", { "aria-label": words.tools }, ...tools),
    );
  }

  // ------------------------------------------------------------------------- what it shows

  /** Before there are points, there is nothing that buttons could do. */
  setReady(ready) {
    this.early.forEach((node) => (node.inert = !ready));
  }

  alert(text) {
    this.message.textContent = text;
    this.message.hidden = !text;
  }

  note(text) {
    this.remark.textContent = text;
    this.remark.hidden = !text;
  }

  /** For those who do not see the plane: what an edit did. */
  speak(text) {
    this.spoken.textContent = say(text);
  }

  applyView({ lecture, other, predict }) {
    const { root } = this;
    root.classList.toggle("play-lecture", lecture);
    root.classList.toggle("play-versus", other !== null);
    root.classList.toggle("play-learning", this.learn.active);
    this.lecture.setAttribute("aria-pressed", String(lecture));
    this.predict.setAttribute("aria-pressed", String(predict));
    this.resize();
  }

  setStages(n) {
    while (this.stages.length < n) {
      const stage = new Stage(handsOf(this.playground));
      this.stages.push(stage);
      this.boards.append(stage.element);
    }
    while (this.stages.length > n) {
      const stage = this.stages.pop();
      stage.hands?.release();
      stage.element.remove();
    }
  }

  /** Take a point that is being dragged out of the hand that holds it. */
  letGo() {
    this.stages.forEach(({ hands }) => hands?.release());
  }

  /** Where there is no column of tools, the brush stands below the plane. */
  arrange(near) {
    if (near === this.near) return;
    this.near = near;
    this.points.lend(near ? this.quick : null);
  }

  /** Fit the boards into the room there is. */
  resize() {
    if (!this.boards) return;
    const style = getComputedStyle(this.boards);
    const [narrow, low, near] = ["--narrow", "--low", "--near"].map(
      (name) => style.getPropertyValue(name).trim() === "1",
    );
    this.arrange(near);
    if (!this.stages[0]?.board) return;
    const n = this.stages.length;
    const [wide, gap] = [this.boards.clientWidth, 16];
    const side = style.flexDirection === "column" ? wide : (wide - gap * (n - 1)) / n;
    const large = this.playground.view.lecture ? LECTURE : 1;
    const below = (n > 1 ? 54 : 30) * large; // names and captions
    const free = low ? innerHeight - 178 : Math.max(260, innerHeight * 0.42); // beside the bars
    const high = narrow ? Math.min(wide, free) : this.boards.clientHeight - below;
    this.stages.forEach((stage) => stage.resize(side, high, n === 1 && !narrow, large));
    this.transport.resize(large);
  }

  drawLegend(classes) {
    const item = (label, name) => html(
      "li",
      {},
      svg(
        "svg",
        { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
        mark(label, 8, 8, 6),
      ),
      userText("bdi", name, { class: "nr-user" }),
    );
    const { positive, negative } = classes ?? words.classes;
    this.legend.hidden = classes === null; // the brush says the rest
    this.legend.replaceChildren(item(1, positive), item(-1, negative));
  }

  /** Two runs beside each other; the sentence about both, null where there is one. */
  drawComparison(runs, standings) {
    this.comparison.hidden = runs.length < 2;
    if (runs.length < 2) return null;
    this.comparison.replaceChildren(...runs.map((run, i) => {
      const { k, what } = standings[i];
      const { errors, model_errors: model, sentence, algorithm } = run.answer;
      const lines = versus.lines(algorithm, k, run.n, errors[k], model?.[k], run.points.length);
      const end = what === "end" && sentence !== null ? [html("p", {}, say(sentence))] : [];
      return html(
        "div",
        { class: "play-contender" },
        html("h2", {}, versus.name(algorithm)),
        ...lines.map((line) => html("p", {}, line)),
        ...end,
      );
    }));
    return versus.sentence(Math.max(...standings.map(({ t }) => t)));
  }
}

export function buildPage(root, playground) {
  return new Page(root, playground);
}
