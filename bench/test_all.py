"""Runs both rings, and logs date, commit, versions, the slowest and the skipped tests; a GPU has tests of its own.

python bench/test_all.py [OPTION OF PYTEST ...]
"""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOG = ROOT / "bench" / "results" / "test-all.txt"
COMMAND = [
    "pytest",
    "-m",
    "not gpu",
    "-q",
    "-rfEs",
    "--durations=25",
    "-n",
    "auto",
    "--dist",
    "worksteal",
]
PACKAGES = ("numba", "numpy", "pytest")
PLACE = re.compile(r"(?<![\w.])/(?:[^\s/:'\"]+/)+[^\s:'\"]*")


def main() -> int:
    """The exit code of pytest; the log is written in any case."""
    command = [*COMMAND, *sys.argv[1:]]
    with subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            print(line, end="", flush=True)
            said.append(line.rstrip("\n"))
    if process.returncode in (0, 1):  # otherwise the run did not finish
        LOG.write_text("\n".join([*head(command), "", *summary(said)]) + "\n", encoding="utf-8")
        print(f"written down in {LOG.relative_to(ROOT)}")
    return process.returncode


def head(command: list[str]) -> Iterator[str]:
    """The date, the commit, the versions and the command."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield f"# All tests but those for a GPU, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {commit()}"
    yield f"# {platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    yield f"# {packages}"
    yield f"# {' '.join(command)}"


def commit() -> str:
    """The tested commit, and whether anything but the log differs from it."""
    name = git("rev-parse", "HEAD")
    changes = [line for line in git("status", "--porcelain").splitlines() if not line.endswith(LOG.name)]
    return f"{name} with changes" if changes else name


def git(*words: str) -> str:
    """The output of git."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.rstrip()


def summary(said: list[str]) -> Iterator[str]:
    """The end of pytest's output: the slowest, failed and skipped tests, and the totals."""
    begin = next((i for i, line in enumerate(said) if re.match(r"=+ slowest .* durations", line)), len(said))
    for line in said[begin:]:
        told = line.partition(" - ")[0] if line.startswith(("FAILED", "ERROR")) else line
        yield PLACE.sub("...", told)


if __name__ == "__main__":
    sys.exit(main())
