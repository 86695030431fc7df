"""Makes small faults in the package, one at a time, and reports which of them no test finds.

python tests/mutants.py [--n 150] [--seed 1] [--jobs 2] [--seconds 60] [--only ID,ID] [--report FILE]

First the tests run once, watched: which lines each of them runs, and which files of the package it reads. Then every
fault gets a copy of the project and an empty cache of compiled code, and the tests that reach its line run until one
fails: of each test function the cheapest case first, then the second, for at most `--seconds` of their usual time.
A test that fails without the fault as well finds nothing. Coverage sees neither kernels, which run from generated
copies, nor most child processes: there the tests run that read the file, or else those that reach its neighbours.

The same seed makes the same faults in the same code, so that two suites can be compared.
"""

import argparse
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import pytest

from homes import ROOT
from seeded_faults import LINE, SOURCE, Fault, choose

BESIDE = ("build", ".venv", "node_modules", ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", "dist")
MAP = "PERFECTPLAY_MUTANTS_MAP"
"""The folder for what is watched; names this file as a plugin of pytest, too."""
FILES = "files.txt"
"""The files whose lines are watched: to watch all takes twice as long."""
MANY = 300
"""A test that reads as many files of the package looks at them all, and tells nothing of one."""
START = 60
"""Seconds that pytest may take beside the tests: it starts, collects, and compiles."""


# What each test reaches: a plugin of pytest while the tests run once


class Watch:
    """Writes down what each test reads and how long it takes; coverage writes down the lines."""

    def __init__(self, folder: Path) -> None:
        from coverage import Coverage

        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.read: set[str] = set()
        self.log = (folder / f"{worker}.jsonl").open("w", encoding="utf-8")
        files = (folder / FILES).read_text(encoding="utf-8").splitlines()
        self.coverage = Coverage(data_file=str(folder / f"lines.{worker}"), include=files, config_file=False)
        self.coverage.start()
        prefix = str(SOURCE)

        def audit(event, arguments):
            if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(prefix):
                self.read.add(arguments[0])

        sys.addaudithook(audit)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.read.clear()
        self.passed = True
        self.coverage.switch_context(item.nodeid)
        begin = time.perf_counter()
        result = yield
        files = [os.path.relpath(file, SOURCE) for file in sorted(self.read) if file.endswith((".py", ".js", ".css"))]
        seconds = round(time.perf_counter() - begin, 3)
        print(json.dumps([item.nodeid, seconds, self.passed, files]), file=self.log, flush=True)
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report):
        self.passed &= report.outcome == "passed"

    def pytest_sessionfinish(self):
        self.log.close()
        self.coverage.stop()
        self.coverage.save()


def pytest_configure(config):
    folder = Path(os.environ[MAP])
    if "PYTEST_XDIST_WORKER" in os.environ or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Watch(folder))


class Reach:
    """Which tests reach a line, from the folder that was written while they were watched."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        self.readers: dict[str, set[str]] = defaultdict(set)
        self.lines: dict[str, dict[int, set[str]]] = {}
        self.failed = 0
        for log in folder.glob("*.jsonl"):
            for text in log.read_text(encoding="utf-8").splitlines():
                test, seconds, passed, files = json.loads(text)
                if not passed:
                    self.failed += 1
                    continue
                self.seconds[test] = seconds
                for file in files if len(files) < MANY else ():
                    self.readers[file].add(test)
        self.folder = folder

    def contexts(self, file: str) -> dict[int, set[str]]:
        """The tests that run each line of a file."""
        from coverage import CoverageData

        if file not in self.lines:
            found: dict[int, set[str]] = defaultdict(set)
            for data_file in self.folder.glob("lines.*"):
                data = CoverageData(str(data_file))
                data.read()
                names = [name for name in data.measured_files() if name.endswith(f"/src/perfectplay/{file}")]
                for line, tests in data.contexts_by_lineno(names[0]).items() if names else ():
                    found[line] |= self.seconds.keys() & set(tests)
            self.lines[file] = found
        return self.lines[file]

    def tests(self, fault: Fault) -> tuple[str, list[str]]:
        """How the tests were chosen, and the tests that may find a fault, in the order in which they are to run."""
        lines = self.contexts(fault.file)
        if tests := set().union(*(lines.get(line, ()) for line in fault.lines)):
            return "line", self.ordered(tests)
        near = self.whole(fault.file) | self.readers[fault.file]
        beside = set().union(*map(self.whole, self.neighbours(fault))) - near
        return "file" if near else "package", [*self.ordered(near), *self.ordered(beside)]

    def whole(self, file: str) -> set[str]:
        """The tests that run a line of a file."""
        return set().union(*self.contexts(file).values())

    def neighbours(self, fault: Fault) -> Iterator[str]:
        """The files beside that of the fault."""
        for file in (SOURCE / fault.file).parent.glob("*.py"):
            yield file.relative_to(SOURCE).as_posix()

    def ordered(self, tests: set[str]) -> list[str]:
        """Of each test function the cheapest case, then the second cheapest of each, and so on."""
        rounds: Counter[str] = Counter()
        order = []
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            function = test.partition("[")[0]
            order.append((rounds[function], self.seconds[test], test))
            rounds[function] += 1
        return [test for _, _, test in sorted(order)]


# Copies of the project, and tests in them


def copy_of_project(folder: Path) -> None:
    """The project's files, linked, so that a file that is replaced differs in this copy alone."""

    def link(source, target):
        try:
            os.link(source, target)
        except OSError:  # another disk
            shutil.copy2(source, target)

    ignored = shutil.ignore_patterns("__pycache__", *BESIDE)
    shutil.copytree(ROOT, folder, copy_function=link, ignore=ignored, dirs_exist_ok=True)
    for name in (".venv", "node_modules"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)


