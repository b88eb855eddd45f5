"""The page as files: complete, under its policy, and served to this machine only."""

import json
import re
import socket
import urllib.error
import urllib.request
from html.parser import HTMLParser

import pytest

from novikoff.replay import content_hash
from novikoff.web.server import listen
from novikoff.web.site import folder, modules, page
from tests.web.serving import serving

HOSTILE = "</script><img src=x onerror=alert(1)>"
STATE = {"format": "novikoff.play", "version": 1, "document": {"title": HOSTILE}}


class Tags(HTMLParser):
    """Every element, with its attributes and the text in it."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs), []))

    def handle_endtag(self, tag):
        self.found.append((f"/{tag}", {}, []))

    def handle_data(self, data):
        if self.found:
            self.found[-1][2].append(data)

    def all(self, name):
        return [(attrs, "".join(text)) for tag, attrs, text in self.found if tag == name]


def policy_of(text):
    (found,) = [a["content"] for a, _ in Tags(text).all("meta") if "http-equiv" in a]
    return dict(part.strip().split(" ", 1) for part in found.split(";"))


# -------------------------------------------------------------------------------- one file


def test_one_file_is_under_400_kilobytes_and_asks_for_nothing():
    text = page()
    assert len(text.encode()) < 400_000
    tags = Tags(text)
    addresses = [a.get("src") or a.get("href") for _, a, _ in tags.found]
    assert [a for a in addresses if a and not a.startswith("data:")] == []
    assert not re.search(r"^(import|export)\b|@import|url\(", text, re.MULTILINE)


def test_the_policy_of_one_file_allows_its_own_script_and_style_and_nothing_else():
    tags = Tags(page(STATE))
    policy = policy_of(page(STATE))
    scripts = [text for attrs, text in tags.all("script") if "type" not in attrs]
    (style,) = [text for _, text in tags.all("style")]
    assert policy["default-src"] == "'none'"
    assert [policy["script-src"]] == [f"'{content_hash(script)}'" for script in scripts]
    assert policy["style-src"] == f"'{content_hash(style)}'"
    assert policy["worker-src"] == "blob:"
    assert "connect-src" not in policy
    assert not any("unsafe" in value or "http" in value for value in policy.values())


def test_a_state_is_data_whatever_is_in_it():
    for text in (page(STATE), modules(STATE)["index.html"].decode()):
        tags = Tags(text)
        assert tags.all("img") == []
        (block,) = [text for attrs, text in tags.all("script") if attrs.get("id") == "start"]
        assert "<" not in block
    assert page() == page()  # the same bytes from the same library


# -------------------------------------------------------------------------------- several


def test_every_file_that_the_page_names_is_there():
    files = modules()
    named = re.findall(r'(?:src|href)="([^"]+)"', files["index.html"].decode())
    assert len(named) > 4
    for path, content in files.items():
        if path.endswith(".js"):
            for wanted in re.findall(r'from "(\.[^"]+)"', content.decode()):
                parts = [*path.split("/")[:-1], *wanted.split("/")]
                named.append("/".join(resolved(parts)))
    assert {*named, "worker.js", "replay.html"} <= set(files)


def resolved(parts):
    path = []
    for part in parts:
        if part == "..":
            path.pop()
        elif part != ".":
            path.append(part)
    return path


def test_the_policy_of_the_modules_allows_nothing_but_themselves():
    policy = policy_of(modules()["index.html"].decode())
    assert policy.pop("default-src") == policy.pop("base-uri") == policy.pop("form-action")
    assert set(policy.values()) == {"'self'"}


def test_for_a_web_host_there_is_what_it_takes_to_install_the_page():
    files = {name: content.decode() for name, content in folder().items()}
    manifest = json.loads(files["play.webmanifest"])
    assert manifest["start_url"] == "./"
    assert {icon["src"] for icon in manifest["icons"]} <= set(files)
    assert re.match(r'const VERSION = "[0-9a-f]{16}";\n', files["service.js"])
    kept = json.loads(re.search(r"const FILES = (.*);", files["service.js"])[1])
    assert set(kept) == {"./", *files} - {"service.js"}
    policy = policy_of(files["index.html"])
    assert (policy["manifest-src"], policy["worker-src"]) == ("'self'", "blob: 'self'")
    assert folder({"link": "#"})["service.js"] != folder()["service.js"]


# ---------------------------------------------------------------------------------- server


def get(url, **headers):
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


@pytest.mark.parametrize(
    ("path", "kind"),
    [("", "text/html"), ("index.html", "text/html"), ("app.js", "text/javascript"),
     ("engine/index.js", "text/javascript"), ("replay/replay.css", "text/css"),
     ("play.webmanifest", "application/manifest+json"), ("icon.svg", "image/svg+xml"),
     ("?embed=1", "text/html")],
)  # fmt: skip
def test_files_are_served_with_their_types(playground, path, kind):
    status, headers, content = get(f"{playground}/{path}")
    assert status == 200
    assert headers.get_content_type() == kind
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert len(content) == int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "path",
    ["../site.py", "%2e%2e/site.py", "/etc/passwd", "engine/", "engine/../../site.py", ".",
     "api/run", "<script>alert(1)</script>"],
)  # fmt: skip
def test_there_are_no_other_files(playground, path):
    host, port = playground.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 20) as connection:
        connection.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 404")
    assert b"import" not in answer
    assert b"<script>" not in answer


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "127.0.0.1:1"])
def test_a_foreign_name_of_this_machine_is_refused(playground, host):
    """Else a page elsewhere could have its own name resolve to here, and read what is opened."""
    assert get(f"{playground}/", Host=host)[0] == 404


def test_the_page_finds_what_it_is_to_open_with():
    with serving({"note": HOSTILE}) as url:
        text = get(f"{url}/")[2].decode()
    assert '{"note":"\\u003c/script\\u003e' in text


def test_a_port_in_use_is_said():
    with listen(0) as taken, pytest.raises(ValueError, match="is in use"):
        listen(taken.server_port)
