"""Solves by processes, some of which are killed; only processes started here, by their id."""

import json

import pytest
from runs import commits, compiled_table, driver_for, finished_table, kill, solve_command

from command_line import wait_until
from leftover_processes import nobody_left, processes_marked
from perfectplay import load
from perfectplay.solvers.out_of_core.executors import Processes, Worker
from perfectplay.words import BadWork
from rings import nightly

GAME = "drop:4,4,4"


@pytest.fixture(scope="module")
def right():
    """The bytes of the table by the compiled engine."""
    return compiled_table(load(GAME))


def by_processes(executor, workdir, partitions=3, name=GAME):
    """The bytes of the table by these processes, which end."""
    try:
        return finished_table(driver_for(name, workdir, partitions, 20_000, executor), load(name))
    finally:
        executor.close()


@pytest.mark.parametrize(("workers", "name"), [(2, "tic-tac-toe"), *nightly((1, GAME), (2, GAME), (4, GAME))])
def test_any_number_of_workers_makes_the_same_table(workers, name, tmp_path):
    with processes_marked() as left:
        assert by_processes(Processes(workers), tmp_path / "work", name=name) == compiled_table(load(name))
        assert not left()


class Deadly(Processes):
    """Loses a worker in every third step, just after it got a task."""

    steps = 0

    def map(self, tasks):
        self.steps += 1
        for i, facts in enumerate(super().map(tasks)):
            if i == 0 and self.steps % 3 == 0 and self.steps < 30:
                kill(self.pool[self.steps % 2].process.pid)
            yield facts


@pytest.mark.nightly
def test_a_worker_killed_at_any_time_is_replaced(tmp_path, right):
    executor = Deadly(2)
    assert by_processes(executor, tmp_path / "work", partitions=4) == right
    assert executor.steps > 30


def test_workers_that_always_die_are_not_replaced_forever(tmp_path, monkeypatch):
    give = Worker.give
    monkeypatch.setattr(Worker, "give", lambda self, task: (give(self, task), kill(self.process.pid)))
    with pytest.raises(BadWork, match=r"workers died 21 times, the last was ended by SIGKILL"):
        by_processes(Processes(1), tmp_path / "work")


@pytest.mark.nightly
def test_a_killed_driver_leaves_its_work_and_no_process(tmp_path, right):
    table, work = tmp_path / "some.table", tmp_path / "work"
    options = (GAME, "--engine", "disk", "--workers", 2, "--workdir", work, "--to", table)
    for size in (2_000, 6_000, 12_000):
        with nobody_left("the killed driver"):
            process = solve_command(*options, "--resume")
            wait_until(lambda size=size: commits(work) > size)
            kill(process.pid)
            process.communicate()
        assert not table.exists()
    refused = solve_command(*options)
    assert "has an interrupted solve of drop:4,4,4" in refused.communicate()[1]
    assert refused.returncode == 2
    last = solve_command(*options, "--resume", "--json")
    out, err = last.communicate()
    assert (last.returncode, err) == (0, "")
    assert json.loads(out)["engine"] == "disk"
    assert table.read_bytes() == right
    assert not work.exists()
