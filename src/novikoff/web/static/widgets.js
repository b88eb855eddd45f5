/** Small parts of forms. */

import { html } from "./replay/dom.js";
import { fields } from "./strings.js";

/** A button with a text. */
export function button(text, act, attributes = {}) {
  const node = html("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", () => {
    if (node.getAttribute("aria-disabled") !== "true") act(node);
  });
  return node;
}

/** A choice: {value: text}. */
export function choice(options, value, act, attributes = {}) {
  const node = html("select", attributes);
  for (const [name, text] of Object.entries(options)) node.append(html("option", { value: name }, text));
  if (value !== null) node.value = value;
  node.addEventListener("change", () => act(node.value));
  return node;
}

/** What somebody typed, as a number: a decimal comma and U+2212 are understood; NaN if it is none. */
export function parsed(text) {
  const plain = text.trim().replaceAll("−", "-").replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/**
 * A field for a number; `act` gets it when it is one within the limits. If not, the field shows it,
 * and an event "play-refused" says what would be right ("" once it is).
 */
export function numberField(value, limits, act, attributes = {}) {
  const { least = -Infinity, most = Infinity, whole = false } = limits;
  const node = html(
    "input", { type: "text", inputmode: "decimal", autocomplete: "off", ...attributes },
  );
  node.value = String(value);
  const check = () => {
    const found = parsed(node.value);
    const right = found >= least && found <= most && (!whole || Number.isInteger(found));
    node.setAttribute("aria-invalid", String(!right));
    return right ? found : null;
  };
  node.addEventListener("change", () => {
    const found = check();
    const name = node.getAttribute("aria-label") ?? node.labels?.[0]?.firstChild.textContent ?? "";
    const detail = found === null ? fields.refused(name, least, most, whole) : "";
    node.dispatchEvent(new CustomEvent("play-refused", { bubbles: true, detail }));
    if (found !== null) act(found);
  });
  node.addEventListener("input", check);
  return node;
}

/** A label with its field. */
export function labelled(text, field, more = {}) {
  return html("label", { class: "play-field", ...more }, html("span", {}, text), field);
}

/** A box to tick. */
export function tick(text, value, act) {
  const box = html("input", { type: "checkbox" });
  box.checked = value;
  box.addEventListener("change", () => act(box.checked));
  return { box, element: html("label", { class: "play-tick" }, box, html("span", {}, text)) };
}

/** A dialog with a title and a way out. */
export function dialog(title, close, ...content) {
  const node = html("dialog", { class: "play-dialog", "aria-label": title });
  const out = button("✕", () => node.close(), { class: "play-close", "aria-label": close });
  node.append(html("div", { class: "play-dialog-head" }, html("h2", {}, title), out), ...content);
  node.addEventListener("click", (event) => {
    if (event.target === node) node.close(); // beside the box
  });
  return node;
}

/** Give a file to whoever asked for it. */
export function download(name, type, content) {
  const url = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([content], { type }),
  );
  const link = html("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
