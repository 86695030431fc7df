"""What the README and the pages of docs/ show is what happens: every example is run, every number computed."""

import json
import re
from pathlib import Path

import pytest
from console import printed, saved_files
from searched import DROP, LINES, row
from tables import BY_SEARCH, README_GAMES, RESULTS, readme_row, result_names, result_row

ROOT = Path(__file__).parent.parent
PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "docs/writing-a-game.md", "docs/exports.md")
}
TEXT = PAGES["README.md"]
RESULT = r"^\| `([^`]+)` \| [^|]+ \| ([0-9,]+)"
LARGE = 200_000
"""Positions of a game that takes longer to compute than a test should."""
BLOCKS = [block for text in PAGES.values() for block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the pages show."""
    folder = tmp_path_factory.mktemp("readme")
    for text in PAGES.values():
        saved_files(text, folder)
    return folder


CONSOLE = [
    tuple(part.split("\n", 1))
    for kind, block in BLOCKS
    if kind == "console"
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_commands(command, output, folder):
    assert printed(command, folder) == output


@pytest.mark.parametrize("block", [block for kind, block in BLOCKS if kind == "python"], ids=lambda b: b[:20].strip())
def test_python(block, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})


def test_there_is_something_to_run():
    assert len(CONSOLE) >= 6
    assert sum(kind == "python" for kind, _ in BLOCKS) >= 4


RESULTS_PAGE = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
COUNTED = {name: int(count.replace(",", "")) for name, count in re.findall(RESULT, RESULTS_PAGE, re.MULTILINE)}
"""The games of the page of results, each with its positions."""


def by_size(names):
    """The names, those of larger games left to `make test-all`."""
    large = {name for name, count in COUNTED.items() if count > LARGE} | {*BY_SEARCH}
    return [pytest.param(name, marks=pytest.mark.slow if name in large else ()) for name in names]


@pytest.mark.parametrize("name", by_size(README_GAMES))
def test_the_table_of_games_is_computed(name):
    assert readme_row(name) in TEXT.splitlines()


@pytest.mark.parametrize("name", by_size(COUNTED))
def test_results_are_computed(name):
    assert result_row(name) in RESULTS_PAGE.splitlines()


def test_the_page_of_results_has_every_game():
    assert list(COUNTED) == [name for kind in RESULTS for name in result_names(kind)]


SEARCHED = re.findall(r"^\| `([^`]+)` .*\| ([0-9,]+) \|", (ROOT / "docs" / "searched.md").read_text(), re.MULTILINE)
QUICK = ("drop:4,4,4",)


@pytest.mark.parametrize(
    ("name", "nodes"), [pytest.param(*row, marks=() if row[0] in QUICK else pytest.mark.slow) for row in SEARCHED]
)
def test_boards_take_so_many_nodes(name, nodes):
    without_seconds = row(name).rpartition(" | ")[0]
    assert without_seconds in (ROOT / "docs" / "searched.md").read_text()
    assert without_seconds.endswith(f"| {nodes}")


def test_the_page_of_searches_has_every_board():
    assert len(SEARCHED) == len(DROP) + len(LINES)


def test_links_lead_somewhere():
    for page, text in PAGES.items():
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
            assert ((ROOT / page).parent / target).exists(), (page, target)


def test_the_two_commands_are_there():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", TEXT, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    assert "make test" in (ROOT / ".ci/run").read_text()


GPU_PAGE = (ROOT / "docs" / "gpu.md").read_text(encoding="utf-8")
GPU_ROWS = re.findall(r"^\| `([^`]+)` \| (.*) \|$", GPU_PAGE, re.MULTILINE)
RECORDED = dict(
    re.findall(r"^\| `([^`]+)` \| (.*) \|$", (ROOT / "bench" / "results" / "GPU.md").read_text(), re.MULTILINE)
)
GPU_COUNTS = {
    facts["game"]: facts
    for facts in map(json.loads, (ROOT / "bench" / "results" / "GPU.jsonl").read_text().splitlines())
}


@pytest.mark.parametrize(("name", "cells"), GPU_ROWS)
def test_figures_of_a_gpu_are_those_recorded(name, cells):
    cells = cells.split(" | ")
    if len(cells) == 10:  # times
        recorded = RECORDED[name].split(" | ")
        assert cells == [recorded[i] for i in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11)]
        assert (name in GPU_COUNTS) <= (recorded[0] == f"{GPU_COUNTS.get(name, {}).get('positions', 0):,}")
        return
    facts = GPU_COUNTS[name]
    assert cells[1:] == [f"{facts[key]:,}" for key in ("positions", "classes", "wins", "draws", "losses", "longest")]
    assert sum(row["positions"] for row in facts["histogram"]) == facts["positions"]
    winner = {"win": "first player wins", "draw": "draw", "loss": "second player wins"}[facts["value"]]
    end = "without end" if facts["distance"] is None else f"{facts['distance']} plies"
    assert cells[0] == f"{winner}, {end}"
