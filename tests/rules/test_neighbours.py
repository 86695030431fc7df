"""Files of different folders import neighbours of the same names, each its own."""

import importlib
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from perfectplay import BadGame, load
from perfectplay.rules.loading import load_file


@pytest.fixture
def folder(tmp_path):
    """A function that writes the files of a folder and returns its path; what was imported is forgotten later."""
    before = set(sys.modules)

    def written(name, **files):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            (tmp_path / name / f"{file}.py").write_text(text)
        return tmp_path / name

    yield written
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_neighbours_of_the_same_name(folder):
    mine = """
import nb_rules
from nb_rules import WHERE
def later():
    import nb_late
    from nb_rules import WHERE
    return nb_late.WHERE, nb_late.later(), WHERE
"""
    late = "import nb_rules\nWHERE = {0!r}\ndef later():\n    import nb_rules\n    return nb_rules.WHERE\n"
    files = {name: {"nb_rules": f"WHERE = {name!r}", "nb_late": late.format(name)} for name in ("a", "b", "a/inside")}
    found = [load_file(folder(name, mine=mine, **texts) / "mine.py", BadGame) for name, texts in files.items()]
    for _ in range(2):
        for name, module in zip(files, found, strict=True):
            assert module.WHERE == module.nb_rules.WHERE == name
            assert module.later() == (name, name, name)
    assert sys.modules["nb_rules"] is found[0].nb_rules


def test_files_of_one_folder_share_their_neighbours(folder):
    path = folder("c", one="import nb_shared", two="import nb_shared", nb_shared="")
    assert load_file(path / "one.py", BadGame).nb_shared is load_file(path / "two.py", BadGame).nb_shared


def test_a_neighbour_that_python_has_imported_is_the_same(folder, monkeypatch):
    path = folder("d", one="import nb_before", nb_before="")
    monkeypatch.syspath_prepend(str(path))
    before = importlib.import_module("nb_before")
    assert load_file(path / "one.py", BadGame).nb_before is before
    other = folder("e", one="import nb_before", nb_before="WHERE = 'e'")
    assert load_file(other / "one.py", BadGame).nb_before.WHERE == "e"
    assert importlib.import_module("nb_before") is before


def test_packages_and_circles(folder):
    files = {
        "one": "from nb_pack import sub\nimport nb_pack.sub as same\nimport nb_circle",
        "nb_circle": "import nb_round\nWHERE = {0!r}\ndef f():\n    return nb_round.back()",
        "nb_round": "import nb_circle\ndef back():\n    return nb_circle.WHERE",
    }
    for name in ("f", "g"):
        path = folder(name, **{file: text.format(name) for file, text in files.items()})
        late = "def late():\n    from .deep import WHERE\n    return WHERE\n"
        folder(f"{name}/nb_pack", __init__="from . import sub\n", sub=late, deep=f"WHERE = {name!r}\n")
    for name in ("f", "g", "f"):
        module = load_file(path.parent / name / "one.py", BadGame)
        assert module.sub is module.same
        assert module.sub.late() == module.nb_circle.f() == name


def test_a_neighbour_hides_no_module_of_python_or_of_a_package(folder):
    files = dict.fromkeys(("random", "pytest", "perfectplay"), "WHERE = 'here'")
    path = folder("h", one="import random, pytest, perfectplay\nfrom random import Random", **files)
    module = load_file(path / "one.py", BadGame)
    assert (module.random, module.pytest) == (sys.modules["random"], pytest)
    assert module.perfectplay.load is load


def test_a_neighbour_can_be_pickled(folder):
    path = folder("i", one="import nb_pickled", nb_pickled="class Thing:\n    pass\n")
    thing = load_file(path / "one.py", BadGame).nb_pickled.Thing()
    assert type(pickle.loads(pickle.dumps(thing))) is type(thing)


def test_a_neighbour_with_an_error_is_tried_again(folder):
    path = folder("j", one="import nb_broken", nb_broken="import nb_absent")
    with pytest.raises(BadGame, match="No module named 'nb_absent'"):
        load_file(path / "one.py", BadGame)
    assert "nb_broken" not in sys.modules
    folder("j", nb_absent="")
    importlib.invalidate_caches()
    assert load_file(path / "one.py", BadGame).nb_broken


def test_threads_get_their_own_neighbours(folder):
    mine = "def late():\n    import nb_thread\n    return nb_thread.WHERE\n"
    paths = {name: folder(name, one=mine, nb_thread=f"WHERE = {name!r}") for name in "abcdefgh"}
    with ThreadPoolExecutor(len(paths)) as pool:
        found = pool.map(lambda path: load_file(path / "one.py", BadGame).late(), paths.values())
    assert list(found) == list(paths)


def test_a_file_is_loaded_as_it_is_saved(folder):
    """Saved twice within a second with as many letters: Python's own cache of compiled files cannot tell them apart."""
    code = "import sys, pathlib, perfectplay.rules.loading as loading, perfectplay.words as words\n"
    code += "print(loading.load_file(pathlib.Path(sys.argv[1]), words.BadGame).SUM)"
    for number in (1, 2):
        path = folder("quick", mine="import nb_quick\nSUM = 10 + nb_quick.ONE", nb_quick=f"ONE = {number}") / "mine.py"
        for file in path.parent.glob("*.py"):
            os.utime(file, (1_000_000_000, 1_000_000_000))
        found = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        assert found.stdout == f"{10 + number}\n"
