/**
 * Hands on the plane: click to add, drag to move, right-click or long-press to remove. It knows
 * pixels and points; what happens to the document is up to `actions`.
 */

const REACH = { mouse: 12, pen: 16, touch: 26 }; // pixels around a mark that belong to it
const CROWDED = 10; // of a small plane, no mark has more than this part of its side
const STILL = 5; // pixels a finger may tremble
const LONG = 550; // milliseconds of a long press

export class Hands {
  /** `actions`: points(), add(point), grab(i), move(i, point), drop(i), remove(i), select(i). */
  constructor(board, actions) {
    Object.assign(this, { board, actions });
    this.held = null;
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.moved(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", (event) => this.holds(event) && this.release());
    element.addEventListener("contextmenu", (event) => this.menu(event));
  }

  at(event) {
    const box = this.board.element.getBoundingClientRect();
    const scale = this.board.size / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  under(event) {
    const reach = Math.min(REACH[event.pointerType] ?? REACH.mouse, this.board.side / CROWDED);
    return this.board.nearest(this.actions.points(), ...this.at(event), reach);
  }

  /** Whether this is the finger that holds something, and not another one beside it. */
  holds(event) {
    return this.held?.pointer === event.pointerId;
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.release();
    const i = this.under(event);
    const from = [event.clientX, event.clientY];
    this.held = { i, from, pointer: event.pointerId, dragging: false };
    this.actions.select(i);
    if (i === null) return;
    this.board.element.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      this.held.timer = setTimeout(() => {
        this.release();
        this.actions.remove(i);
      }, LONG);
    }
  }

  moved(event) {
    const { held } = this;
    if (!held) {
      if (event.pointerType === "mouse") {
        this.board.element.classList.toggle("play-over", this.under(event) !== null);
      }
      return;
    }
    if (!this.holds(event)) return;
    const far = Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) > STILL;
    if (!held.dragging && !far) return;
    clearTimeout(held.timer);
    if (!held.dragging && held.i !== null) this.actions.grab(held.i);
    held.dragging = true;
    const point = this.board.dataAt(...this.at(event));
    if (held.i !== null && point) this.actions.move(held.i, point);
  }

  up(event) {
    if (!this.holds(event)) return;
    const { held } = this;
    this.release();
    if (held.dragging && held.i !== null) this.actions.drop(held.i);
    if (held.dragging || held.i !== null) return;
    const point = this.board.dataAt(...this.at(event));
    if (point) this.actions.add(point);
  }

  /** Let go; also when what is held may no longer be the point it was. */
  release() {
    clearTimeout(this.held?.timer);
    this.held = null;
  }

  menu(event) {
    event.preventDefault();
    if (event.pointerType === "touch") return; // the long press has its own clock
    const i = this.under(event);
    if (i !== null) this.actions.remove(i);
  }
}
