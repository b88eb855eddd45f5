"""The page's own folder: served for the browser, and on a disk for node."""

import json
import shutil
import subprocess

import pytest

from novikoff.web.site import modules
from tests.web.serving import serving


@pytest.fixture(scope="session")
def playground():
    """The address of the playground."""
    with serving() as url:
        yield url


@pytest.fixture(scope="session")
def node(tmp_path_factory):
    """node(module, expression, argument) -> its value.

    In the expression `found` is the module, and `given` the argument.
    """
    path = shutil.which("node")
    if path is None:
        pytest.skip("needs node on PATH; none was found")
    site = tmp_path_factory.mktemp("site")
    for name, content in modules().items():
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_bytes(content)
    (site / "package.json").write_text('{"type": "module"}')

    def value(module, expression, argument=None):
        program = (
            f'import * as found from "./{module}"; import {{ readFileSync }} from "node:fs";'
            'const given = JSON.parse(readFileSync(0, "utf8"));'
            f"process.stdout.write(JSON.stringify({expression}) ?? 'null');"
        )
        done = subprocess.run(
            [path, "--input-type=module", "-e", program],
            cwd=site, input=json.dumps(argument), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return value
