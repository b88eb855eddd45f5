/**
 * For pages made in Python: mounts every element with data-replay on the JSON block that it names,
 * and leaves the Replay on the element, as `element.replay`.
 */

import { mount } from "./replay.js";

for (const element of document.querySelectorAll("[data-replay]")) {
  if (element.replay) continue; // the script may stand on the page twice
  const { replay, autoplay, keys, counting, start } = element.dataset;
  const traceDocument = JSON.parse(document.getElementById(replay).textContent);
  const options = { autoplay: autoplay !== undefined, start: Number(start ?? 0), counting };
  if (keys === "document") options.keys = document;
  element.replay = mount(element, traceDocument, options);
}
