"""What the server refuses, and how it says so."""

from __future__ import annotations

import json
import socket
import time

import httpx
import numpy as np
import pytest

from novikoff.web import jobs
from novikoff.web.guard import POLICY
from novikoff.web.pool import BusyError, Pool
from novikoff.web.presets import preset
from novikoff.web.replies import Classes, Start
from tests.web.serving import serving

TASK = {"points": [point.model_dump() for point in preset("default").points]}


@pytest.fixture(scope="module")
def client(playground):
    with httpx.Client(base_url=playground, timeout=120) as client:
        client.post("/api/run", json=TASK)  # once this is answered, a worker is ready
        yield client


def problem(response, status, kind):
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert error["kind"] == kind
    assert error["message"]
    return error


def sent(playground, text, timeout=30.0):
    """What comes back for these bytes, sent as they are."""
    port = int(playground.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        connection.sendall(text)
        answer = b""
        while more := connection.recv(65536):
            answer += more
        return answer


# -------------------------------------------------------------------------------- the answers


def test_a_run_over_the_wire(client):
    answer = client.post("/api/run", json={**TASK, "axes": ["height", "weight"]}).json()
    assert answer["model"]["theta"] == [4.0, -8.0]
    assert answer["trace"]["feature_names"] == ["height", "weight"]


def test_presets_can_be_asked_for_as_they_are(client):
    offered = client.get("/api/presets").json()
    assert offered["limits"]["updates"] == 5000
    for chosen in offered["presets"]:
        question = {"points": chosen["points"], "settings": chosen["settings"]}
        answer = client.post("/api/run", json=question)
        assert answer.status_code == 200
    for challenge in offered["challenges"]:
        answer = client.post("/api/challenge", json={**TASK, "name": challenge["name"]})
        assert answer.status_code == 200


def test_the_page_finds_what_the_server_was_started_with(client):
    assert client.get("/api/start").json()["points"] is None
    start = Start(
        points=preset("xor").points, title="<b>", axes=("a", "b"),
        classes=Classes(negative="no", positive="yes"),
    )  # fmt: skip
    with serving(start) as url:
        found = httpx.get(f"{url}/api/start").json()
    assert len(found["points"]) == 4
    assert (found["title"], found["axes"]) == ("<b>", ["a", "b"])


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/static/app.js", "text/javascript"),
        ("/static/replay/replay.js", "text/javascript"),
        ("/static/replay/replay.css", "text/css"),
        ("/api/presets", "application/json"),
        ("/api/nothing", "application/json"),
        ("/static/nothing.js", "application/json"),
    ],
)
def test_every_answer_carries_the_policy_and_its_type(client, path, kind):
    headers = client.get(path).headers
    assert headers["content-type"].partition(";")[0] == kind
    assert headers["content-security-policy"] == POLICY
    assert "default-src 'self'" in POLICY
    assert "unsafe" not in POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] in ("no-store", "no-cache")


def test_a_file_that_has_not_changed_is_not_sent_again(client):
    first = client.get("/static/replay/replay.js")
    again = client.get("/static/replay/replay.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/app.py",
        "/static/../../reports/templates/report.css", "/static/replay/../../data/datasets.json",
        "/static//etc/passwd", "/static/replay/../html.py", "/static/.", "/static/",
        "/static/replay/..%5chtml.py", "/static/index.html%00.js",
    ],
)  # fmt: skip
def test_there_are_no_other_files(playground, path):
    answer = sent(
        playground, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    )
    assert answer.split(b" ", 2)[1] in (b"404", b"400")
    assert b"import" not in answer


# --------------------------------------------------------------------------------- foreigners


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8362", "127.0.0.1.evil.example", "0.0.0.0", "", "[::2]",
             "localhost.", "127.0.0.1@evil.example", "localhost:80:90"],
)  # fmt: skip
def test_a_foreign_host_is_refused(client, host):
    for path in ("/", "/api/presets", "/static/replay/replay.js"):
        problem(client.get(path, headers={"Host": host}), 403, "refused")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1:8362", "[::1]:80"])
def test_this_machine_has_several_names(client, host):
    assert client.get("/api/presets", headers={"Host": host}).status_code == 200


def test_a_host_given_twice_is_refused(playground):
    text = b"GET /api/presets HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
    assert sent(playground, text).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1", ""]
)
def test_a_foreign_origin_is_refused(client, origin):
    problem(client.post("/api/run", json=TASK, headers={"Origin": origin}), 403, "refused")
    problem(client.get("/api/presets", headers={"Origin": origin}), 403, "refused")


def test_the_own_origin_is_not(playground, client):
    assert client.post("/api/run", json=TASK, headers={"Origin": playground}).status_code == 200


