"""The choice of an engine: the GPU if there is one, otherwise the CPU; and the messages about it."""

import json
import re
from types import SimpleNamespace

import pytest

from command_line import complaint, output
from perfectplay import TooBig
from perfectplay.compiler import cuda
from perfectplay.solvers import engine_table, python_engine
from perfectplay.solvers.gpu import gpu_engine


def test_without_the_package_or_a_driver_one_line_says_what_is_missing(capsys, monkeypatch):
    monkeypatch.setattr(cuda, "CONFIG", SimpleNamespace(ENABLE_CUDASIM=0))
    monkeypatch.setattr(cuda.importlib.util, "find_spec", lambda name: None)
    told = complaint(capsys, "solve drop:3,3,3 --engine cuda")
    assert "--engine cuda needs the package numba-cuda, which is missing: pip install 'perfectplay[cuda]'" in told

    def no_device():
        raise OSError("Error at driver init:\n\nCUDA driver library cannot be found.\n" + 200 * "more ")

    monkeypatch.setattr(cuda.importlib.util, "find_spec", lambda name: "found")
    monkeypatch.setattr(cuda, "driver", lambda: SimpleNamespace(get_current_device=no_device))
    told = complaint(capsys, "solve drop:3,3,3 --engine cuda --no-table")
    assert "needs an NVIDIA GPU with its driver, and none answers" in told
    assert "CUDA driver library cannot be found" in told
    assert told.endswith("use --engine numba\n")
    assert len(told) < 250


def test_a_gpu_without_its_compiler_is_reported(capsys, monkeypatch):
    def no_compiler(*arguments):
        raise ImportError("NVVM cannot be found. Is the toolkit there?")

    monkeypatch.setattr(gpu_engine, "warm_up", no_compiler)
    told = complaint(capsys, "solve drop:3,3,3 --engine cuda")
    assert told.startswith("perfectplay: --engine cuda cannot use the GPU (NVVM cannot be found); pip install")


@pytest.mark.nightly
def test_auto_uses_a_real_gpu_that_is_large_enough(capsys, monkeypatch):
    def engine():
        return json.loads(output(capsys, "solve drop:3,2,2 --json"))["engine"]

    def too_small(*arguments):
        yield from ()
        raise TooBig("too small")

    monkeypatch.setattr(python_engine, "reached_if_small", lambda *_: None)
    assert engine() == "numba"
    monkeypatch.setattr(engine_table, "has_gpu", lambda: True)
    assert engine() == "cuda"
    assert '"engine": "numba"' in output(capsys, "solve drop:3,2,2 --json --resume")
    monkeypatch.setattr(gpu_engine, "solved_on_gpu", too_small)
    assert engine() == "numba"
    assert complaint(capsys, "solve drop:3,2,2 --engine cuda") == "perfectplay: too small\n"


def test_counts_without_a_table(capsys, home):
    plain, cuda = (
        json.loads(output(capsys, f"solve drop:3,2,2 --no-table --json --engine {engine}"))
        for engine in ("python", "cuda")
    )
    assert (plain["engine"], cuda["engine"]) == ("python", "cuda")
    timed = ("engine", "seconds", "seconds_in_all")
    assert {**plain, **dict.fromkeys(timed)} == {**cuda, **dict.fromkeys(timed)}
    assert sum(row["positions"] for row in cuda["histogram"]) == cuda["positions"]
    assert not (home / "data" / "tables").exists()


def test_distances_as_a_table(capsys):
    told = output(capsys, "solve drop:3,3,3 --no-table")
    assert re.search(r"\nplies +won +drawn +lost\n +0 +16 +173\n", told)
    assert told.splitlines()[-1].startswith("solved in ")
    assert told.splitlines()[-1].endswith("s in all")


def test_a_game_without_a_short_key_is_refused(capsys):
    told = complaint(capsys, "solve lines:6,6,4 --engine cuda")
    assert "has no 63-bit key, which the solver on a GPU needs" in told
