"""Files import modules of their folder by name; two of one name in one process are refused."""

import importlib
import pickle
import subprocess
import sys

import pytest

from perfectplay import BadGame, load
from perfectplay.rules import loading
from perfectplay.rules.loading import files_beside, load_file


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


def test_files_of_one_folder_share_their_neighbours(folder):
    path = folder(
        "a", one="import nb_shared", two="def late():\n    import nb_shared\n    return nb_shared", nb_shared=""
    )
    one, two = (load_file(path / f"{name}.py", BadGame) for name in ("one", "two"))
    assert one.nb_shared is two.late() is sys.modules["nb_shared"]
    assert files_beside(path) == [path / "nb_shared.py"]


def test_packages_and_circles(folder):
    path = folder(
        "b",
        one="from nb_pack import sub\nimport nb_circle",
        nb_circle="import nb_round\nWHERE = 3\ndef f():\n    return nb_round.back()",
        nb_round="import nb_circle\ndef back():\n    return nb_circle.WHERE",
    )
    folder("b/nb_pack", __init__="", sub="import nb_deep\nfrom .deeper import WHERE", deeper="WHERE = 4")
    folder("b", nb_deep="")
    module = load_file(path / "one.py", BadGame)
    assert (module.nb_circle.f(), module.sub.WHERE) == (3, 4)
    found = {file.relative_to(path).as_posix() for file in files_beside(path)}
    assert found == {
        "nb_circle.py",
        "nb_round.py",
        "nb_deep.py",
        *(f"nb_pack/{x}.py" for x in ("__init__", "sub", "deeper")),
    }


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("import nb_clash", "import nb_clash"),
        ("import nb_clash", "def late():\n    from nb_clash import WHERE"),
        ("import nb_clash", ""),  # whichever came first would answer for both
        ("", "import nb_clash"),
    ],
)
def test_two_neighbours_of_one_name_are_refused(folder, one, two):
    first, second = (folder(name, mine=text, nb_clash="WHERE = 1") for name, text in (("c", one), ("d", two)))
    load_file(first / "mine.py", BadGame)
    with pytest.raises(BadGame, match=r"'nb_clash' would be both .*/d/nb_clash.py and .*/c/nb_clash.py.*another name"):
        load_file(second / "mine.py", BadGame)


def test_names_that_no_file_imports_clash_with_nothing(folder):
    for name in ("e", "f"):
        load_file(folder(name, mine="", nb_unused="") / "mine.py", BadGame)


def test_a_module_that_python_has_imported_from_elsewhere_is_refused(folder, monkeypatch):
    path = folder("g", one="import nb_before", nb_before="")
    monkeypatch.syspath_prepend(str(path))
    before = importlib.import_module("nb_before")
    assert load_file(path / "one.py", BadGame).nb_before is before
    monkeypatch.setattr(loading, "FOLDERS", {})
    with pytest.raises(BadGame, match="would be both"):
        load_file(folder("h", one="import nb_before", nb_before="") / "one.py", BadGame)


def test_a_neighbour_hides_no_module_of_python_or_of_a_package(folder):
    files = dict.fromkeys(("random", "pytest", "perfectplay"), "WHERE = 'here'")
    path = folder("i", one="import random, pytest, perfectplay\nfrom random import Random", **files)
    module = load_file(path / "one.py", BadGame)
    assert (module.random, module.pytest) == (sys.modules["random"], pytest)
    assert module.perfectplay.load is load


def test_a_neighbour_can_be_pickled(folder):
    path = folder("j", one="import nb_pickled", nb_pickled="class Thing:\n    pass\n")
    thing = load_file(path / "one.py", BadGame).nb_pickled.Thing()
    assert type(pickle.loads(pickle.dumps(thing))) is type(thing)


def test_a_neighbour_with_an_error_is_tried_again(folder):
    path = folder("k", one="import nb_broken", nb_broken="import nb_absent")
    with pytest.raises(BadGame, match="No module named 'nb_absent'"):
        load_file(path / "one.py", BadGame)
    assert "nb_broken" not in sys.modules
    folder("k", nb_absent="")
    importlib.invalidate_caches()
    assert load_file(path / "one.py", BadGame).nb_broken


def test_a_file_is_loaded_as_it_is_saved(folder):
    """Saved twice within a second with as many letters: Python's own cache of compiled files cannot tell them apart."""
    code = "import sys, pathlib, perfectplay.rules.loading as loading, perfectplay.words as words\n"
    code += "print(loading.load_file(pathlib.Path(sys.argv[1]), words.BadGame).ONE)"
    for number in (1, 2):
        path = folder("quick", mine=f"ONE = {number}") / "mine.py"
        found = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        assert found.stdout == f"{number}\n"
