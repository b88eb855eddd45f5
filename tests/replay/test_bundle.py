"""The modules joined into one script: nothing lost, and what cannot be joined is refused."""

import json
import re
import shutil
import subprocess

import pytest

from novikoff.replay.bundle import bundle, join, static
from tests.replay.helpers import STATIC


def test_every_module_is_in_the_bundle_once():
    script = bundle()
    names = re.findall(r"^const module_(\w+) = ", script, re.MULTILINE)
    assert sorted(names) == sorted(path.stem for path in STATIC.glob("*.js"))


def test_a_module_comes_after_what_it_imports():
    script = bundle()
    for use in re.finditer(r"= module_(\w+);", script):
        assert script.index(f"const module_{use[1]} = ") < use.start()


def test_the_bundle_may_stand_in_a_script_element():
    # "</script" ends the element, "<!--" and "<script" change how it is read.
    assert not re.search(r"</script|<!--|<script", bundle(), re.IGNORECASE)
    assert "</style" not in static("replay.css") + static("page.css")


@pytest.mark.parametrize(
    "line",
    ["export default 3;", 'import all from "./a.js";', 'import * as a from "./a.js";',
     'const a = await import("./a.js");', 'export { a } from "./b.js";'],
)  # fmt: skip
def test_other_forms_of_import_and_export_are_refused(line):
    with pytest.raises(ValueError, match=r"odd\.js has an import or export that cannot be joined"):
        join("odd.js", {"odd.js": f"{line}\n"}.__getitem__)


def test_a_circle_of_imports_is_refused():
    texts = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"a\.js -> b\.js -> a\.js"):
        join("a.js", texts.__getitem__)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node on PATH; none was found")
def test_modules_of_several_folders_find_each_other():
    texts = {
        "main.js": 'import { twice as double } from "./in/a.js";\nprocess.stdout.write('
        "JSON.stringify(double(4)));\n",
        "in/a.js": 'import { two } from "../b.js";\nfunction twice(x) {\n  return two * x;\n}\n'
        "export { twice };\n",
        "b.js": "export const two = 2;\n",
    }
    script = join("main.js", texts.__getitem__)
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == 8
