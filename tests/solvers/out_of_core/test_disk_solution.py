"""Games solved on disk, task by task in this process, compared with the engine that works in memory."""

from contextlib import closing
from errno import ENOSPC
from itertools import count

import pytest
from runs import CORNERED, compiled_table, driver_for, finished_table, table_on_disk

from perfectplay import load, solve
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.memory import expansion
from perfectplay.solvers.out_of_core import cyclic_tasks, disk_solution, layered_tasks, task_registry
from perfectplay.solvers.out_of_core.disk_solution import CYCLIC, LAYERED
from perfectplay.solvers.out_of_core.driver import MANIFEST, Driver, committed
from perfectplay.solvers.out_of_core.executors import Here
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.steps import finished
from perfectplay.words import BadGame, BadWork, TooBig
from rings import nightly


@pytest.fixture
def cornered(tmp_path):
    path = tmp_path / "cornered.py"
    path.write_text(CORNERED)
    return str(path)


@pytest.mark.parametrize(
    ("name", "partitions", "groups", "kind"),
    [
        *[("tic-tac-toe", 3, 0, LAYERED), ("tic-tac-toe", 8, 3, LAYERED), ("tactic-toe", 5, 2, CYCLIC)],
        *nightly(
            ("tic-tac-toe", 1, 0, LAYERED),
            ("cornered", 8, 3, LAYERED),
            ("fading:3,2", 5, 2, CYCLIC),
            ("tactic-toe", 3, 0, CYCLIC),
            ("kingpawns", 3, 0, CYCLIC),
        ),
    ],
)
def test_the_table_has_the_bytes_of_the_compiled_one(name, partitions, groups, kind, tmp_path, cornered):
    name = cornered if name == "cornered" else name
    table, driver = table_on_disk(name, tmp_path / "work", partitions, 1000, groups=groups)
    assert table == compiled_table(load(name))
    assert driver.kind == kind
    assert kind == CYCLIC or kinds_of_files(driver.workdir) == {"bound"}  # files of old steps are removed


def test_no_step_receives_more_than_was_sent(tmp_path):
    _, driver = table_on_disk("tic-tac-toe", tmp_path / "work", 3, 50)
    grown = [found for name, found in driver.log.items() if name.startswith("grow-")]
    sent = [1, *(sum(facts["sent"] for facts in found) for found in grown)]
    assert [sum(facts["received"] for facts in found) for found in grown] == sent[:-1]
    assert [sum(facts["positions"] for facts in found) for found in grown] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]


def test_lost_keys_are_noticed(tmp_path, monkeypatch):
    grow = task_registry.ACTS["grow"]
    monkeypatch.setitem(task_registry.ACTS, "grow", lambda state, part, facts: {**grow(state, part, facts), "sent": 7})
    with pytest.raises(BadWork, match=r"7 numbers were sent and \d+ received in grow-2: .* resume=True tries again"):
        table_on_disk("tic-tac-toe", tmp_path / "work", 1, 50)


def kinds_of_files(workdir):
    """The kinds of files that tasks have left."""
    return {name.split("-")[0] for name in workdir.names() if not name.endswith(".json")}


@pytest.mark.parametrize(("name", "at_once"), [("tic-tac-toe", 20), ("tactic-toe", 500)])
def test_cells_too_large_for_a_task_are_split(name, at_once, tmp_path, monkeypatch):
    sizes, judged = [], expansion.judged

    def watched(kernels, pool, run, ends, marks):
        sizes.append(run.keys.size)
        return judged(kernels, pool, run, ends, marks)

    for module in (layered_tasks, cyclic_tasks):
        monkeypatch.setattr(module, "judged", watched)
    driver = driver_for(name, tmp_path / "work", 2, at_once)
    driver.plan = driver.plan._replace(cell_bits=1)
    assert finished_table(driver, load(name)) == compiled_table(load(name))
    assert max(sizes) == at_once


def test_queries_are_answered_in_batches_of_sections(tmp_path, monkeypatch):
    groups = []
    batches = layered_tasks.in_batches
    monkeypatch.setattr(
        layered_tasks, "in_batches", lambda asked, most: (groups.append(len(g)) or g for g in batches(asked, 40))
    )
    table, _ = table_on_disk("tic-tac-toe", tmp_path / "work", 2, 10)
    assert table == compiled_table(load("tic-tac-toe"))
    assert {1, 2, 3} <= set(groups)


@pytest.mark.parametrize("at_once", [50, *nightly(5, 190)])
def test_many_ranges_are_partitioned_in_two_steps(at_once, tmp_path, monkeypatch):
    monkeypatch.setattr(disk_solution, "DEALT_AT_ONCE", 3)
    table, driver = table_on_disk("tic-tac-toe", tmp_path / "work", 3, at_once)
    assert table == compiled_table(load("tic-tac-toe"))
    assert sum(facts["received"] for facts in driver.log["share-0"]) == 765
    groups = len(driver.log["deal-0"][0]["totals"])
    assert groups == len(driver.log["share-0"])
    assert groups**2 <= len(driver.log["bind-0"]) + 2 * groups
    assert kinds_of_files(driver.workdir) == {"bound"}


