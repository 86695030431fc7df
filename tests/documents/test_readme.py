"""The documentation is true: every example is run, every number computed, and every link leads somewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir

import pytest
import reference_pages
from console import BLOCK, PAGES, examples_in, file_name, printed, without_times, workplace
from game_pages import entries_in, entry
from searched import DROP, LINES, row
from tables import result_row, rows_in, told

from homes import ROOT, shared_home
from perfectplay.rules.families import describe_games, family_names
from perfectplay.rules.loading import load_game
from perfectplay.solvers.search.searcher import Searcher
from rings import nightly

DOCS = ROOT / "docs"
TEXTS = {str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in PAGES}
README = TEXTS["README.md"]
SPEED = TEXTS["docs/explanation/speed.md"]
RESULTS_PAGE = TEXTS["docs/reference/results.md"]
SEARCHED_PAGE = TEXTS["docs/reference/searched.md"]


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory, known_rules):
    """One folder of tables for all pages, so that each game is solved once."""
    with shared_home(tmp_path_factory, known_rules) as folder:
        yield folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder in which the examples run."""
    return tmp_path_factory.mktemp("examples")


QUICK = {
    "docs/explanation/retrograde-analysis.md",
    "docs/how-to/choose-an-engine.md",
    "docs/how-to/draw-pictures.md",
    "docs/how-to/manage-tables.md",
    "docs/how-to/play-in-the-terminal.md",
    "docs/recipes/neutral-pieces.md",
    "docs/recipes/points.md",
    "docs/reference/python.md",
    "docs/tutorial/install-and-play.md",
    "docs/tutorial/share-it.md",
}
"""Pages whose examples take little time and run in this process; those of the others are nightly."""
EXAMPLES = {page: examples for page, text in TEXTS.items() if (examples := examples_in(text))}
SNIPPETS = [
    (page, block)
    for page, text in TEXTS.items()
    for kind, block in BLOCK.findall(text)
    if kind == "python" and not file_name(block)
]
PROGRAMS = {"cmd:./": "cc", "./mybot": "cc", "cmd:node": "node"}
"""Parts of commands, and the programs without which they cannot run."""


def case(page, *values, name=""):
    """The case of a test about that page."""
    return pytest.param(*values, id=f"{page}{name}", marks=[] if page in QUICK else pytest.mark.nightly)


@pytest.mark.parametrize("examples", [case(page, examples) for page, examples in EXAMPLES.items()])
def test_commands_print_what_the_page_shows(examples, folder):
    """The commands of a page run one after another: what one writes, the next may read."""
    for command, output, files in examples:
        programs = [command.split()[0], *(program for part, program in PROGRAMS.items() if part in command)]
        if all(program == "perfectplay" or shutil.which(program) for program in programs):
            assert without_times(printed(command, workplace(files, folder))) == without_times(output), command


@pytest.mark.parametrize(
    "block", [case(page, block, name=f": {block.partition(chr(10))[0]}") for page, block in SNIPPETS]
)
def test_python_runs(block, folder):
    with chdir(workplace({}, folder)):
        exec(compile(block, "example", "exec"), {"__name__": "example"})


def test_there_is_something_to_run():
    assert {*EXAMPLES, *dict(SNIPPETS)} >= QUICK
    assert (sum(map(len, EXAMPLES.values())) >= 40, len(SNIPPETS) >= 8) == (True, True)


# Numbers

ROWS = rows_in(RESULTS_PAGE)
"""The games of the page of results, each with its row."""
TOLD = {result.game: result for known in told().values() for result in known}
KINDS = ("drop:3,3,3", "fading:3,2", "dots:1,1", "hexapawn:3,3")
"""One of each kind: cycles, points and none of these."""


def without_seconds(row):
    return row.rstrip(" |").rpartition(" | ")[0]


@pytest.mark.parametrize("name", [*KINDS, *nightly(*(name for name in ROWS if name not in KINDS))])
def test_results_are_computed(name):
    assert without_seconds(result_row(TOLD[name])) == without_seconds(ROWS[name])


def test_the_pages_have_the_games_that_are_told_and_the_boards_that_are_searched():
    assert {*KINDS} <= {*ROWS} <= {*TOLD}, "run `make tables`"
    assert len(SEARCHED) == len(DROP) + len(LINES)


def test_a_result_that_is_told_wrongly_is_noticed():
    wrong = TOLD["drop:3,3,3"]._replace(text="First player wins")
    with pytest.raises(ValueError, match="drop:3,3,3 is told as 'First player wins', but computed as 'Draw'"):
        result_row(wrong)


ENTRIES = entries_in(TEXTS["docs/reference/games.md"])


@pytest.mark.nightly
def test_the_page_of_games_tells_what_the_files_tell():
    """A family that is not on the page yet is put there when the site is built."""
    told = {known.name: entry(known) for known in describe_games()}
    assert {**told, **ENTRIES} == told, "run `python docs/game_pages.py`"


