"""Faults that are made to see whether tests find them: which there are, which are chosen, when one counts as found."""

import ast
from queue import Queue

import pytest

import seeded_faults
from mutants import Verdict, judge, report
from seeded_faults import choose, faults_of

CODE = '''"""A text is no place for a fault: 1 < 2."""
MOST = 3


def best(values: list[int], most: int = 7) -> int:
    """Nor is this."""
    total = 0
    for value in values:
        if 0 < value <= most and value is not None:
            total += value - 1
            note(value, total)
    return total if True else bound(values, most)
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of three files, one of them with stubs of a kernel, and one that does nothing."""
    monkeypatch.setattr(seeded_faults, "SOURCE", tmp_path)
    (tmp_path / "solvers").mkdir()
    (tmp_path / "code.py").write_text(CODE)
    (tmp_path / "solvers" / "kernel.py").write_text(f"STUB = 1\n{seeded_faults.LINE}\nREAL = 2\n")
    (tmp_path / "solvers" / "nothing.py").write_text('"""Nothing."""\nfrom os import path\n')
    return tmp_path


def test_each_fault_is_another_program(package):
    faults = list(faults_of(package / "code.py"))
    programs = {CODE}
    for fault in faults:
        assert CODE[fault.begin : fault.end] == fault.before
        programs.add(CODE[: fault.begin] + fault.text + CODE[fault.end :])
        ast.parse(CODE[: fault.begin] + fault.text + CODE[fault.end :])
    assert len(programs) == len(faults) + 1
    changes = {(fault.before, fault.text) for fault in faults}
    assert changes >= {("3", "4"), ("and", "or"), ("is not", "is"), ("-", "+"), ("True", "False")}
    assert changes >= {("values, most", "most, values"), ("note(value, total)", "pass")}
    assert [fault.line for fault in faults if fault.before == "7"] == [5]
    assert all(fault.line > 1 for fault in faults)


def test_the_same_seed_chooses_the_same_faults_of_every_package(package):
    assert [fault.text for fault in faults_of(package / "solvers" / "kernel.py")] == ["3"]
    chosen = choose(8, 1)
    assert chosen == choose(8, 1) != choose(8, 2)
    assert len(set(chosen)) == 8
    assert {fault.package for fault in chosen} == {"hall", "solvers"}
    first = list(faults_of(package / "code.py"))
    (package / "code.py").write_text("import os\n\n" + CODE)
    assert [fault.rank(1) for fault in first] == [fault.rank(1) for fault in faults_of(package / "code.py")]


class Project:
    """A copy of the project that runs nothing: the given tests fail, with a fault or without as well."""

    def __init__(self, finders, broken=()):
        self.finders, self.broken, self.faulty = finders, broken, False

    def write(self, fault, faulty):
        self.faulty = faulty

    def run(self, tests, seconds):
        failed = [test for test in tests if test in self.broken or (self.faulty and test in self.finders)]
        return (1, failed[0]) if failed else (0, "")


class Reached:
    seconds = dict.fromkeys("abc", 1.0)

    def tests(self, fault):
        return "line", list("abc")


@pytest.mark.parametrize(
    ("finders", "broken", "found"),
    [("b", "", "b"), ("", "", None), ("", "a", None), ("ac", "a", "c")],
)
def test_a_test_that_fails_without_the_fault_as_well_finds_nothing(package, finders, broken, found):
    copies = Queue()
    copies.put(Project(finders, broken))
    fault = next(faults_of(package / "code.py"))
    verdict = judge(fault, Reached(), copies, 60)
    assert verdict.finder == found
    assert copies.qsize() == 1
    text = report([verdict], ["head"])
    assert f"{int(found is None)} of 1 survive" in text
    assert fault.rank(0)[:8] in text


def test_tests_run_within_their_usual_time(package):
    copies = Queue()
    copies.put(Project("c"))
    verdict = judge(next(faults_of(package / "code.py")), Reached(), copies, 2)
    assert (verdict.reach, verdict.ran, verdict.finder) == (3, 2, None)
    assert isinstance(verdict, Verdict)
