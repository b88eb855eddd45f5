/** Asking the server. */

import { failures } from "./strings.js";

/** What the server answered instead; the message is for people. */
export class Refused extends Error {
  constructor(message, kind, field = null) {
    super(message);
    this.kind = kind;
    this.field = field;
  }
}

/** GET `path`, or POST `body` to it; the parsed answer, or Refused. */
export async function ask(path, body, signal) {
  const request = { signal, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    request.headers["Content-Type"] = "application/json";
  }
  let response;
  let answer;
  try {
    response = await fetch(path, request);
    answer = await response.json(); // a request may be given up, or its server go, here as well
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (!(error instanceof SyntaxError)) throw new Refused(failures.away, "away");
    answer = null;
  }
  if (response.ok && answer !== null) return answer;
  const { message, kind, field } = answer?.error ?? {};
  throw new Refused(message ?? failures.odd(response.status), kind ?? "odd", field);
}

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
