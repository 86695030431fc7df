"""JupyterLab as a process of its own, on loopback and below a folder of its own, for tests that see it as people do."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager

TOKEN = "board"
SECONDS = 60.0
"""How long it may take to start; only a bound for a test that fails."""
QUIET = {"fetchNews": "false", "checkForUpdates": False}
"""Settings of JupyterLab that asks nobody outside."""

FOLDERS = {
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "IPYTHONDIR": "ipython",
}
"""Where it keeps what is the user's otherwise."""


@contextmanager
def lab(folder, cells, theme="JupyterLab Light"):
    """The address of a page of JupyterLab with a notebook of these cells; the server ends with the block."""
    write_notebook(folder / "notebooks" / "board.ipynb", cells)
    for name, values in (("notification", QUIET), ("themes", {"theme": theme})):
        path = folder / "settings" / "@jupyterlab" / "apputils-extension" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    private = {name: str(folder / own) for name, own in FOLDERS.items()}
    options = ["--no-browser", "--ip=127.0.0.1", "--port=0", f"--IdentityProvider.token={TOKEN}", "--allow-root"]
    command = [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={folder / 'notebooks'}"]
    with open(folder / "lab.log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **private})
    try:
        yield f"{address(process, folder)}doc/tree/board.ipynb?token={TOKEN}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def write_notebook(path, cells):
    """Writes a notebook of these cells of code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    written = [{**code, "id": f"cell-{i}", "source": cell} for i, cell in enumerate(cells)]
    whole = {"cells": written, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole), encoding="utf-8")


def address(process, folder):
    """Where the server listens, once it does."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        for path in (folder / "runtime").glob("jpserver-*.json"):
            if text := path.read_text(encoding="utf-8"):
                return json.loads(text)["url"]
        time.sleep(0.05)
    raise AssertionError((folder / "lab.log").read_text(encoding="utf-8"))


class LabPage:
    """A page of JupyterLab in a browser."""

    def __init__(self, browser, where):
        self.page = browser.new_page(viewport={"width": 1000, "height": 800})
        self.page.set_default_timeout(1000 * SECONDS)
        self.faults = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.goto(where)
        self.page.get_by_text("| Idle").wait_for()  # the kernel is there

    def run(self, cell):
        """Runs a cell by its number, as people do: a click into it, then Shift-Enter."""
        self.page.locator(".jp-Cell .cm-content").nth(cell).click()
        self.page.keyboard.press("Shift+Enter")

    def board(self):
        """The first board on the page."""
        return self.page.locator(".perfectplay-board").first

    def square(self, number):
        """A square of the board."""
        return self.board().locator(f'[data-square="{number}"]')
