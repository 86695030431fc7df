"""The notebooks of the documentation run, and what is stored in them is what they print."""

import copy
import os
import re

import nbformat
import pytest
from execute_notebooks import NOTEBOOKS, ROOT, faults, joined, run, texts, written
from nbformat.v4 import new_code_cell, new_notebook, new_output
from notebook_pages import FOLDER, NotebookPage

BYTES = 300_000
"""The most bytes of a notebook."""
IDS = [path.stem for path in NOTEBOOKS]


@pytest.fixture(params=NOTEBOOKS, ids=IDS)
def path(request):
    """Each of the notebooks."""
    return request.param


@pytest.fixture
def stored(path):
    """The notebook as it is in the repository."""
    return nbformat.read(path, as_version=4)


def test_there_are_four_notebooks_and_the_site_has_them():
    assert len(NOTEBOOKS) == 4
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name in IDS:
        assert f"({name}.ipynb)" in index
        assert f": notebooks/{name}.md" in nav


def test_a_notebook_prints_what_is_stored_in_it(path, stored, tmp_path):
    found = run(path, tmp_path)
    assert faults(found) == []
    assert texts(found) == texts(stored), "run `make notebooks`"


def test_what_is_stored_is_whole_small_and_of_no_machine(path, stored):
    assert path.stat().st_size < BYTES
    assert faults(stored) == []
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert stored.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in code:
        pictures = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        assert len(pictures) <= 1
        assert bool(pictures) <= bool(cell.metadata.get("alt")), "a picture needs words: the cell's metadata `alt`"


def test_it_says_first_what_to_install_and_links_to_pages_that_are_there(path, stored):
    first = stored.cells[0].source
    assert first.startswith("# ")
    assert "pip install 'perfectplay[notebook,rl]'" in first
    for cell in stored.cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", cell.source):
                assert (path.parent / target).exists(), target


def test_the_page_has_every_cell_and_output(path, stored):
    page = NotebookPage(path)
    outputs = [output for cell in stored.cells if cell.cell_type == "code" for output in cell.outputs]
    assert page.markdown.count('<div class="output"') == len(outputs)
    assert all(cell.source in page.markdown for cell in stored.cells)
    assert len(page.pictures) == sum("image/png" in output.get("data", {}) for output in outputs)


def cell_with(*outputs):
    return new_notebook(cells=[new_code_cell("1", outputs=[*outputs])])


def test_a_difference_is_noticed_but_not_in_pictures_and_styles():
    def shown(html, picture):
        return cell_with(new_output("execute_result", {"text/plain": "a", "text/html": html, "image/png": picture}))

    same = [shown("<style>b {}</style><b>7  won</b>", "AAAA"), shown("<style>i {}</style><i>7 won</i>", "BBBB")]
    assert texts(same[0]) == texts(same[1])
    assert texts(same[0]) != texts(shown("<b>8 won</b>", "AAAA"))
    timed = cell_with(new_output("stream", name="stdout", text="7 games, 1.5 ms"))
    old = nbformat.writes(timed) + "\n"
    timed.cells[0].outputs[0].text = "7 games, 12 s"
    assert written(timed, old) == old
    timed.cells[0].outputs[0].text = "8 games, 1.5 ms"
    assert written(timed, old) != old


@pytest.mark.parametrize(
    "output",
    [
        new_output("error", ename="ValueError", evalue="no", traceback=[]),
        new_output("stream", name="stderr", text="DeprecationWarning"),
        new_output("stream", name="stdout", text="wrote /home/me/table"),
        new_output("stream", name="stdout", text=f"wrote {ROOT}/table"),
        new_output("execute_result", {"text/plain": "<function f at 0x7f00aa>"}),
    ],
)
def test_outputs_that_no_reader_should_see_are_faults(output):
    assert len(faults(cell_with(output))) == 1
    assert faults(cell_with(new_output("stream", name="stdout", text="fine"))) == []


def test_text_printed_in_pieces_is_one_output():
    pieces = [new_output("stream", name="stdout", text=text) for text in ("a\n", "b\n")]
    whole = joined(copy.deepcopy(pieces))
    assert [output.text for output in whole] == ["a\nb\n"]
    apart = [pieces[0], new_output("execute_result", {"text/plain": "1"}), pieces[1]]
    assert len(joined(copy.deepcopy(apart))) == 3


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


@pytest.mark.nightly
def test_rules_in_a_cell_compile_and_a_changed_cell_is_another_game(tmp_path):
    """The second cell has the names of the first, and must not get its table or its compiled code."""
    cells = [RULES.format(line=line) for line in ("0b0011", "0b0111", "0b0011")]
    notebook = new_notebook(cells=[*map(new_code_cell, cells)])
    nbformat.write(notebook, tmp_path / "rules.ipynb")
    first, second, third = texts(run(tmp_path / "rules.ipynb", tmp_path))
    assert first == third
    assert first != second
    assert all(text.startswith("numba pairs: ") for text in (first, second))


def test_a_run_keeps_its_tables_where_it_is_told_to(tmp_path):
    before = os.environ["PERFECTPLAY_HOME"]
    asks = new_code_cell("import os; print(os.environ['PERFECTPLAY_HOME'])")
    nbformat.write(new_notebook(cells=[asks]), tmp_path / "home.ipynb")
    assert texts(run(tmp_path / "home.ipynb", tmp_path, tmp_path / "home")) == [f"{tmp_path / 'home'}\n"]
    assert os.environ["PERFECTPLAY_HOME"] == before