SEARCHED = re.findall(r"^\| `([^`]+)` .*\| ([0-9,]+) \|", SEARCHED_PAGE, re.MULTILINE)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "nodes"), SEARCHED)
def test_a_search_takes_the_nodes_given(name, nodes):
    found = without_seconds(row(name).rstrip())
    assert found in SEARCHED_PAGE
    assert found.endswith(f"| {nodes}")


@pytest.mark.nightly
def test_analyse_and_the_guide_count_the_nodes_of_the_page():
    """The same question on one thread: the position alone, without its moves."""
    nodes, game = dict(SEARCHED), load_game("lines:4,4,4")
    assert f"{Searcher(game).analyse(game.start).nodes_here:,}" == nodes["lines:4,4,4"]
    assert f"[{nodes['lines:5,5,5']} nodes](../reference/searched.md)" in TEXTS["docs/guides/n-by-n.md"]


ROW = r"^\| `([^`]+)` \| (.*) \|$"
GPU_ROWS = re.findall(ROW, TEXTS["docs/how-to/solve-on-a-gpu.md"], re.MULTILINE)
RECORDED = dict(re.findall(ROW, (ROOT / "bench/results/gpu.md").read_text(encoding="utf-8"), re.MULTILINE))
GPU_COUNTS = {
    facts["game"]: facts for facts in map(json.loads, (ROOT / "bench/results/gpu.jsonl").read_text().splitlines())
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
    end = "endless" if facts["distance"] is None else f"{facts['distance']} plies"
    assert cells[0] == f"{winner}, {end}"


def test_the_peers_that_are_told_are_those_measured():
    """Our time and that of each peer stand in one row of results, in seconds or microseconds."""
    lines = [line for path in (ROOT / "bench/results").glob("*.md") for line in path.read_text().splitlines()]
    lines.append(str(json.loads((ROOT / "bench/results/nine-mens-morris.json").read_text())["seconds"]))
    rows = [re.findall(r"(\d[\d.]*) (s|ms)\b", row) for row in SPEED.splitlines()]
    pairs = [(ours, peer) for ours, *peers in filter(None, rows) for peer in peers or [ours]]
    assert len(pairs) == 8
    assert [pair for pair in pairs if not any(all(is_in(line, *time) for time in pair) for line in lines)] == []


def test_rates_are_measured_side_by_side():
    rates = re.findall(r"(\d[\d.,]*) million (?:plies|on)|pgx: (\d[\d.]*) million; (\d[\d.,]*)", SPEED)
    ours, ours_gpu, pgx, pgx_gpu = filter(None, (rate for found in rates for rate in found))
    for page, figures in (("batches", (ours, pgx)), ("batches-gpu", (ours_gpu, pgx_gpu))):
        (row,) = re.findall(
            r"connect-four \| random actions, step, legal masks, observations \| ([\d,]+) .* \| ([\d,.]+) with",
            (ROOT / f"bench/results/{page}.md").read_text(),
        )
        assert row == figures


def is_in(line, figure, unit):
    """Whether a number in the line, in seconds or microseconds, is this figure when rounded like it."""
    digits = len(figure.partition(".")[2])
    numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\.?\d*", line)]
    scales = (1000, 0.001) if unit == "ms" else (1, 1e-6)
    return any(f"{number * scale:.{digits}f}" == figure for number in numbers for scale in scales)


# Form


def test_the_readme_is_short_and_there_are_as_many_games_as_it_says():
    assert len(README.splitlines()) <= 150
    least = re.search(r"more than (\d+) \[game families\]", README)
    assert len(family_names()) > int(least[1])


def test_links_lead_somewhere():
    for page, text in TEXTS.items():
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", BLOCK.sub("", text)):
            if not target.startswith(("http://", "https://")):
                assert ((ROOT / page).parent / target).exists(), (page, target)


def test_paths_that_contributors_are_told_are_there():
    named = re.findall(r"`((?:src|tests|docs|bench|examples|\.github)/[\w./-]+)`", TEXTS["CONTRIBUTING.md"])
    assert len(named) >= 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_two_make_commands_are_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"`?make (\w+)", README)
    assert {"play", "test"} <= {*targets}
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    assert "make test" in (ROOT / ".ci/run").read_text(encoding="utf-8")


# The site


@pytest.mark.nightly
@pytest.mark.parametrize("path", reference_pages.PAGES, ids=lambda path: path.name)
def test_generated_reference_is_current(path):
    assert path.read_text(encoding="utf-8") == reference_pages.PAGES[path]()


@pytest.mark.nightly
def test_the_site_builds_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site" / "index.html").exists()
    pages = {path.relative_to(tmp_path / "site"): path for path in (tmp_path / "site").rglob("*.html")}
    assert {page.relative_to(DOCS).with_suffix(".html") for page in PAGES if page.is_relative_to(DOCS)} <= {*pages}
    games = (tmp_path / "site/reference/games.html").read_text(encoding="utf-8")
    assert sorted(re.findall(r'<h3 id="(\w+)"', games)) == family_names()
    assert games.count('<div class="board"><svg') == len(family_names())
    loaded = r"<(?:script|img|link)\b[^>]*(?:src|href)=\"?(https?:[^\" >]+)"
    assert {address for path in pages.values() for address in re.findall(loaded, path.read_text())} == set()
