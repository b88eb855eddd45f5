"""What a person does on the page, in words of their own."""

import time

TWELVE = [
    (1, -2, 1), (3, 0, 1), (-4, 0, -1), (2, -3, 1), (-2, 0, -1), (1, -3, 1), (1, 2, -1), (4, 4, -1),
    (1, 3, -1), (2, -2, 1), (-5, -3, -1), (5, 1, 1),
]  # fmt: skip
PLAY = "document.getElementById('play').playground"
ANEW = """
(play) => {
  document.querySelectorAll("dialog[open]").forEach((node) => node.close());
  document.activeElement.blur();
  play.pause();
  play.page.speak("");
  play.page.learn.close();
  play.setView({
    notation: "theta", unit: "update", other: null, letters: true, predict: false, lecture: false,
  });
  play.setBrush(1);
  play.player.setSpeed(1);
  play.page.transport.inner.speed.value = "1";
  play.page.settings.open = false;
  play.page.settings.drawn = "";
  play.openPreset("default");
  Object.assign(play.history, { past: [], future: [] });
  play.drawForms();
}
"""
IDLE = f"{PLAY}.runs.length > 0 && !{PLAY}.requests.busy && {PLAY}.document === {PLAY}.answeredFor"


class Hand:
    """A page, and hands on it."""

    def __init__(self, page):
        self.page = page

    # ------------------------------------------------------------------------- reading

    def ask(self, expression):
        return self.page.evaluate(f"(play => {expression})({PLAY})")

    @property
    def sentence(self):
        return self.page.locator(".play-sentence").inner_text()

    @property
    def position(self):
        return self.page.locator(".nr-position").inner_text()

    @property
    def verdict(self):
        return self.page.locator(".play-verdict").inner_text()

    @property
    def points(self):
        return [tuple(p) for p in self.ask("play.document.points.map(p => [p.x, p.y, p.label])")]

    @property
    def settings(self):
        return self.ask("play.document.settings")

    @property
    def hypothesis(self):
        """θ and θ₀ as shown."""
        return self.ask("(([r], {k}) => [...r.thetas.slice(2 * k, 2 * k + 2), r.offsets[k]])"
                        "(play.runs, play.clock.standing(play.runs[0], play.moment))")  # fmt: skip

    def d(self, name):
        """The path of a part of the plane."""
        return self.page.locator(f".nr-plane .{name}").first.get_attribute("d")

    # ------------------------------------------------------------------------- waiting

    def until(self, holds, seconds=90):
        """Ask until it is so. Playwright's own waiting needs eval, which the policy forbids.

        Only what never comes to be so takes all of the seconds, however busy the machine is.
        """
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, "it never came to be so"
            self.page.wait_for_timeout(20)

    def settle(self):
        """Until every answer is there."""
        self.until(lambda: self.page.evaluate(IDLE))

    # --------------------------------------------------------------------------- doing

    def begin_anew(self):
        """What a reload does, ten times as fast."""
        self.page.evaluate(f"({ANEW})({PLAY})")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def button(self, name, **options):
        self.page.get_by_role("button", name=name, **options).first.click()

    def preset(self, name):
        self.page.get_by_label("Presets").select_option(name)
        self.settle()

    def choose(self, field, value):
        self.unfold()
        self.page.locator(f"[data-field={field}]").select_option(value)
        self.settle()

    def unfold(self):
        self.page.locator(".play-fold").evaluate("node => { node.open = true; }")

    def tick(self, field):
        self.unfold()
        self.page.locator(f"[data-field={field}]").click()
        self.settle()

    def type(self, field, text):
        self.unfold()
        node = self.page.locator(f"[data-field={field}]")
        node.fill(text)
        node.press("Tab")
        self.settle()

    def pixel(self, x, y, stage=0):
        """Where a point of the plane is on the screen."""
        box = self.page.locator(".nr-plane").nth(stage).bounding_box()
        left, top = self.ask(
            f"(b => b.place_([{x}, {y}]).map((v, j) => v + [b.left, b.top][j]))"
            f"(play.page.stages[{stage}].board)"
        )
        return box["x"] + left, box["y"] + top

    def click(self, x, y, **options):
        self.page.mouse.click(*self.pixel(x, y), **options)
        self.settle()

    def drag(self, start, end):
        mouse = self.page.mouse
        mouse.move(*self.pixel(*start))
        mouse.down()
        mouse.move(*self.pixel(*end), steps=6)
        mouse.up()
        self.settle()
