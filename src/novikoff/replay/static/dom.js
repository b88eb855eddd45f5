/**
 * Making elements. Text goes in as text nodes and nothing else, so that a label can never become
 * markup; styles are classes, because a strict Content-Security-Policy refuses style attributes.
 */

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  set(node, attributes);
  node.append(...children);
  return node;
}

/** An HTML element; children are nodes or strings. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Set attributes; null takes one away. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, String(value));
  }
}

/** Text written by somebody else: its direction is its own. */
export function userText(tag, text, attributes = {}) {
  return html(tag, { dir: "auto", ...attributes }, text);
}
