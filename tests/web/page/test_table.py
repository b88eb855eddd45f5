"""Points from a table: pasted, dropped, chosen; and what is hostile in it stays text."""

IRIS = "length,width,species\n" + "\n".join(
    f"{4.5 + i / 10},{3 + (i % 3) / 10},{'setosa' if i < 8 else 'virginica'}" for i in range(16)
)
DROP = """
(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "flowers.csv", { type: "text/csv" }));
  document.querySelector(".nr-plane").dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""
HOSTILE = '<img src=x onerror=alert(1)>,"</script><script>alert(1)</script>",label\n' + "\n".join(
    f"{i},{i % 4},{'<b>yes</b>' if i % 2 else '=cmd|A0'}" for i in range(12)
)


def ready(play):
    play.until(lambda: play.page.get_by_role("button", name="Use these points").is_visible())


def use(play):
    ready(play)
    play.button("Use these points")
    play.settle()


def test_a_dropped_file(play):
    play.page.evaluate(DROP, IRIS)
    use(play)
    assert len(play.points) == 16
    assert play.points[0][:2] == (4.5, 3)
    assert play.page.locator(".play-axis-name").all_inner_texts() == ["length", "width"]
    assert sorted(play.page.locator(".play-legend bdi").all_inner_texts()) == [
        "setosa",
        "virginica",
    ]
    assert "mistakes" in play.sentence


def test_a_pasted_table_and_other_columns(play):
    table = "a,b,c,kind\n1,2,9,x\n2,1,8,y\n3,4,7,x\n4,3,6,y"
    play.button("CSV …")
    play.page.locator("[data-field=csv]").fill(table)
    ready(play)
    play.page.get_by_label("Vertical").select_option("c")
    play.until(lambda: play.ask("play.page.table.answer.axes")[1] == "c")
    use(play)
    assert [p[:2] for p in play.points] == [(1, 9), (2, 8), (3, 7), (4, 6)]


def test_a_table_pasted_onto_the_page(play):
    play.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play.page.evaluate("text => navigator.clipboard.writeText(text)", IRIS)
    play.page.locator("h1").click()
    play.press("Control+v")
    use(play)
    assert len(play.points) == 16
    play.page.evaluate("navigator.clipboard.writeText('a, b and c')")  # a line is no table
    play.press("Control+v")
    assert not play.page.locator("dialog[open]").is_visible()


def test_more_than_two_classes_ask_for_one(play):
    play.page.evaluate(DROP, "a,b,kind\n1,2,x\n2,1,y\n3,4,z\n4,3,y\n1,1,z\n5,5,x")
    ready(play)
    play.page.get_by_label("Positive class").select_option("z")
    play.until(lambda: play.ask("play.page.table.answer.classes.positive") == "z")
    use(play)
    assert [p[2] for p in play.points] == [-1, -1, 1, -1, 1, -1]


def test_a_hostile_table_stays_text(play):
    play.page.evaluate(DROP, HOSTILE)
    ready(play)
    heads = play.page.locator(".play-preview th").all_inner_texts()
    assert heads[0] == "<img src=x onerror=alert(1)>"
    use(play)
    assert play.page.locator(".play-axis-name").first.inner_text() == "<img src=x onerror=alert(1)>"
    assert "<b>yes</b>" in play.page.locator(".play-legend bdi").all_text_contents()
    assert play.page.locator("img, .play-legend b, main script").count() == 0


def test_what_is_no_table_says_so(play):
    status = play.page.locator("dialog[open] .play-share-status")
    for text in ("just a few words", "a,b\n1,2", "\x00\x01\x02"):
        play.page.evaluate(DROP, text)
        play.until(lambda: status.inner_text() != "")
        assert not play.page.get_by_role("button", name="Use these points").is_visible()
