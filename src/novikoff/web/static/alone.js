/**
 * The page as one file: in its window the playground, and in its worker, which runs the same script,
 * the engine.
 */

import { listen } from "./answering.js";
import { install } from "./installing.js";
import { open } from "./playground.js";

if (globalThis.document) {
  const root = document.getElementById("play");
  open(root);
  if (root.dataset.hosted !== undefined && location.protocol === "https:") install();
} else listen(globalThis);
