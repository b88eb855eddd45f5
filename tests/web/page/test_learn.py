"""The tour, the challenges, and a table worked out by hand."""

STEPS = [
    (1, 1, 1, -2, 1), (2, 11, 6, 1, 0), (3, 7, 5, -1, -1), (4, 8, 1, -5, -2), (5, 11, 6, -2, -3),
    (6, 8, 2, -6, -4), (7, 11, 7, -3, -5), (8, 8, 3, -7, -6), (9, 11, 8, -4, -7),
    (10, 8, 4, -8, -8),
]  # fmt: skip


def table(rows):
    """As the page suggests it."""
    return "\n".join(["k, i, θ₁, θ₂, θ₀", *(",".join(map(str, row)) for row in rows)])


def test_six_lessons(play):
    play.button("Tour")
    titles, texts = [], []
    for number in range(1, 7):
        play.settle()
        card = play.page.locator(".play-learn")
        assert card.locator("h2").inner_text() == f"Lesson {number} of 6"
        titles.append(card.locator("h3").inner_text())
        texts.append(play.sentence)
        play.button("Next" if number < 6 else "Done")
    assert len(set(titles)) == 6
    assert not play.page.locator(".play-learn").is_visible()
    for part in (".play-points", ".play-settings h2", ".play-against"):  # as they were before
        assert play.page.locator(part).is_visible()
    assert texts[0] == "Separated after 10 mistakes. The theorem allows 28."
    assert texts[1].startswith("Start")
    assert "it undershoots" in texts[2]
    assert texts[3].startswith("No line through the origin")
    assert texts[4] == "Separated after 55 mistakes. The theorem allows 109."
    assert texts[5].startswith("No line separates")


def test_going_back_in_the_tour(play):
    play.button("Tour")
    play.button("Next")
    play.button("Back", exact=True)
    assert play.page.locator(".play-learn h2").inner_text() == "Lesson 1 of 6"


def test_the_undershooting_challenge(play):
    play.button("Homework")
    play.button("Try it")
    play.settle()
    outcome = play.page.locator(".play-outcome")
    play.until(lambda: outcome.inner_text() != "")
    assert not outcome.evaluate("node => node.classList.contains('play-solved')")
    play.click(4, 0)
    play.press("b")
    play.click(1, 1)
    play.until(lambda: outcome.evaluate("node => node.classList.contains('play-solved')"))


def test_the_offset_challenge(play):
    play.button("Homework")
    play.page.get_by_role("button", name="Try it").nth(1).click()
    play.settle()
    play.click(4, 1)
    play.press("b")
    play.click(2, 0.5)
    outcome = play.page.locator(".play-outcome")
    play.until(lambda: outcome.evaluate("node => node.classList.contains('play-solved')"))


def test_a_right_table(play):
    play.button("Steps")
    rows = play.page.locator(".play-steps tbody tr")
    assert rows.count() == 11
    assert "(undershoots)" in rows.nth(3).inner_text()
    play.page.get_by_label("Your table").fill(table(STEPS))
    play.button("Check", exact=True)
    result = play.page.locator(".play-check-result")
    play.until(lambda: result.inner_text().startswith("All right"))
    assert "not compared" not in result.inner_text()


def test_the_first_wrong_row_is_marked(play):
    play.button("Homework")
    play.button("Check it")
    wrong = [*STEPS[:3], (4, 8, 1, 5, -2), *STEPS[4:]]
    play.page.get_by_label("Your table").fill(table(wrong))
    play.button("Check", exact=True)
    marked = play.page.locator(".play-pasted mark")
    play.until(lambda: marked.count() == 1)
    assert marked.inner_text().strip() == "4,8,1,5,-2"
    assert "Line 5: update 4 is wrong" in play.page.locator(".play-check-result").inner_text()
    bare = [" ".join(map(str, row)) for row in [STEPS[0], (2, 10, 6, 1, 0)]]
    play.page.get_by_label("Your table").fill("\n".join(bare))
    play.button("Check", exact=True)
    cells = play.page.locator(".play-cells tbody td")
    play.until(lambda: cells.all_inner_texts() == ["i", "10", "11"])
    assert marked.inner_text().strip() == bare[1]
    assert "Line 2: update 2" in play.page.locator(".play-check-result").inner_text()


def test_a_row_of_the_steps_leads_to_its_update(play):
    play.button("Steps")
    play.button("Go to update 7")
    assert play.position == "update 7 of 10, epoch 3"
