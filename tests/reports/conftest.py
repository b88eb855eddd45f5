"""Reports made once, and looked at once in a real browser."""

import pytest

from novikoff.reports.make import make
from novikoff.streams.tables.options import TableOptions

COLUMN, LABEL = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'

FOUND = """() => ({
  headings: [...document.querySelectorAll("h1, h2, h3, h4")].map((h) => Number(h.tagName[1])),
  unnamed: [...document.querySelectorAll("img, svg")].filter((e) => !(
    e.parentElement.closest("svg") // a part of a picture
    || e.closest("[aria-hidden=true]") || e.getAttribute("alt") || e.getAttribute("aria-label")
    || e.getAttribute("aria-labelledby") || e.querySelector("title")
  )).map((e) => e.outerHTML.slice(0, 120)),
  text: document.body.innerText,
  scripts: [...document.scripts].map((s) => s.type),
})"""
PICTURES = """() => [...document.querySelectorAll("figure img")].map(
  (i) => [i.className, getComputedStyle(i).display])"""
STEP = """() => {
  const replay = document.querySelector("[data-replay]")?.replay;
  replay?.go(1);
  return replay && document.querySelector(".nr-slider").getAttribute("aria-valuetext");
}"""


@pytest.hookimpl(tryfirst=True)  # before each file becomes a group of its own
def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/reports" in item.nodeid:
            item.add_marker(pytest.mark.xdist_group("reports"))  # made once, not once per process


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """made(name, data, ...) -> (the file, what is on it); each made once."""
    folder, known = tmp_path_factory.mktemp("reports"), {}

    def get(name, data, **settings):
        if name not in known:
            settings = {"budget": 600.0, **settings}  # however busy the machine is
            options = TableOptions(**settings.pop("options", {}))
            done = make(data, options=options, **settings)
            file = folder / f"{name}.html"
            file.write_text(done.html, encoding="utf-8")
            known[name] = file, done
        return known[name]

    return get


@pytest.fixture(scope="session")
def seen(browser):
    """seen(file) -> what a browser found on the page, opened from disk; each opened once."""
    known = {}

    def get(file):
        if file not in known:
            known[file] = _look(browser, file)
        return known[file]

    return get


def _look(browser, file):
    errors, requests = [], []
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: (errors.append("a dialog opened"), dialog.dismiss()))
    page.on("request", lambda request: requests.append(request.url[:80]))
    page.goto(file.as_uri())
    found = page.evaluate(FOUND)
    found["pictures"] = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found["pictures"][scheme] = page.evaluate(PICTURES)
    found["widths"] = {}
    # A4 less its margins is 688 pixels wide, at 96 an inch: what is wider would be shrunk.
    for width, media in ((1280, "screen"), (390, "screen"), (688, "print")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(media=media)
        found["widths"][width] = page.evaluate("document.documentElement.scrollWidth")
    found["pdf"] = len(page.pdf(format="A4"))
    page.emulate_media(media="screen")
    found["step"] = page.evaluate(STEP)
    page.context.close()
    outside = [url for url in requests if not url.startswith(("data:", file.as_uri()))]
    return {**found, "errors": errors, "outside": outside}


@pytest.fixture(scope="session")
def hostile_csv(tmp_path_factory):
    """The exclusive or, with names and labels that would do harm as markup."""
    path = tmp_path_factory.mktemp("hostile") / "hostile.csv"
    quoted = LABEL.replace('"', '""')
    rows = [
        f'{a + 0.01 * k},{b + 0.02 * k},"{quoted if a ^ b else "ok"}"'
        for k in range(10)
        for a in (0, 1)
        for b in (0, 1)
    ]
    path.write_text(f"{COLUMN},b,label\n" + "\n".join(rows) + "\n")
    return path
