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


@contextmanager
def lab(folder):
    """The address of a JupyterLab that shows the folder `notebooks` below this one; it ends with the block."""
    (folder / "notebooks").mkdir(exist_ok=True)
    private = {name: str(folder / name.lower()) for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR")}
    options = ["--no-browser", "--ip=127.0.0.1", "--port=0", f"--IdentityProvider.token={TOKEN}", "--allow-root"]
    options += [f"--ServerApp.root_dir={folder / 'notebooks'}", "--LabApp.news_url=", "--LabApp.check_for_updates_class="
                "jupyterlab.NeverCheckForUpdate", "--ServerApp.terminals_enabled=False"]
    with open(folder / "lab.log", "w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], stdout=log, stderr=log, env={**os.environ, **private}
        )
    try:
        yield address(process, folder)
    finally:
        process.terminate()
        process.wait(timeout=20)


def address(process, folder):
    """Where the server listens, once it does."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        for path in (folder / "jupyter_runtime_dir").glob("jpserver-*.json"):
            if text := path.read_text():
                return json.loads(text)["url"]
        time.sleep(0.05)
    raise AssertionError((folder / "lab.log").read_text())
