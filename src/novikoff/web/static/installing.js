/** On a web host: once opened, the page opens again without a network, and can be installed. */

import { html } from "./replay/dom.js";

export function install() {
  document.head.append(html("link", { rel: "manifest", href: "play.webmanifest" }));
  return navigator.serviceWorker.register("service.js");
}