@pytest.mark.parametrize(
    ("name", "groups", "every"),
    [("tic-tac-toe", 2, 90), ("tactic-toe", 0, 60), *nightly(("tactic-toe", 0, 3), ("fading:3,2", 0, 1))],
)
def test_a_solve_interrupted_anywhere_resumes_and_repeats_one_step(name, groups, every, tmp_path):
    """The driver stops after some number of tasks; the next one resumes from the last commit."""
    game, table = load(name), compiled_table(load(name))
    for survived in count(0, every):
        driver = driver_for(name, tmp_path / f"work-{survived}", 2, 2000, groups=groups)
        driver.executor = Ending(driver, survived)
        try:
            assert finished_table(driver, game) == table
            break
        except KeyboardInterrupt:
            pass
        again = resumed(driver)
        again.executor = Ending(again, 10**9)
        assert finished_table(again, game) == table
        assert len(set(driver.executor.begun) & set(again.executor.begun)) <= 1
    assert survived > (40 if name == "fading:3,2" else 50)


def resumed(driver):
    """Another driver that resumes what this one has committed."""
    kind = (driver.workdir.load(MANIFEST) or {"kind": disk_solution.LAYERED})["kind"]
    return Driver(driver.plan, driver.workdir, Here(), committed(driver.workdir, kind), kind)


class Ending(Here):
    """Runs some tasks, then is interrupted; notes the steps that it began."""

    def __init__(self, driver, survived):
        self.driver, self.left, self.begun = driver, survived, []

    def map(self, tasks):
        for task in tasks:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            self.begun.append((self.driver.kind, task.act, task.facts.get("step", 0)))
            yield from super().map([task])


def test_a_full_disk_stops_cleanly_and_resumes_when_there_is_space(tmp_path, monkeypatch):
    game, room = load("tic-tac-toe"), count(25, -1)
    write = Workdir.writing

    def cramped(self, name):
        if next(room) == 0:
            raise OSError(ENOSPC, "No space left on device")
        return write(self, name)

    driver = driver_for("tic-tac-toe", tmp_path / "work", 2, 2000)
    monkeypatch.setattr(Workdir, "writing", cramped)
    with pytest.raises(BadWork, match="is full; free some space, then resume=True continues"):
        finished_table(driver, game)
    assert finished_table(resumed(driver), game) == compiled_table(game)


def test_too_little_space_for_the_next_step_stops_before_it_but_space_already_used_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_solution, "ENOUGH", 100)
    game = load("tic-tac-toe")
    table, driver = table_on_disk("tic-tac-toe", tmp_path / "whole", 2, 2000)
    monkeypatch.setattr(Workdir, "free", lambda self: 0)
    assert finished_table(Driver(driver.plan, driver.workdir, Here(), driver.log, driver.kind), game) == table
    monkeypatch.setattr(Workdir, "free", lambda self: 100)
    monkeypatch.setattr(disk_solution, "ENOUGH", 10**6)
    with pytest.raises(BadWork, match=r"100 bytes are free in .*, too little for the next step"):
        table_on_disk("tic-tac-toe", tmp_path / "work", 2, 2000)


def test_a_failed_task_is_retried_but_not_forever(tmp_path, monkeypatch):
    grow, failures = task_registry.ACTS["grow"], count()

    def shaky(state, part, facts):
        if next(failures) < 2:
            raise OSError(5, "Input/output error")
        return grow(state, part, facts)

    monkeypatch.setitem(task_registry.ACTS, "grow", shaky)
    table, _ = table_on_disk("tic-tac-toe", tmp_path / "work", 1, 50)
    assert table == compiled_table(load("tic-tac-toe"))
    failures = count(-100)
    with pytest.raises(BadWork, match=r"failed 3 times: grow: .*Input/output error"):
        table_on_disk("tic-tac-toe", tmp_path / "again", 1, 50)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("source", r"another version of .* than the solve began with; put the same file where all"),
        ("rules", "a worker has other rules of"),
        ("version", "a worker has perfectplay"),
    ],
)
def test_a_worker_with_another_file_or_version_refuses(field, words, cornered, tmp_path):
    driver = driver_for(cornered, tmp_path / "work", 1, 50)
    driver.plan = driver.plan._replace(**{field: "0" * 64})
    with pytest.raises(BadWork, match=words):
        finished(disk_solution.graded(driver, load(cornered)))


def test_broken_rules_are_reported_in_one_line(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(CORNERED.replace("start=(0, 1)", "start=(0, 1), key_bits=9"))
    with pytest.raises(BadGame, match="is wider than key_bits = 9 bits"):
        table_on_disk(str(path), tmp_path / "work", 1, 50)


@pytest.mark.nightly
def test_games_smaller_than_their_partitions(tmp_path):
    table, _ = table_on_disk("lines:1,1,1", tmp_path / "work", 4, 50)
    assert table == bytes(solve(load("lines:1,1,1"), "python").reader.data)


def test_a_game_that_will_not_fit_the_disk_is_refused(tmp_path, monkeypatch):
    for limit in ("ENOUGH", "SURE"):
        monkeypatch.setattr(disk_solution, limit, 1000)
    monkeypatch.setattr(Workdir, "free", lambda self: 100_000)
    with pytest.raises(TooBig, match=r"drop:4,3,3 will not fit the disk: about .* positions, .* \(97.7 KiB are"):
        table_on_disk("drop:4,3,3", tmp_path / "work", 2, 20_000)


@pytest.mark.nightly
def test_a_comment_in_the_file_does_not_end_a_solve(tmp_path, cornered):
    work = Options("disk", tmp_path / "some.table", resume=True, workdir=str(tmp_path / "work"), workers=1)
    with closing(solving(load(cornered), work)) as steps:
        for _ in range(12):
            next(steps)
    with open(cornered, "a") as file:
        file.write("# more to say\n")
    with closing(solving(load(cornered), work)) as steps:
        assert next(step for step in steps if step.phase == "forward").done == 0
        finished(steps)
    assert (tmp_path / "some.table").read_bytes() == compiled_table(load(cornered))
