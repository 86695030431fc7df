"""The scripts of a page in one file, run by node: what the file answers to requests, without a browser."""

import json
import re
import shutil
import subprocess

import pytest

from perfectplay.exports.page.page_bundle import SEARCHED_PAGE, SOLVED_PAGE, bundled, scripts

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="the scripts of the page are run by node")

RUN = """
const { script, elements, task, all } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
globalThis.document = { getElementById: (id) => ({ textContent: elements[id] }) };
const run = new Function("all", `return (async () => { ${script}\\n${task} })();`);
run(all).then((found) => process.stdout.write(JSON.stringify(found)));
"""

ANSWERS = """
const found = [];
for (const [task, values] of all) {
  let answer;
  try { do answer = await api_js.ask(task, values); while (answer?.more); } catch (fault) { answer = fault.message; }
  found.push(answer);
}
return found;
"""
"""Answers requests one after the other, each as far as it goes; a text is what was refused, and why."""


def run_in_page(page, task, everything):
    """What a script returns that is run with the scripts of a page; `all` is what it is given."""
    text = page.decode()
    data = {name: re.search(f'id="{name}"[^>]*>(.*?)</script>', text, re.S)[1] for name in ("first", "graph")}
    folders = SEARCHED_PAGE if "wasm-unsafe-eval" in text else SOLVED_PAGE
    given = {"script": bundled("api", scripts(folders)), "elements": data, "task": task, "all": everything}
    done = subprocess.run([NODE, "-e", RUN], input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def answers_of(page, requests):
    """What the page answers to requests, each a task with its values; a text where it refuses."""
    return run_in_page(page, ANSWERS, requests)
