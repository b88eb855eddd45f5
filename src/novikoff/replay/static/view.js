/**
 * The part of the plane that is shown, and what lies in it. Pure geometry, no DOM.
 *
 * Everything is in unit coordinates u = (x − centre) / half, the square [−1, 1]². Where both axes
 * have the same scale, angles are true and θ is perpendicular to the boundary. Where their spreads
 * differ by more than RATIO, each axis gets its own scale, which is to standardise the features:
 * what is drawn is then θ in those coordinates, (θ_1·half_1, θ_2·half_2), perpendicular again.
 */

const RATIO = 8;
const PADDING = 1.12;

/** {centre, half, equal} for the points of a run; through the origin, the origin is in view. */
export function viewOf(run) {
  const shown = run.points.map((point) => point.x);
  if (!run.fitIntercept || shown.length === 0) shown.push([0, 0]);
  const span = [0, 1].map((j) => {
    let [low, high] = [Infinity, -Infinity];
    for (const x of shown) {
      low = Math.min(low, x[j]);
      high = Math.max(high, x[j]);
    }
    return { centre: low / 2 + high / 2, half: high / 2 - low / 2 };
  });
  const centre = span.map((axis) => axis.centre);
  const widest = Math.max(span[0].half, span[1].half);
  const least = Math.min(span[0].half, span[1].half);
  const equal = least === 0 || widest / least <= RATIO;
  const alone = Math.max(...centre.map(Math.abs)) / 2 || 1; // one point has no spread
  const half = span.map((axis) => PADDING * (equal ? widest || alone : axis.half));
  return { centre, half, equal };
}

export function toUnit(view, x) {
  return x.map((value, j) => (value - view.centre[j]) / view.half[j]);
}

/** θ in unit coordinates, up to a factor that is the same for a whole run. */
function inUnits(view, theta, scale) {
  const largest = Math.max(...view.half);
  return theta.map((value, j) => (value / scale) * (view.half[j] / largest));
}

/**
 * {normal, distance}: the points u with normal·u = distance are those with θ·x + θ₀ = level;
 * normal has length 1 and points to the positive side. null if there is no such line.
 */
export function lineOf(view, { theta, offset }, level = 0) {
  const scale = Math.max(...theta.map(Math.abs)); // first, so that no product overflows
  if (scale === 0) return null;
  const direction = inUnits(view, theta, scale);
  const length = Math.hypot(...direction);
  const largest = Math.max(...view.half);
  let constant = (offset / scale - level / scale) / largest;
  theta.forEach((value, j) => (constant += (value / scale) * (view.centre[j] / largest)));
  const line = { normal: direction.map((value) => value / length), distance: -constant / length };
  return length > 0 && [...line.normal, line.distance].every(Number.isFinite) ? line : null;
}

export const CORNERS = [[-1, -1], [1, -1], [1, 1], [-1, 1]];

/** The part of a convex polygon where normal·u ≥ distance. */
export function clip(polygon, { normal, distance }) {
  const side = (u) => normal[0] * u[0] + normal[1] * u[1] - distance;
  return polygon.flatMap((u, i) => {
    const v = polygon[(i + 1) % polygon.length];
    const [a, b] = [side(u), side(v)];
    const kept = a >= 0 ? [u] : [];
    if (a >= 0 === b >= 0) return kept;
    const share = a / (a - b);
    return [...kept, u.map((value, j) => value + share * (v[j] - value))];
  });
}

const opposite = ({ normal, distance }) => ({
  normal: normal.map((value) => -value),
  distance: -distance,
});

/** The square on the positive and on the negative side of a line. */
export function halves(line) {
  return { positive: clip(CORNERS, line), negative: clip(CORNERS, opposite(line)) };
}

/** The part of the square between two lines of the same normal, the first the lower one. */
export function strip(low, high) {
  return clip(clip(CORNERS, low), opposite(high));
}

/** The two ends of a line within the square, or null if it passes by. */
export function segment({ normal, distance }) {
  const foot = normal.map((value) => value * distance);
  const along = [-normal[1], normal[0]];
  let [from, to] = [-Infinity, Infinity];
  for (const j of [0, 1]) {
    if (along[j] === 0) {
      if (Math.abs(foot[j]) > 1) return null;
      continue;
    }
    const ends = [(-1 - foot[j]) / along[j], (1 - foot[j]) / along[j]];
    from = Math.max(from, Math.min(...ends));
    to = Math.min(to, Math.max(...ends));
  }
  if (from >= to) return null;
  return [from, to].map((t) => foot.map((value, j) => value + t * along[j]));
}

/** A function that gives θ's length relative to the longest of the run: 0 … 1. */
export function lengthsOf(view, run) {
  const scale = run.thetas.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const length = (theta) => Math.hypot(...inUnits(view, theta, scale));
  let longest = 0;
  for (let k = 0; k <= run.n; k++) {
    longest = Math.max(longest, length(run.thetas.subarray(2 * k, 2 * k + 2)));
  }
  return (theta) => (longest > 0 ? Math.min(1, length(theta) / longest) : 0);
}

/** Round numbers within the view along axis j, about `wanted` of them: 1, 2 or 5 times 10^i. */
export function ticks(view, j, wanted) {
  const [low, high] = [view.centre[j] - view.half[j], view.centre[j] + view.half[j]];
  const raw = (view.half[j] / wanted) * 2;
  const exponent = Math.floor(Math.log10(raw));
  const lead = raw / 10 ** exponent;
  const step = lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10;
  const decimals = Math.max(0, -exponent);
  const values = [];
  const unit = step * 10 ** exponent;
  if (!(unit > 0) || !Number.isFinite(high - low)) return [];
  for (let i = Math.ceil(low / unit); i * unit <= high && values.length < 50; i++) {
    // Through text: i · unit has a rounding error that nobody wants to read.
    values.push(decimals > 20 ? i * unit : Number((i * unit).toFixed(decimals)));
  }
  return values;
}
