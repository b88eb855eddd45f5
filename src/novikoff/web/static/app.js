/** The page: open the playground where the document has a place for it. */

import { open } from "./playground.js";

open(document.getElementById("play"));
