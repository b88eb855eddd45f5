/** Two ways to write the same thing: θ, θ₀ as in most lecture notes, or w, b as in others. */

export const NOTATIONS = ["theta", "w"];
let current = "theta";

export function setNotation(name) {
  current = name;
}

/** A text of ours, or of the engine's, in the chosen notation. Never for text of the user's. */
export function say(text) {
  const signed = text.replace(/(^|[\s(=])-(?=\d)/g, "$1−"); // the engine writes a hyphen
  return current === "w" ? signed.replaceAll("θ₀", "b").replaceAll("θ", "w") : signed;
}
