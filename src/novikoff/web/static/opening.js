/** What the page opens with: a link, what the server was started with, a file, or twelve points. */

import { still } from "./replay/motion.js";
import { ask } from "./api.js";
import { UNITS } from "./clock.js";
import { ALGORITHMS, checkedDocument, makeDocument } from "./document.js";
import { fromFragment } from "./link.js";
import { NOTATIONS } from "./notation.js";
import { failures } from "./strings.js";

/** The first thing that is shown. */
export async function openFirst(playground) {
  if (location.hash.length > 1) {
    openLink(playground, location.hash);
    return;
  }
  const start = await ask("/api/start");
  const opened = start.state ? openState(playground, start.state) : false;
  if (!opened && start.points) playground.load(makeDocument(start), { t: 0, end: true });
  else if (!opened) playground.openPreset("default", { t: 0, end: false }, !still());
  const remark = start.state && !opened ? failures.file : start.note;
  if (remark) playground.page.note(remark);
}

/** What a link shows; twelve points and a remark, if it cannot be read. */
export function openLink(playground, fragment) {
  clearTimeout(playground.saving); // or the address would be that of what was there before
  const found = fromFragment(
    fragment, { units: UNITS, notations: NOTATIONS, algorithms: ALGORITHMS },
  );
  if (!found) {
    playground.openPreset("default", { t: 0, end: false });
    playground.page.note(failures.link);
    return;
  }
  const { t, end, ...view } = found.view;
  playground.setView(view);
  playground.load(found.document, { t, end });
}

/** A state file's object; whether it was one. */
export function openState(playground, state) {
  const ours = state?.format === "novikoff.play" && state.version === 1;
  const document_ = ours ? checkedDocument(state.document) : null;
  if (!document_) return false;
  const { t, end, notation, unit, other } = state.view ?? {};
  const known = { notation: NOTATIONS, unit: UNITS, other: [null, ...ALGORITHMS] };
  const view = Object.entries({ notation, unit, other }).filter(
    ([name, value]) => known[name].includes(value),
  );
  playground.setView(Object.fromEntries(view));
  playground.load(document_, { t: Number.isSafeInteger(t) && t >= 0 ? t : 0, end: end === true });
  return true;
}
