"""Compiled code is kept under a name that says all it was made of."""

import subprocess
import sys

import pytest

from perfectplay.compiler import compiled
from perfectplay.compiler.compiled import CPU, WIDE_HEAD, import_sources, load_kernels, load_search
from perfectplay.rules.loading import load_game

LOADED = """
import sys
from perfectplay.rules.loading import load_game
small, game = load_game("nim:1,2"), load_game("{game}")
before = set(sys.modules)
from perfectplay.compiler.compiled import load_kernels, load_search
load_kernels(small)
load_search(game)
names = [name for name in set(sys.modules) - before if name.startswith("perfectplay.")]
print(*(name for name in names if not hasattr(sys.modules[name], "__path__")))
"""


@pytest.mark.parametrize(
    ("game", "head"),
    [("nim:1,2", CPU.head), pytest.param("drop:12,9,4", WIDE_HEAD, marks=pytest.mark.nightly)],
)
def test_every_module_that_compiling_imports_is_part_of_the_name(game, head):
    done = subprocess.run([sys.executable, "-c", LOADED.format(game=game)], capture_output=True, text=True, check=True)
    sources = import_sources("compiler.compiled", head)
    names = done.stdout.split()
    assert len(names) > 10
    assert [name for name in names if f"# {name.removeprefix('perfectplay.')}\n" not in sources] == []


def test_modules_named_in_functions_and_in_texts_are_part_of_the_name():
    for module in ("integers.word_halves", "integers.wide_rules", "long_tables", "integers.guarded_rules"):
        assert f"# compiler.{module}\n" in import_sources("compiler.compiled", CPU.head)


def test_other_sources_make_another_name(monkeypatch):
    game = load_game("nim:1,2")
    names = {load_kernels(game).module.__name__, load_search(game).module.__name__}
    monkeypatch.setattr(compiled, "import_sources", lambda *_: "something else")
    monkeypatch.setattr(compiled, "load_module", lambda name, text: names.add(name) or sys.modules["sys"])
    load_kernels(game)
    assert len(names) == 3
