"""The notebooks of the documentation run, and what is stored in them is what they print."""

import copy
import json
import os
import re

import pytest

from homes import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
BYTES = 300_000
"""The most bytes of a notebook."""
pytestmark = pytest.mark.filterwarnings("ignore")  # of packages of Jupyter about each other


@pytest.fixture
def tools():
    """What runs notebooks; nbformat, which it needs, takes two seconds to import."""
    import execute_notebooks

    return execute_notebooks


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_is_whole_small_and_of_no_machine(path):
    assert path.stat().st_size < BYTES
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    code = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    for cell in code:
        pictures = [output for output in cell["outputs"] if "image/png" in output.get("data", {})]
        assert len(pictures) <= 1
        assert bool(pictures) <= bool(cell["metadata"].get("alt")), "a picture needs words: the cell's metadata `alt`"
    first, *others = ["".join(cell["source"]) for cell in stored["cells"] if cell["cell_type"] == "markdown"]
    assert first.startswith("# ")
    assert "pip install 'perfectplay[notebook,rl]'" in first
    for text in (first, *others):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
            assert (path.parent / target).exists(), target
    assert f"({path.stem}.ipynb)" in (path.parent / "index.md").read_text(encoding="utf-8")
    assert f": notebooks/{path.stem}.md" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_stored_in_it_and_its_page_has_all_of_it(path, tools, tmp_path):
    from notebook_pages import NotebookPage

    stored, found = tools.nbformat.read(path, as_version=4), tools.run(path, tmp_path)
    assert tools.faults(found) == tools.faults(stored) == []
    assert tools.texts(found) == tools.texts(stored), "run `make notebooks`"
    page = NotebookPage(path)
    outputs = [output for cell in stored.cells if cell.cell_type == "code" for output in cell.outputs]
    assert page.markdown.count('<div class="output"') == len(outputs)
    assert all(cell.source in page.markdown for cell in stored.cells)
    assert len(page.pictures) == sum("image/png" in output.get("data", {}) for output in outputs)


def cell_with(*outputs):
    from nbformat.v4 import new_code_cell, new_notebook

    return new_notebook(cells=[new_code_cell("1", outputs=[*outputs])])


@pytest.mark.nightly
def test_a_difference_is_noticed_but_not_in_pictures_and_styles(tools):
    new_output = tools.nbformat.v4.new_output

    def shown(html, picture):
        return cell_with(new_output("execute_result", {"text/plain": "a", "text/html": html, "image/png": picture}))

    same = [shown("<style>b {}</style><b>7  won</b>", "AAAA"), shown("<style>i {}</style><i>7 won</i>", "BBBB")]
    assert tools.texts(same[0]) == tools.texts(same[1])
    assert tools.texts(same[0]) != tools.texts(shown("<b>8 won</b>", "AAAA"))
    timed = cell_with(new_output("stream", name="stdout", text="7 games, 1.5 ms"))
    old = tools.nbformat.writes(timed) + "\n"
    timed.cells[0].outputs[0].text = "7 games, 12 s"
    assert tools.written(timed, old) == old
    timed.cells[0].outputs[0].text = "8 games, 1.5 ms"
    assert tools.written(timed, old) != old


@pytest.mark.nightly
def test_outputs_that_no_reader_should_see_are_faults(tools):
    new_output = tools.nbformat.v4.new_output
    for output in (
        new_output("error", ename="ValueError", evalue="no", traceback=[]),
        new_output("stream", name="stderr", text="DeprecationWarning"),
        new_output("stream", name="stdout", text="wrote /home/me/table"),
        new_output("stream", name="stdout", text=f"wrote {ROOT}/table"),
        new_output("execute_result", {"text/plain": "<function f at 0x7f00aa>"}),
    ):
        assert len(tools.faults(cell_with(output))) == 1
    assert tools.faults(cell_with(new_output("stream", name="stdout", text="fine"))) == []
    pieces = [new_output("stream", name="stdout", text=text) for text in ("a\n", "b\n")]
    assert [output.text for output in tools.joined(copy.deepcopy(pieces))] == ["a\nb\n"]
    apart = [pieces[0], new_output("execute_result", {"text/plain": "1"}), pieces[1]]
    assert len(tools.joined(copy.deepcopy(apart))) == 3


RULES = """
from perfectplay import DRAW, LOSS, ONGOING, Game
import perfectplay

def moves(mine, theirs):
    return 0b1111 & ~(mine | theirs)

def play(mine, theirs, move):
    return theirs, mine | 1 << move

def outcome(mine, theirs):
    if theirs & {line} == {line}:
        return LOSS
    return DRAW if mine | theirs == 0b1111 else ONGOING

game = Game(moves=moves, play=play, outcome=outcome, bits=4, shape=(4, 1), name="pairs")
table = perfectplay.solve(game, "numba", keep=True)
print(table.engine, table.summary())
"""


def printed(tools, path, cells, *home):
    """What the cells print, run as a notebook."""
    tools.nbformat.write(tools.nbformat.v4.new_notebook(cells=[*map(tools.nbformat.v4.new_code_cell, cells)]), path)
    return tools.texts(tools.run(path, path.parent, *home))


@pytest.mark.nightly
def test_rules_in_a_cell_compile_and_a_changed_cell_is_another_game(tools, tmp_path):
    """The second cell has the names of the first, and must not get its table or its compiled code."""
    cells = [RULES.format(line=line) for line in ("0b0011", "0b0111", "0b0011")]
    first, second, third = printed(tools, tmp_path / "rules.ipynb", cells)
    assert first == third
    assert first != second
    assert all(text.startswith("numba pairs: ") for text in (first, second))


@pytest.mark.nightly
def test_a_run_keeps_its_tables_where_it_is_told_to(tools, tmp_path):
    before, asks = os.environ["PERFECTPLAY_HOME"], "import os; print(os.environ['PERFECTPLAY_HOME'])"
    assert printed(tools, tmp_path / "home.ipynb", [asks], tmp_path / "home") == [f"{tmp_path / 'home'}\n"]
    assert os.environ["PERFECTPLAY_HOME"] == before
