/*
 * A service worker: once the page was opened over https, it opens without a network. Python writes
 * VERSION above; a new version is fetched as a whole, and only then used.
 */

const FILES = ["./", "index.html", "icon.svg", "play.webmanifest"];
const NAME = `novikoff-${VERSION}`;

self.addEventListener("install", (event) => {
  const files = FILES.map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const old = async () => (await caches.keys()).filter((name) => /^novikoff-/.test(name) && name !== NAME);
  event.waitUntil(old().then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const kept = caches.open(NAME).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then((response) => response ?? fetch(event.request)));
});
