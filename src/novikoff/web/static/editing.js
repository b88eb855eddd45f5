/**
 * Edits of the document: points added, moved, removed, reordered; there and back again. What happens
 * to a new document is up to the class that extends this one: `set(document)`.
 */

import { History } from "./document.js";
import { told } from "./strings.js";
import { Timing } from "./timing.js";

export class Editing extends Timing {
  constructor() {
    super();
    this.brush = 1;
    this.selected = null;
    this.history = new History();
    this.told = null; // an edit that is to be spoken, once its outcome is known
  }

  /** Change the document; what it was can be had again, unless `quiet`. */
  change(part, quiet = false) {
    if (!quiet) this.history.keep(this.document);
    this.set({ ...this.document, ...part }, { dragging: quiet });
  }

  changeSettings(part) {
    this.change({ settings: { ...this.document.settings, ...part } });
  }

  changePoint(i, part, quiet = false) {
    const points = this.document.points.map(
      (point, j) => (j === i ? { ...point, ...part } : point),
    );
    const { label, ...place } = points[i];
    if (!quiet) this.told = "label" in part ? told.flipped(i + 1, label) : told.moved(i + 1, place);
    this.change({ points }, quiet);
  }

  /** The end of a drag: what came of it is spoken, not every pixel. */
  dropPoint(i) {
    this.told = told.moved(i + 1, this.document.points[i]);
    if (!this.requests.busy) this.speak();
  }

  addPoint({ x, y }) {
    const { points } = this.document;
    if (points.length >= this.limits.points) {
      this.page.note(told.full(this.limits.points));
      return;
    }
    this.selected = points.length;
    this.told = told.added(points.length + 1, { x, y, label: this.brush });
    this.change({ points: [...points, { x, y, label: this.brush }] });
  }

  removePoint(i) {
    const points = this.document.points.filter((_, j) => j !== i);
    this.selected = null;
    this.told = told.removed(i + 1);
    this.change({ points });
  }

  reorder(from, to) {
    const points = [...this.document.points];
    points.splice(to, 0, ...points.splice(from, 1));
    this.selected = to;
    this.told = told.reordered(from + 1, to + 1);
    this.change({ points });
  }

  clear() {
    this.told = null;
    this.change({ points: [], axes: null, classes: null });
  }

  undo() {
    const before = this.history.undo(this.document);
    if (!before) return;
    this.told = told.undone;
    this.set(before);
  }

  redo() {
    const after = this.history.redo(this.document);
    if (!after) return;
    this.told = told.redone;
    this.set(after);
  }

  /** Say what an edit did: one sentence, and none while playing. */
  speak() {
    const { verdict } = this.runs[0].answer;
    if (this.told && verdict && !this.playing) this.page.speak(`${this.told} ${verdict.sentence}`);
    this.told = null;
  }
}
