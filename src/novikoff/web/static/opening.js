/** What the page opens with: a link, what was put into it, a file, or twelve points. */

import { still } from "./replay/motion.js";
import { UNITS } from "./clock.js";
import { checkedDocument, CHOICES } from "./document.js";
import { fromFragment } from "./link.js";
import { NOTATIONS } from "./notation.js";
import { failures } from "./strings.js";

/** The first thing that is shown: of the address, or else of the block that Python writes. */
export function openFirst(playground) {
  const start = JSON.parse(document.getElementById("start")?.textContent ?? "null");
  const link = location.hash.length > 1 ? location.hash : start?.link;
  if (link) {
    openLink(playground, link);
    return;
  }
  const opened = start !== null && openState(playground, start);
  if (!opened) playground.openPreset("default", { t: 0, end: false }, start === null && !still());
  if (start !== null) playground.page.note(opened ? start.note ?? "" : failures.file);
}

/** What a link shows; twelve points and a remark, if it cannot be read. */
export function openLink(playground, fragment) {
  clearTimeout(playground.saving); // or the address would be that of what was there before
  const found = fromFragment(
    fragment, { units: UNITS, notations: NOTATIONS, algorithms: CHOICES.algorithm },
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
  const known = { notation: NOTATIONS, unit: UNITS, other: [null, ...CHOICES.algorithm] };
  const view = Object.entries({ notation, unit, other }).filter(
    ([name, value]) => known[name].includes(value),
  );
  playground.setView(Object.fromEntries(view));
  playground.load(document_, { t: Number.isSafeInteger(t) && t >= 0 ? t : 0, end: end === true });
  return true;
}
