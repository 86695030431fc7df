"""Public means documented and typed: every name of the package has a docstring, types, and a place in the reference."""

import ast
import doctest
import inspect
import pydoc
from pathlib import Path

import pytest

import perfectplay
from homes import ROOT
from perfectplay import words

NAMES = perfectplay.__all__
CALLABLE = [name for name in NAMES if inspect.isroutine(getattr(perfectplay, name))]
CLASSES = [name for name in NAMES if inspect.isclass(getattr(perfectplay, name)) and name not in perfectplay.ALIASES]
OWN = "perfectplay."


def functions():
    """All public functions, and the public methods of public classes, by name."""
    for name in CALLABLE:
        yield name, getattr(perfectplay, name)
    for name in CLASSES:
        for attribute, value in vars(getattr(perfectplay, name)).items():
            function = getattr(value, "__func__", value)
            if not attribute.startswith("_") and inspect.isfunction(function):
                yield f"{name}.{attribute}", function


def test_all_names_are_there_once():
    assert len(set(NAMES)) == len(NAMES)
    assert set(NAMES) - set(dir(perfectplay)) == set(perfectplay.HIDDEN)
    tree = ast.parse(Path(perfectplay.__file__).read_text())
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and OWN in f"{node.module}."]
    shown = {alias.asname for node in imported for alias in node.names}
    assert shown - {None} | {"__version__"} == set(NAMES)  # what type checkers see is what there is
    assert {type(getattr(perfectplay, name)).__name__ for name in CALLABLE} == {"function"}


def test_classes_have_docstrings_of_their_own():
    for name in CLASSES:
        kind = getattr(perfectplay, name)
        doc = vars(kind).get("__doc__") or ""
        assert doc.strip(), name
        assert not doc.startswith(f"{name}(")  # what dataclass writes
        if issubclass(kind, Exception):
            assert issubclass(kind, perfectplay.PerfectplayError)
            assert "\n" not in doc.strip(), name
        for attribute, value in vars(kind).items():
            if isinstance(value, property) and not attribute.startswith("_"):
                assert value.__doc__, f"{name}.{attribute}"
                assert "return" in inspect.get_annotations(value.fget), f"{name}.{attribute}"


def test_functions_have_docstrings_and_types():
    for name, function in functions():
        assert (inspect.getdoc(function) or "").partition("\n")[0].endswith((".", ":")), name
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty, name
        typed = [p.name for p in signature.parameters.values() if p.annotation is not p.empty]
        assert {*signature.parameters} - {*typed} <= {"self", "cls"}, name


def test_every_error_that_is_defined_is_exported():
    kinds = {name for name, kind in vars(words).items() if inspect.isclass(kind) and issubclass(kind, Exception)}
    assert kinds <= {*NAMES}


def test_every_name_has_a_place_in_the_reference():
    pages = "".join(path.read_text() for path in (ROOT / "docs" / "reference").glob("*.md"))
    assert [name for name in NAMES if f"perfectplay.{name}" not in pages] == []


def test_help_reads_as_a_page():
    page = pydoc.render_doc(perfectplay, renderer=pydoc.plaintext)
    assert all(f"    {name}(" in page or f"    {name} = " in page for name in CALLABLE)
    assert page.count("__setattr__") == page.count("__weakref__") == page.count("with_traceback") == 0
    assert len(page.splitlines()) < 2100


@pytest.mark.nightly
def test_the_tour_runs():
    done = doctest.testmod(perfectplay)
    assert done.failed == 0
    assert done.attempted >= 8
