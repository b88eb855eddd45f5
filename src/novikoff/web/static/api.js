/** Asking the engine. It computes in a worker, so that the page goes on answering hands and keys. */

import { answer } from "./answering.js";

/** Why there is no answer; the message is for people. */
export class Refused extends Error {}

/** A worker: of its own file, or in the one-file page of the very script that runs here. */
function hire() {
  const script = document.getElementById("alone");
  if (!script) return new Worker("worker.js", { type: "module" });
  const url = URL.createObjectURL(new Blob([script.textContent], { type: "text/javascript" }));
  return new Worker(url);
}

class Engine {
  constructor() {
    this.waiting = []; // {name, question, resolve, reject}: the first of them is being answered
    this.worker = null;
    this.alone = false; // where no worker may be: some frames forbid it
  }

  /** The answer to a question, or Refused; `signal` gives it up, even halfway. */
  ask(name, question, signal) {
    return new Promise((resolve, reject) => {
      const asked = { name, question, resolve, reject };
      signal?.addEventListener("abort", () => this.giveUp(asked));
      const shading = this.waiting.findIndex((other, i) => i > 0 && other.name === "field");
      const place = name === "field" || shading < 0 ? this.waiting.length : shading; // it can wait
      this.waiting.splice(place, 0, asked);
      if (this.waiting.length === 1) this.next();
    });
  }

  next() {
    const [asked] = this.waiting;
    if (!asked) return;
    if (!this.worker && !this.alone) this.start();
    if (this.alone) setTimeout(() => this.take(answer(asked.name, asked.question)));
    else this.worker.postMessage({ name: asked.name, question: asked.question });
  }

  start() {
    try {
      const worker = hire();
      worker.onmessage = ({ data }) => worker === this.worker && this.take(data);
      worker.onerror = () => worker === this.worker && this.manage();
      this.worker = worker;
    } catch {
      this.alone = true;
    }
  }

  /** Without a worker: what it was asked is answered here. */
  manage() {
    this.worker.terminate();
    this.alone = true;
    this.next();
  }

  take({ value, refused }) {
    const asked = this.waiting.shift();
    if (refused === undefined) asked.resolve(value);
    else asked.reject(new Refused(refused));
    this.next();
  }

  giveUp(asked) {
    const place = this.waiting.indexOf(asked);
    if (place < 0 || (place === 0 && this.alone)) return;
    this.waiting.splice(place, 1);
    asked.reject(new DOMException("given up", "AbortError"));
    if (place > 0) return;
    this.worker.terminate(); // it is busy with what nobody wants
    this.worker = null;
    this.next();
  }
}

export const engine = new Engine();

/**
 * One request in flight, newest wins: `send` asks at once if nothing is under way; otherwise the
 * newest waits for the answer that is coming, and whatever waited before it is forgotten.
 */
export class Latest {
  /** `work(input)` gives a promise; `done(answer, input)` and `failed(error, input)` take its end. */
  constructor(work, done, failed) {
    Object.assign(this, { work, done, failed });
    this.busy = false;
    this.waiting = null;
  }

  send(input) {
    if (this.busy) this.waiting = { input };
    else this.start(input);
  }

  async start(input) {
    this.busy = true;
    try {
      this.done(await this.work(input), input);
    } catch (error) {
      this.failed(error, input);
    } finally {
      this.busy = false;
      const { waiting } = this;
      this.waiting = null;
      if (waiting) this.start(waiting.input);
    }
  }
}