@dataclass
class Copy:
    """One copy of the project, for one fault at a time."""

    folder: Path
    changes: int = 0
    process: "subprocess.Popen[str] | None" = None
    closed: bool = False

    def write(self, fault: Fault, faulty: bool) -> None:
        """Makes the fault or takes it back; Python must see that the file is another one, by its time."""
        file = self.folder / "src" / "perfectplay" / fault.file
        source = (SOURCE / fault.file).read_bytes()
        if faulty:
            source = source[: fault.begin] + fault.text.encode() + source[fault.end :]
        file.unlink()
        file.write_bytes(source)
        for compiled in self.folder.glob("src/perfectplay/**/__pycache__/*.nb[ci]"):
            compiled.unlink()  # numba asks for the time of one file, and not of those that it imports
        self.changes += 1
        os.utime(file, (1_600_000_000 + self.changes,) * 2)

    def run(self, tests: list[str], seconds: float) -> tuple[int | None, str]:
        """The exit code of pytest, None if it does not end in that time, and the first test that fails."""
        if self.closed:
            return 0, ""
        scratch = Path(tempfile.mkdtemp(prefix="mutant-", dir=self.folder.parent))
        (scratch / "tests.txt").write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", f"@{scratch / 'tests.txt'}", "-x", "-q", "-rfE", "--tb=no"]
        command += ["-p", "no:xdist", "-p", "no:cacheprovider", f"--basetemp={scratch / 'base'}"]
        path = os.pathsep.join(filter(None, [str(self.folder / "src"), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path, "PERFECTPLAY_TEST_KERNELS": str(scratch / "kernels")}
        environment["TMPDIR"] = str(scratch)
        with (scratch / "output").open("w+", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=output, stderr=output, start_new_session=True
            )
            try:
                code = self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = None
            self.kill()
            self.process.wait()
            output.seek(0)
            failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", output.read(), re.MULTILINE)
        shutil.rmtree(scratch, ignore_errors=True)
        return code, failed[1] if failed else ""

    def close(self) -> None:
        """Ends what runs in this copy, and runs nothing in it any more."""
        self.closed = True
        self.kill()

    def kill(self) -> None:
        """Ends the tests and what they have started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


@dataclass(frozen=True)
class Verdict:
    """What the tests said of a fault: the one that found it, or how many of those that reach it ran without a word."""

    fault: Fault
    way: str
    reach: int
    ran: int
    finder: str | None
    seconds: float


def judge(fault: Fault, reach: Reach, copies: "Queue[Copy]", limit: float) -> Verdict:
    """Runs the tests that reach a fault until one fails that passes without it."""
    begin = time.perf_counter()
    way, tests = reach.tests(fault)
    chosen, usual = [], 0.0
    for test in tests:
        if chosen and usual + reach.seconds[test] > limit:
            break
        usual += reach.seconds[test]
        chosen.append(test)
    finder = None
    ran = len(chosen)
    copy = copies.get()
    try:
        while chosen and finder is None:
            copy.write(fault, True)
            code, failed = copy.run(chosen, 3 * usual + START)
            copy.write(fault, False)
            if code == 0:
                break
            if code is None:
                if copy.run(chosen, 3 * usual + START)[0] is None:
                    break  # nor do they end without the fault
                finder = "(does not end)"
            elif code in (2, 3, 4) or failed not in chosen:
                finder = failed or "(cannot be imported)"
            elif copy.run([failed], START)[0] == 0:
                finder = failed
            else:
                chosen.remove(failed)  # it fails without the fault as well, when others run before it or not
    finally:
        copies.put(copy)
    return Verdict(fault, way, len(tests), ran, finder, time.perf_counter() - begin)


# The report


def report(verdicts: list[Verdict], head: list[str]) -> str:
    """The survivors, by package, and in which packages they are."""
    lines = ["# Faults that tests find and do not find", "", *head, ""]
    lines += ["| package | faults | found | survive |", "|---|---|---|---|"]
    packages = sorted({verdict.fault.package for verdict in verdicts})
    for package in [*packages, "all"]:
        here = [verdict for verdict in verdicts if package in ("all", verdict.fault.package)]
        survivors = sum(verdict.finder is None for verdict in here)
        lines.append(f"| {package} | {len(here)} | {len(here) - survivors} | {survivors} |")
    survivors = sum(verdict.finder is None for verdict in verdicts)
    lines += ["", f"{survivors} of {len(verdicts)} survive: {survivors / max(1, len(verdicts)):.1%}.", ""]
    lines += ["## Survivors", ""]
    for verdict in sorted(verdicts, key=lambda verdict: (verdict.fault.file, verdict.fault.line)):
        if verdict.finder is None:
            tests = f"{verdict.ran} of {verdict.reach} tests, chosen by {verdict.way}"
            lines.append(f"- {described(verdict.fault)}: {tests}")
    lines += ["", "## Found", ""]
    for verdict in sorted(verdicts, key=lambda verdict: (verdict.fault.file, verdict.fault.line)):
        if verdict.finder is not None:
            lines.append(f"- {described(verdict.fault)}: {verdict.finder}")
    return "\n".join(lines) + "\n"


def described(fault: Fault, seed: int = 0) -> str:
    """The place and the change."""
    before, after = (re.sub(r"\s+", " ", text)[:60] for text in (fault.before, fault.text))
    place = f"{fault.rank(seed)[:8]} `{fault.file}:{fault.line}` {fault.function or 'module'}"
    return f"{place}, {fault.kind}: `{before}` -> `{after}`"


def watch(folder: Path, jobs: int, faults: list[Fault]) -> None:
    """Runs the quick tests once, watched: the files of these faults, and those beside a kernel that has one."""
    folder.mkdir(parents=True)
    files = {SOURCE / fault.file for fault in faults}
    files |= {
        beside for file in files if LINE in file.read_text(encoding="utf-8") for beside in file.parent.glob("*.py")
    }
    (folder / FILES).write_text("".join(f"{file}\n" for file in sorted(files)), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mutants", "-p", "no:cacheprovider", "-n", str(jobs)]
    path = os.pathsep.join(filter(None, [str(ROOT / "tests"), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, MAP: str(folder), "PYTHONPATH": path}
    with (folder / "output.txt").open("w", encoding="utf-8") as output:
        subprocess.run([*command, "--dist", "worksteal"], cwd=ROOT, env=environment, stdout=output, stderr=output)


def judge_all(faults: list[Fault], reach: Reach, folder: Path, jobs: int, limit: float) -> Iterator[Verdict]:
    """Judges faults in as many copies of the project; Ctrl-C ends it early."""
    copies: Queue[Copy] = Queue()
    for number in range(jobs):
        copies.put(Copy(folder / str(number) / "perfectplay"))
        copy_of_project(copies.queue[-1].folder)
    all_copies = list(copies.queue)
    begin = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(judge, fault, reach, copies, limit) for fault in faults]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                verdict = future.result()
                left = (time.perf_counter() - begin) / done * (len(faults) - done) / 60
                said = f"found by {verdict.finder}" if verdict.finder else "SURVIVES"
                print(f"{done}/{len(faults)} {described(verdict.fault)}: {said}, {verdict.seconds:.0f} s", end="")
                print(f" (about {left:.0f} min left)", flush=True)
                yield verdict
        except KeyboardInterrupt:
            print("\ninterrupted: the report has the faults judged so far", file=sys.stderr)
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in all_copies:
                copy.close()


def main() -> int:
    """Exit code 0, however many faults survive: the report is for people."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--n", type=int, default=150, help="the number of faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="faults at a time")
    parser.add_argument("--seconds", type=float, default=60, help="usual time of the tests that run for a fault")
    parser.add_argument("--only", default="", help="the faults whose ids begin so, with commas between")
    parser.add_argument(
        "--map", type=Path, help="a folder of an earlier run for the same faults, or one for this run's"
    )
    parser.add_argument("--report", type=Path, default=ROOT / "bench/results/mutants.md")
    options = parser.parse_args()
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="perfectplay-mutants-", ignore_cleanup_errors=True) as name:
        folder = options.map or Path(name) / "map"
        faults = choose(options.n, options.seed)
        if options.only:
            faults = [fault for fault in faults if fault.rank(0).startswith(tuple(options.only.split(",")))]
        if not folder.exists():
            print("the tests run once, watched ...", flush=True)
            watch(folder, options.jobs, faults)
        reach = Reach(folder)
        print(f"{len(reach.seconds)} tests pass, {reach.failed} do not", flush=True)
        for fault in faults:
            reach.tests(fault)  # reads what was watched, in one thread
        verdicts = list(judge_all(faults, reach, Path(name), options.jobs, options.seconds))
    head = [
        f"`python tests/mutants.py --n {options.n} --seed {options.seed} --seconds {options.seconds:g}`, Python "
        f"{platform.python_version()}, {options.jobs} at a time: {(time.perf_counter() - begin) / 60:.0f} minutes.",
        f"{len(reach.seconds)} tests passed in {sum(reach.seconds.values()):.0f} s, {reach.failed} did not pass.",
    ]
    options.report.write_text(report(verdicts, head), encoding="utf-8")
    print(f"written to {options.report}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
