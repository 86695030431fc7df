"""Many partitions: groups combine what they send, so that the files opened grow linearly with the partitions."""

from collections import Counter

import pytest
from runs import compiled_table, driver_for, finished_table

from perfectplay import load
from perfectplay.solvers.engine import Options
from perfectplay.solvers.out_of_core import disk_solution, driver
from perfectplay.solvers.out_of_core.disk_engine import plan_for, solve_on_disk
from perfectplay.solvers.out_of_core.executors import Here
from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.solvers.steps import finished
from perfectplay.words import BadWork
from rings import nightly


def opened_per_step(found):
    """The files that each step of a kind opened: the same in all of them."""
    opened = {}
    for name, tasks in found.log.items():
        opened.setdefault(name.rpartition("-")[0], set()).add(sum(facts["opened"] for facts in tasks))
    return opened


@pytest.mark.parametrize(("partitions", "groups"), [(16, 8), *nightly((64, 16))])
def test_opens_are_linear_in_partitions(partitions, groups, tmp_path):
    found = driver_for("tic-tac-toe", tmp_path / "work", partitions, 300, groups=groups)
    finished(disk_solution.graded(found, load("tic-tac-toe")))
    opened = opened_per_step(found)
    for what in ("sent", "asked", "replies"):
        assert opened[f"bundle-{what}"] == {partitions}
        assert opened[f"deliver-{what}"] == {groups**2} == {4 * partitions}
    assert opened["grow"] == {partitions}
    assert opened["answer"] == {3 * partitions}  # requests, keys, grades
    assert max(opened["settle"]) == 4 * partitions  # keys of two layers, own requests, replies


def test_without_groups_opens_are_the_square(tmp_path):
    found = driver_for("tic-tac-toe", tmp_path / "work", 8, 300)
    finished(disk_solution.graded(found, load("tic-tac-toe")))
    assert opened_per_step(found)["grow"] == {8**2}


def test_large_steps_are_read_directly_and_small_ones_combined(tmp_path, monkeypatch):
    monkeypatch.setattr(driver, "OPEN_COST", 50)
    found = driver_for("tic-tac-toe", tmp_path / "work", 6, 300, groups=4)
    assert finished_table(found, load("tic-tac-toe")) == compiled_table(load("tic-tac-toe"))
    kinds = Counter(name.rpartition("-")[0] for name in found.log)
    assert 0 < kinds["bundle-sent"] < kinds["grow"]
    assert kinds["bundle-asked"] == 0
    assert kinds["deliver-replies"] == kinds["answer"] > 0


def test_the_plan_has_groups_from_some_partitions_on(tmp_path):
    workdir = Workdir(str(tmp_path))
    plans = {n: plan_for(load("drop:4,4,4"), workdir, Options("disk", partitions=n), 2) for n in (4, 31, 64, 256)}
    assert [plan.groups for plan in plans.values()] == [0, 0, 16, 32]
    for plan in plans.values():
        groups = [plan.members(group) for group in range(plan.groups)]
        assert [part for group in groups for part in group] == list(range(plan.partitions if groups else 0))
        assert all(plan.group_of(part) == number for number, group in enumerate(groups) for part in group)


def test_work_in_an_older_layout_is_refused(tmp_path):
    game = load("tic-tac-toe")
    options = Options("disk", resume=True, workdir=str(tmp_path), workers=1)
    solving = solve_on_disk(game, None, options, lambda _: Here())
    while not list(tmp_path.glob("*/manifest.json")):
        next(solving)
    solving.close()
    [folder] = tmp_path.iterdir()
    workdir = Workdir(str(folder))
    workdir.save("manifest.json", {**workdir.load("manifest.json"), "format": 1})
    with pytest.raises(BadWork, match="was written by another version of perfectplay; resume with that version"):
        finished(solve_on_disk(game, None, options, lambda _: Here()))
    assert workdir.load("manifest.json")["format"] == 1
