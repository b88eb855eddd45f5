/** The clock of a replay: it asks for so many steps forward, as time passes. No DOM. */

const INTERVAL = 700; // milliseconds an update, at speed 1
const FASTEST = 30; // milliseconds between two frames; beyond that, several updates a frame

export class Player {
  /** `advance(n)` goes n steps forward and says whether there are more. */
  constructor(advance) {
    this.advance = advance;
    this.speed = 1;
    this.timer = null;
  }

  get playing() {
    return this.timer !== null;
  }

  get interval() {
    return INTERVAL / this.speed;
  }

  start() {
    if (!this.playing) this.wait();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  /** A change of speed holds at once, not after the update that is being waited for. */
  setSpeed(speed) {
    this.speed = speed;
    if (!this.playing) return;
    this.stop();
    this.wait();
  }

  wait() {
    const pause = Math.max(FASTEST, this.interval);
    this.timer = setTimeout(() => {
      const more = this.advance(Math.max(1, Math.round(pause / this.interval)));
      if (more && this.playing) this.wait();
    }, pause);
  }
}
