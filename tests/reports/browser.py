"""Open a page in a real browser and say what is on it, as one JSON object on standard output.

A process of its own, because Playwright's synchronous interface runs once per process, and other
browser tests hold theirs for a whole session.

    python browser.py CHROMIUM FILE '{"width": 390, "color_scheme": "dark", "script": "() => ..."}'
"""

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FOUND = """() => ({
  headings: [...document.querySelectorAll("h1, h2, h3, h4")].map((h) => Number(h.tagName[1])),
  unnamed: [...document.querySelectorAll("img, svg")].filter((e) => !(
    e.parentElement.closest("svg") // a part of a picture
    || e.closest("[aria-hidden=true]") || e.getAttribute("alt") || e.getAttribute("aria-label")
    || e.getAttribute("aria-labelledby") || e.querySelector("title")
  )).map((e) => e.outerHTML.slice(0, 120)),
  width: document.documentElement.scrollWidth,
  text: document.body.innerText,
  scripts: [...document.scripts].map((s) => s.type),
})"""


def main():
    chromium, file, options = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3])
    script, width = options.pop("script", None), options.pop("width", 1280)
    pdf, media = options.pop("pdf", False), options.pop("media", None)
    errors, requests = [], []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium)
        page = browser.new_context(viewport={"width": width, "height": 800}, **options).new_page()
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: (errors.append("a dialog opened"), dialog.dismiss()))
        page.on("request", lambda request: requests.append(request.url[:80]))
        page.goto(file.as_uri())
        page.emulate_media(media=media)
        page.wait_for_timeout(300)
        found = page.evaluate(FOUND)
        found["result"] = page.evaluate(script) if script else None
        found["pdf"] = len(page.pdf(format="A4")) if pdf else None
        browser.close()
    outside = [url for url in requests if not url.startswith(("data:", file.as_uri()))]
    print(json.dumps({**found, "errors": errors, "outside": outside}))


if __name__ == "__main__":
    main()
