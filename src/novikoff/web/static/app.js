/** The page: open the playground where the document has a place for it. */

import { open } from "./playground.js";

open(document.getElementById("play"));

// Once opened over https it opens again without a network, and can be installed.
if (location.protocol === "https:") navigator.serviceWorker?.register("service.js");
