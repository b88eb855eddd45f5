/**
 * numpy's RandomState(seed), as far as visiting orders need it: the Mersenne Twister MT19937
 * (Matsumoto and Nishimura 1998), so that a seed means the same run here and in Python.
 */

const N = 624;
const M = 397;

/** Random integers below 2^32. */
class Twister {
  constructor(seed) {
    this.state = new Uint32Array(N);
    this.at = N;
    let word = seed >>> 0;
    for (let i = 0; i < N; i++) {
      this.state[i] = word;
      word = (Math.imul(1812433253, word ^ (word >>> 30)) + i + 1) >>> 0;
    }
  }

  twist() {
    const { state } = this;
    for (let i = 0; i < N; i++) {
      const both = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
      state[i] = state[(i + M) % N] ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }

  next() {
    if (this.at === N) this.twist();
    let word = this.state[this.at++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** One of 0 … most, by rejection; no number is drawn where there is no choice. */
  upTo(most) {
    if (most === 0) return 0;
    const mask = 2 ** (32 - Math.clz32(most)) - 1;
    for (;;) {
      const drawn = (this.next() & mask) >>> 0;
      if (drawn <= most) return drawn;
    }
  }
}

/** The rows to visit, epoch by epoch: "cyclic", "shuffled" or "random". */
export function* visitingOrders(kind, n, seed) {
  const twister = new Twister(seed);
  const everyone = Array.from({ length: n }, (_, i) => i);
  for (;;) {
    if (kind === "cyclic") yield everyone;
    else if (kind === "random") yield everyone.map(() => twister.upTo(n - 1));
    else {
      const order = [...everyone];
      for (let i = n - 1; i > 0; i--) {
        const j = twister.upTo(i);
        [order[i], order[j]] = [order[j], order[i]];
      }
      yield order;
    }
  }
}