def test_a_link_from_elsewhere_may_open_the_page_and_nothing_else(client):
    from_elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/", headers=from_elsewhere).status_code == 200
    problem(client.get("/api/presets", headers=from_elsewhere), 403, "refused")
    problem(client.get("/static/app.js", headers={"Sec-Fetch-Site": "same-site"}), 403, "refused")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_form_cannot_ask(client, kind):
    """What a page may send elsewhere without asking first is not understood."""
    answer = client.post("/api/run", content=json.dumps(TASK), headers={"Content-Type": kind})
    problem(answer, 415, "invalid")


def test_there_is_no_permission_for_other_origins(client):
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = client.options("/api/run", headers=headers)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


# ------------------------------------------------------------------------------------- limits


def test_a_large_request_is_refused_and_the_answer_arrives(client):
    for size in (10**6, 5 * 10**6):  # a connection closed on unread bytes would be reset
        problem(client.post("/api/run", json={"points": [], "x": "y" * size}), 413, "too_large")


def test_a_large_request_of_unknown_length_too(client):
    def chunks():
        for _ in range(30):
            yield b" " * 50_000

    answer = client.post("/api/run", content=chunks(), headers={"Content-Type": "application/json"})
    problem(answer, 413, "too_large")


def test_too_many_points(client):
    question = {"points": [{"x": 0, "y": 0, "label": 1}] * 2001}
    error = problem(client.post("/api/run", json=question), 422, "invalid")
    assert error["field"] == "points"
    assert "2000" in error["message"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"points": [{"x": NaN, "y": 0, "label": 1}]}', "points[0].x"),
        ('{"points": [{"x": 1e999, "y": 0, "label": 1}]}', "points[0].x"),
        ('{"points": [{"x": 1, "y": 0, "label": 0}]}', "points[0].label"),
        ('{"points": [], "settings": {"epochs": 0}}', "settings.epochs"),
        ('{"points": [], "settings": {"algorithm": "<script>"}}', "settings.algorithm"),
        ('{"points": [], "more": 1}', "more"),
        ("{", None),
        ("", None),
    ],
)
def test_what_is_wrong_is_named(client, body, field):
    answer = client.post("/api/run", content=body, headers={"Content-Type": "application/json"})
    error = problem(answer, 422, "invalid")
    if field is not None:
        assert error["field"] == field
    assert "<script>" not in error["message"]


def test_nesting_without_end_is_refused(client):
    headers = {"Content-Type": "application/json"}
    problem(client.post("/api/run", content="[" * 100_000, headers=headers), 400, "invalid")


def test_a_request_that_trickles_in_is_ended():
    with serving(pool=Pool(1, seconds=1.0)) as url:
        answer = sent(
            url,
            b"POST /api/run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{",
            timeout=120,
        )
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"too_slow" in answer


def test_what_the_library_cannot_do_is_no_bug_and_what_was_not_checked_is(client):
    window = {"left": 1.0, "right": 0.0, "bottom": 0.0, "top": 1.0}
    answer = client.post("/api/field", json={**TASK, "window": window})
    assert "left must be below right" in problem(answer, 422, "invalid")["message"]
    with pytest.raises(RuntimeError, match="points"):
        list(jobs.answer({"job": "run", "text": "{}"}))


@pytest.mark.thorough
def test_a_worker_that_is_too_slow_or_dies_is_replaced(monkeypatch):
    """The kernel perceptron on 2000 points takes much longer than a tenth of a second."""
    monkeypatch.setattr("novikoff.web.pool.MOST_WAITING", 120.0)  # for a machine that is busy
    X = np.random.RandomState(0).randn(2000, 2)
    points = [{"x": x, "y": y, "label": 1 if k % 2 else -1} for k, (x, y) in enumerate(X.tolist())]
    slow = {"points": points, "settings": {"algorithm": "kernel"}}
    pool = Pool(1)
    with serving(pool=pool) as url, httpx.Client(base_url=url, timeout=120) as client:
        assert client.post("/api/run", json=TASK).status_code == 200
        pool.seconds = 0.1
        problem(client.post("/api/run", json=slow), 504, "too_slow")
        pool.seconds = 30.0
        assert client.post("/api/run", json=TASK).json()["n_updates"] == 10
        (worker,) = pool._all
        worker._process.kill()
        problem(client.post("/api/run", json=TASK), 500, "bug")
        assert client.post("/api/run", json=TASK).status_code == 200


def test_a_pool_closed_while_it_gets_ready_leaves_nothing_behind():
    pool = Pool(2)
    pool.start()
    while not pool._all:
        time.sleep(0.01)
    (worker,), threads = pool._all, pool._threads  # it takes a second or two to be ready
    pool.close()
    assert worker._process.poll() is not None
    assert [thread.is_alive() for thread in threads] == [False]
    with pytest.raises(BusyError):
        pool.ask("run", "{}")
