"""The choice of an engine: the GPU if there is one, otherwise the CPU; and the messages about it."""

import json
from types import SimpleNamespace

import pytest

from command_line import complaint, output
from perfectplay import TooBig, load, solve
from perfectplay.engines import cuda
from perfectplay.front.cli import main
from perfectplay.solvers import engine_table, python_engine
from perfectplay.solvers.gpu import gpu_engine


@pytest.fixture
def no_simulator(monkeypatch):
    monkeypatch.setattr(cuda, "CONFIG", SimpleNamespace(ENABLE_CUDASIM=0))


@pytest.fixture
def a_gpu(monkeypatch):
    """Makes the simulated GPU count as a real one."""
    monkeypatch.setattr(engine_table, "has_gpu", lambda: True)


def test_without_the_package_one_line_says_what_to_install(capsys, no_simulator, monkeypatch):
    monkeypatch.setattr(cuda.importlib.util, "find_spec", lambda name: None)
    told = complaint(capsys, "solve drop:3,3,3 --engine cuda")
    assert told == (
        "perfectplay: --engine cuda needs the package numba-cuda, which is missing: pip install 'perfectplay[cuda]'\n"
    )


def test_without_a_driver_one_line_says_so(capsys, no_simulator, monkeypatch):
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


def test_auto_does_not_use_a_simulated_gpu(capsys):
    assert '"engine": "numba"' in output(capsys, "solve drop:4,4,4 --json")


def test_auto_uses_the_gpu(capsys, a_gpu, monkeypatch):
    monkeypatch.setattr(python_engine, "reached_if_small", lambda *_: None)
    assert '"engine": "cuda"' in output(capsys, "solve drop:3,3,3 --json")
    assert '"engine": "numba"' in output(capsys, "solve drop:3,3,3 --json --resume")


def test_auto_falls_back_if_the_gpu_is_too_small(capsys, a_gpu, monkeypatch):
    def too_small(*arguments):
        yield from ()
        raise TooBig("too small")

    monkeypatch.setattr(python_engine, "reached_if_small", lambda *_: None)
    monkeypatch.setattr(gpu_engine, "solved_on_gpu", too_small)
    assert '"engine": "numba"' in output(capsys, "solve drop:3,3,3 --json")
    assert complaint(capsys, "solve drop:3,3,3 --engine cuda") == "perfectplay: too small\n"


def test_counts_without_a_table(capsys, home):
    told = {
        engine: json.loads(output(capsys, f"solve drop:3,3,3 --no-table --json --engine {engine}"))
        for engine in ("plain", "compiled", "cuda")
    }
    for engine, facts in told.items():
        assert facts.pop("engine") == {"plain": "python", "compiled": "numba"}.get(engine, engine)
        del facts["seconds"], facts["seconds_in_all"]
    assert told["plain"] == told["compiled"] == told["cuda"]
    facts = told["cuda"]
    assert "table" not in facts
    assert sum(row["positions"] for row in facts["histogram"]) == facts["positions"] == 694
    assert facts["histogram"][:2] == [
        {"value": "draw", "distance": 0, "positions": 16},
        {"value": "loss", "distance": 0, "positions": 173},
    ]
    assert not (home / "data" / "tables").exists()


def test_distances_as_a_table(capsys):
    told = output(capsys, "solve tactic-toe --no-table")
    assert "\nplies                  won           drawn            lost\n" in told
    assert "\n1                   22,752\n" in told
    assert "\nendless                              7,585\n" in told
    assert told.splitlines()[-1].startswith("solved in ")
    assert told.splitlines()[-1].endswith(" s in all")


def test_no_table_and_a_table_exclude_each_other(capsys):
    with pytest.raises(SystemExit) as end:
        main(["solve", "tactic-toe", "--no-table", "--table", "a.table"])
    assert end.value.code == 2
    assert "--table: not allowed with argument --no-table" in capsys.readouterr().err


def test_a_game_without_a_short_key_is_refused(capsys):
    told = complaint(capsys, "solve lines:6,6,4 --engine cuda")
    assert "has no 63-bit key, which the solver on a GPU needs" in told


def test_solve_takes_an_engine_by_name():
    table = solve(load("drop:3,3,3"), engine="cuda")
    assert table.engine == "cuda"
    assert len(table) == 359
