/** A run as a replay: a page of its own that opens anywhere. Python has made all of it but the run. */

import { engine } from "./api.js";

/** The page with places for {{title}} and {{trace}}: a file beside this one, or in the one-file page. */
async function template() {
  const packed = document.getElementById("replay");
  if (!packed) return (await fetch("replay.html")).text();
  const bytes = Uint8Array.from(atob(packed.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Text as text, in HTML and in a JSON block of it. */
const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const inert = (json) => json.replace(/[&<>]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** {name, type, text} */
export async function replayOf(question, title) {
  const { text } = await engine.ask("export", { ...question, kind: "trace" });
  const page = await template();
  return {
    name: "novikoff-run.html",
    type: "text/html",
    text: page.replaceAll("{{title}}", () => escaped(title)).replace("{{trace}}", () => inert(text)),
  };
}
