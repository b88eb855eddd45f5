/** A grid of the server's as shading, and the line where its sign changes. */

const hex = (text) => /^#([0-9a-f]{6})/i.exec(text.trim())?.[1].match(/../g).map(
  (pair) => parseInt(pair, 16),
);

const LEAST = 0.1; // of the class's colour, however narrow the vote

/** Paint a grid, from its bottom row up, onto a canvas; `style` holds the view's colours. */
export function paint(canvas, { values, size }, style) {
  const colour = (name) => hex(style.getPropertyValue(name));
  const [ground, plus, minus] = ["--nr-ground", "--nr-plus", "--nr-minus"].map(colour);
  Object.assign(canvas, { width: size, height: size });
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, size, size);
  if (!ground || !plus || !minus) return; // forced colours: the contour has to do
  const image = context.createImageData(size, size);
  values.forEach((value, i) => {
    const [row, column] = [size - 1 - Math.floor(i / size), i % size];
    const share = LEAST + (0.3 * Math.abs(value)) / 127;
    const to = value >= 0 ? plus : minus;
    const at = 4 * (row * size + column);
    for (const j of [0, 1, 2]) image.data[at + j] = ground[j] + share * (to[j] - ground[j]);
    image.data[at + 3] = 255;
  });
  context.putImageData(image, 0, 0);
}

/** Paths [[u, v], …] of the line between the signs, in the square [−1, 1]² (marching squares). */
export function contourOf({ values, size }) {
  // Votes jump from cell to cell, and so do the levels of a score that is nearly 0 on both sides:
  // where between two of them says nothing.
  return joined(piecesOf(values, size)).map((path) => smooth(smooth(smooth(path))));
}

/** Pieces with common ends as paths, so that dots along them are evenly apart. */
function joined(pieces) {
  const key = ([u, v]) => `${u.toFixed(6)} ${v.toFixed(6)}`;
  const at = new Map(); // an end -> the pieces that end there
  for (const piece of pieces) {
    for (const end of piece.map(key)) at.set(end, [...(at.get(end) ?? []), piece]);
  }
  const left = new Set(pieces);
  const follow = (path) => {
    for (;;) {
      const end = key(path.at(-1));
      const next = at.get(end).find((piece) => left.has(piece));
      if (!next) return path;
      left.delete(next);
      path.push(key(next[0]) === end ? next[1] : next[0]);
    }
  };
  const paths = [];
  for (const piece of left) {
    left.delete(piece);
    paths.push(follow(follow([...piece]).reverse()));
  }
  return paths;
}

/** Every corner of a path moved towards its neighbours; its ends stay. */
function smooth(path) {
  return path.map((u, i) => {
    if (i === 0 || i === path.length - 1) return u;
    return u.map((value, j) => (path[i - 1][j] + 2 * value + path[i + 1][j]) / 4);
  });
}

function piecesOf(values, size) {
  const at = (row, column) => values[row * size + column];
  const centre = (i) => (2 * (i + 0.5)) / size - 1;
  const pieces = [];
  for (let row = 0; row + 1 < size; row++) {
    for (let column = 0; column + 1 < size; column++) {
      const corners = [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column]];
      const crossings = [];
      corners.forEach(([r, c], i) => {
        const [s, d] = corners[(i + 1) % 4];
        const [a, b] = [at(r, c), at(s, d)];
        if (a >= 0 === b >= 0) return;
        const share = (a + 0.5) / (a - b); // zero counts as positive: the change is at −½
        crossings.push(
          [centre(c) + share * (centre(d) - centre(c)), centre(r) + share * (centre(s) - centre(r))],
        );
      });
      for (let i = 0; i + 1 < crossings.length; i += 2) pieces.push(crossings.slice(i, i + 2));
    }
  }
  return pieces;
}
