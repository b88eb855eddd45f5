/** The engine, off the page's thread. */

import { listen } from "./answering.js";

listen(self);
