"""Solves by processes, some of which are killed; only processes started here, by their id."""

import json
import os

import pytest
from runs import (
    children,
    commits,
    compiled_table,
    driver_for,
    finished_table,
    is_there,
    kill,
    solve_command,
    wait_for,
)

from perfectplay import load
from perfectplay.solvers.out_of_core.executors import Processes, Worker
from perfectplay.words import BadWork

GAME = "drop:4,4,4"


@pytest.fixture(scope="module")
def tables():
    """The bytes of tables by the compiled engine."""
    return {}


@pytest.fixture
def right(tables):
    if not tables:
        tables[GAME] = compiled_table(load(GAME))
    return tables[GAME]


def by_processes(workers, workdir):
    executor = Processes(workers)
    try:
        return finished_table(driver_for(GAME, workdir, 3, 20_000, executor), load(GAME))
    finally:
        executor.close()


@pytest.mark.parametrize("workers", [1, 2, pytest.param(4, marks=pytest.mark.nightly)])
def test_any_number_of_workers_makes_the_same_table(workers, tmp_path, right):
    before = children(os.getpid())
    assert by_processes(workers, tmp_path / "work") == right
    assert set(children(os.getpid())) <= set(before)


def test_a_worker_killed_at_any_time_is_replaced(tmp_path, right):
    class Deadly(Processes):
        """Loses a worker in every third step, just after it got a task."""

        steps = 0

        def map(self, tasks):
            self.steps += 1
            for i, facts in enumerate(super().map(tasks)):
                if i == 0 and self.steps % 3 == 0 and self.steps < 30:
                    kill(self.pool[self.steps % 2].process.pid)
                yield facts

    executor = Deadly(2)
    try:
        assert finished_table(driver_for(GAME, tmp_path / "work", 4, 20_000, executor), load(GAME)) == right
    finally:
        executor.close()
    assert executor.steps > 30


def test_workers_that_always_die_are_not_replaced_forever(tmp_path, monkeypatch):
    give = Worker.give
    monkeypatch.setattr(Worker, "give", lambda self, task: (give(self, task), kill(self.process.pid)))
    executor = Processes(1)
    driver = driver_for(GAME, tmp_path / "work", 1, 20_000, executor)
    try:
        with pytest.raises(BadWork, match=r"workers died 21 times, the last was ended by SIGKILL"):
            finished_table(driver, load(GAME))
    finally:
        executor.close()


@pytest.mark.nightly
def test_a_killed_driver_leaves_its_work_and_no_process(tmp_path, right):
    table, work = tmp_path / "some.table", tmp_path / "work"
    options = (GAME, "--engine", "disk", "--workers", 2, "--workdir", work, "--table", table)
    for size in (2_000, 6_000, 12_000):
        process = solve_command(*options, "--resume")
        wait_for(lambda size=size: commits(work) > size)
        workers = children(process.pid)
        assert len(workers) == 2
        kill(process.pid)
        process.communicate()
        wait_for(lambda workers=workers: not any(map(is_there, workers)), seconds=10)
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
