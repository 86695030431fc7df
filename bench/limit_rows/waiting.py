"""Rows of the page of limits: what people wait for at the start, in a new installation and the second time."""

import compileall
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

from limit_rows.row import Found, Ran, Row, run

import perfectplay

PACKAGE = Path(perfectplay.__file__).parent
RULES = PACKAGE / "games" / "dodgem.py"
RUNS = 3


def new_home(folder: Path, number: int) -> tuple[Path, dict[str, str]]:
    """A home in which nothing is cached, and the environment for it; bytecode is there, as after an installation."""
    compileall.compile_dir(PACKAGE, quiet=1)
    home = folder / f"home{number}"
    home.mkdir()
    return home, {"NUMBA_CACHE_DIR": str(home / "numba"), "PYTHONDONTWRITEBYTECODE": ""}


def found(runs: list[Ran]) -> Found:
    """The quickest of some runs."""
    best = min(runs, key=lambda ran: ran.seconds)
    return Found(best.seconds, best.memory, note=f"{best.cpu:.2f} s of CPU time, the least of {len(runs)}")


def from_the_book(folder: Path) -> Found:
    """The start of connect four, each time in a new installation."""
    homes = [new_home(folder, number) for number in range(RUNS)]
    return found([run(["analyse", "connect-four"], home, env=env) for home, env in homes])


def solve_own(home: Path, env: dict[str, str]) -> Ran:
    """Solves the user's own game in the home's folder."""
    shutil.copyfile(RULES, home / "mydodgem.py")
    return run(["solve", "./mydodgem.py:4", "--no-table"], home, home, env)


def first_solve(folder: Path) -> Found:
    """The first solve of a user's own game, each time in a new installation."""
    return found([solve_own(*new_home(folder, number)) for number in range(RUNS)])


def second_solve(folder: Path) -> Found:
    """The same again, with everything cached."""
    home, env = new_home(folder, 0)
    solve_own(home, env)
    return found([solve_own(home, env) for _ in range(RUNS)])


@contextmanager
def served(home: Path, env: dict[str, str]) -> Iterator[str]:
    """The address of a server in a new process, which is ended by Ctrl-C."""
    command = [sys.executable, "-m", "perfectplay", "serve", "--no-browser"]
    told = {**os.environ, **env, "PERFECTPLAY_HOME": str(home)}
    with subprocess.Popen(command, cwd=home, env=told, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
        server.send_signal(signal.SIGINT)


def asked(address: str, path: str, **values: str) -> tuple[float, bytes]:
    """How long an answer takes, and the answer."""
    begin = time.perf_counter()
    with urlopen(f"{address}{path}?{urlencode(values)}", timeout=120) as answer:
        text: bytes = answer.read()
    return time.perf_counter() - begin, text


def first_reply(folder: Path, game: str, player: str, move: str) -> Found:
    """The page of the game is opened, and a person's first move is answered."""
    home, env = new_home(folder, 0)
    with served(home, env) as address:
        asked(address, "", game=game)
        line = json.loads(asked(address, "api/line", game=game, moves=move)[1])
        here = line["plies"][-1]["position"]
        seconds, text = asked(address, "api/reply", game=game, player=player, position=here)
    return Found(seconds, note=json.loads(text)["note"] or f"by {player}")


ROWS: list[Row] = [
    Row("1", "`analyse connect-four`, new installation", "s", 8.0, 1.0, from_the_book),
    Row("2", "first `solve` of one's own cyclic game, 276,832 positions", "s", 11.0, 4.0, first_solve),
    Row("3", "the same again, everything cached", "s", 7.0, 1.2, second_solve),
    Row(
        "4a",
        "page, first reply of connect four, new installation",
        "s",
        8.0,
        2.0,
        lambda folder: first_reply(folder, "connect-four", "perfect", "4"),
    ),
    Row(
        "4b",
        "page, first reply of gomoku, new installation",
        "s",
        16.0,
        2.0,
        lambda folder: first_reply(folder, "gomoku", "threats", "h8"),
    ),
]
