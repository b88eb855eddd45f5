/** Keys, and the rule that any input stops what plays by itself. */

const TYPING = "select, textarea, [contenteditable], input:not([type=range]):not([type=checkbox])";

function history(event, playground) {
  const z = event.key.toLowerCase();
  if (z === "z" && event.shiftKey) playground.redo();
  else if (z === "z") playground.undo();
  else if (z === "y") playground.redo();
  else return false;
  return true;
}

/** What a key does; undefined if it is none of ours. */
function actionOf(event, playground) {
  const { place, clock, view, selected } = playground;
  const steps = {
    ArrowLeft: place - 1, ArrowRight: place + 1, PageUp: place - 1, PageDown: place + 1,
    Home: 0, End: clock?.count,
  };
  if (event.key in steps) return () => playground.goByHand(Math.max(0, steps[event.key]));
  if (event.key === "Delete" || event.key === "Backspace") {
    return selected === null ? undefined : () => playground.removePoint(selected);
  }
  if (event.key === "Escape" && view.lecture) return () => playground.setView({ lecture: false });
  if (!view.letters) return undefined;
  return {
    l: () => playground.setView({ lecture: !view.lecture }),
    p: () => playground.setView({ predict: !view.predict }),
    b: () => playground.setBrush(-playground.brush),
  }[event.key.toLowerCase()];
}

export function listen(playground) {
  const { root } = playground.page;
  const stop = (event) => {
    if (!playground.byItself) return;
    if (event.target instanceof Element && event.target.closest(".play-button-play")) return;
    playground.pause();
  };
  root.addEventListener("pointerdown", stop, { capture: true });
  root.addEventListener("wheel", stop, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => {
    const on = (selector) => event.target instanceof Element && event.target.closest(selector) !== null;
    if (event.defaultPrevented || event.altKey || on("dialog") || !playground.document) return;
    if (event.ctrlKey || event.metaKey) {
      if (!on(TYPING) && history(event, playground)) event.preventDefault();
      return;
    }
    if (["Control", "Shift", "Alt", "Meta"].includes(event.key)) return;
    if (event.key === " ") {
      if (on(`${TYPING}, button, a[href], summary, input`)) return; // theirs
      event.preventDefault();
      playground.toggle();
      return;
    }
    stop(event);
    if (on(TYPING)) return;
    if (on("input[type=range], .play-scroller:focus") && /^(Arrow|Home|End)/.test(event.key)) return;
    const act = actionOf(event, playground);
    if (!act) return;
    event.preventDefault();
    act();
  });
}
