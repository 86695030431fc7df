import os
from uuid import uuid4

import pytest
from runs import table_on_disk

from perfectplay.solvers.out_of_core.workdir import Workdir
from perfectplay.words import BadWork


@pytest.fixture
def workdir(tmp_path):
    found = Workdir(str(tmp_path / "work"))
    found.prepare()
    return found


def test_a_second_driver_is_refused_with_the_first_ones_process(workdir):
    other = Workdir(workdir.url)
    with workdir.locked(), pytest.raises(BadWork, match=rf"process {os.getpid()} on .* works in"), other.locked():
        pass
    with workdir.locked():
        pass


def test_facts_survive_a_round_trip_and_damage_is_noticed(workdir):
    assert workdir.load("facts") is None
    workdir.save("facts", {"steps": [1, 2]})
    assert workdir.load("facts") == {"steps": [1, 2]}
    with open(workdir.path("facts"), "r+b") as file:
        file.seek(12)
        file.write(b"x")
    with pytest.raises(BadWork, match="damaged"):
        workdir.load("facts")


def test_leftover_processes_are_swept_and_nothing_else(workdir):
    workdir.save("facts", {})
    open(workdir.path("keys-1.host.12.tmp"), "wb").close()
    workdir.sweep()
    assert workdir.names() == ["facts"]


def test_an_invalid_url_or_a_file_is_refused_as_a_folder(tmp_path):
    with pytest.raises(BadWork, match="not a work directory"):
        Workdir("nonsense://there")
    (tmp_path / "file").touch()
    with pytest.raises(BadWork, match="cannot be a work directory"):
        Workdir(str(tmp_path / "file" / "work")).prepare()


def test_other_file_systems_work_too(tmp_path):
    url = f"memory://{uuid4()}"
    elsewhere, driver = table_on_disk("tic-tac-toe", url, 3, 100)
    here, _ = table_on_disk("tic-tac-toe", tmp_path / "work", 3, 100)
    assert elsewhere == here
    assert driver.workdir.free() is None
    other = Workdir(url)
    with driver.workdir.locked(), pytest.raises(BadWork, match="if it has ended, remove"), other.locked():
        pass
    driver.workdir.clear()
    driver.workdir.clear()
