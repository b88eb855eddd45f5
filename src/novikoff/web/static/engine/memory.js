/** The last few answers: a page asks for a run, for what is known of it, and for its shading. */

/** A function of plain values whose last `size` answers are remembered. */
export function remembered(size, answer) {
  const known = new Map();
  return (...question) => {
    const key = JSON.stringify(question);
    if (!known.has(key)) {
      known.set(key, answer(...question));
      if (known.size > size) known.delete(known.keys().next().value);
    }
    return known.get(key);
  };
}
