"""Solves on disk in small steps, for tests."""

import os
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from perfectplay import __version__, load
from perfectplay.rules.fingerprint import fingerprint
from perfectplay.rules.loading import absolute_name
from perfectplay.solvers.complete import solve_by_engine
from perfectplay.solvers.engine import Options
from perfectplay.solvers.out_of_core.disk_solution import LAYERED, bound, graded
from perfectplay.solvers.out_of_core.driver import Driver
from perfectplay.solvers.out_of_core.executors import Here
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.out_of_core.worker_state import Plan, source_hash
from perfectplay.solvers.steps import finished

CORNERED = """
from dataclasses import replace

from perfectplay import load


def game():
    return replace(load("tic-tac-toe"), start=(0, 1))
"""
"""Tic-tac-toe in which the second side already has a corner: only one image of the start is reachable."""


def compiled_table(game):
    """The bytes of the table that the compiled engine makes."""
    sink = BytesIO()
    finished(solve_by_engine(game, Options("numba"), sink))
    return sink.getvalue()


def driver_for(name, workdir, partitions, at_once, executor=None, groups=0):
    """A driver for the game in that folder; partitions combine what they send if there are groups."""
    game, folder = load(name), Workdir(str(workdir))
    folder.prepare()
    rules = (absolute_name(name), source_hash(name), fingerprint(game), __version__)
    plan = Plan(*rules, str(workdir), min(8, game.key_bits), partitions, groups, at_once)
    return Driver(plan, folder, executor or Here(), {}, LAYERED)


def table_on_disk(name, workdir, partitions, at_once, executor=None, groups=0):
    """The bytes of the table, and the driver that made it."""
    driver = driver_for(name, workdir, partitions, at_once, executor, groups)
    return finished_table(driver, load(name)), driver


def finished_table(driver, game):
    """The bytes of the table that the driver makes."""
    sink = BytesIO()
    finished(bound(driver, game, finished(graded(driver, game)), sink, None))
    return sink.getvalue()


def solve_command(*options, **more):
    """The command in a separate process, as a shell starts it."""
    command = [sys.executable, "-m", "perfectplay", "solve", *map(str, options)]
    return subprocess.Popen(
        command, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "bufsize": 1, **more}
    )


def commits(folder):
    """The bytes of all records of committed steps in that folder: they grow from step to step."""
    return sum(found.stat().st_size for found in Path(folder).glob("*/*.json"))


def kill(process):
    """Kills a process that was started here."""
    os.kill(process, signal.SIGKILL)
