/** Moving θ, for those who do not mind motion. */

/** Whether somebody asked for less motion; asked again each time, for they may change their mind. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Let a hypothesis move in a straight line, which is the update itself, done little by little: call
 * `draw` with what is on the way, and with nothing at the end. Returns a function that stops it.
 */
export function tween(from, to, length, draw) {
  const begin = performance.now();
  let frame = 0;
  const tick = (now) => {
    const time = Math.max(0, now - begin) / length;
    if (time >= 1) {
      draw();
      return;
    }
    const share = time * time * (3 - 2 * time);
    const between = (a, b) => a + share * (b - a);
    draw({
      theta: to.theta.map((value, j) => between(from.theta[j], value)),
      offset: between(from.offset, to.offset),
    });
    frame = requestAnimationFrame(tick);
  };
  tick(begin);
  return () => cancelAnimationFrame(frame);
}
