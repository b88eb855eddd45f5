/** The page as one file: in its window the playground, in its worker, which runs the same script, the engine. */

import { listen } from "./answering.js";
import { open } from "./playground.js";

if (globalThis.document) open(document.getElementById("play"));
else listen(globalThis);
