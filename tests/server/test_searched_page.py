"""The single-file page of a game without a table: what its search says is what the program's solvers say."""

import io
from pathlib import Path
from random import Random

import pytest

from perfectplay import explain, review
from perfectplay.exporters.page.page_export import MOST_BYTES, writing, writing_search
from perfectplay.exporters.page.page_search import NO_BOOK, packed_search, searching
from perfectplay.game import legal_moves
from perfectplay.loading import load_game
from perfectplay.notation import move_name, show_position
from perfectplay.pictures.board_squares import changes, winning_lines
from perfectplay.solvers.book import Options as BookOptions
from perfectplay.solvers.book import classes_by_ply, making_book
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.lookup_or_solve import best_moves, entries_of_moves
from perfectplay.solvers.searcher import searcher_for
from perfectplay.solvers.steps import finished
from perfectplay.table.opening_books import book_of, place_of_book
from perfectplay.words import ONGOING, BadGame, Entry

test_page = pytest.importorskip("test_page", reason="browser tests need playwright: make test installs it")
expect = test_page.expect

pytestmark = pytest.mark.skipif(test_page.CHROMIUM is None, reason="browser tests need chromium")

SMALL = "drop:4,3,3"
GAMES = (SMALL, "lines:3,3,3,true", "examples/tictactoe.py")

ANALYSED = """async ([game, position]) => {
  const found = [];
  do found.push(await api_js.ask("analysis", { game, position })); while (found.at(-1).more);
  return found;
}"""
"""All answers to a request for an analysis, until the search is done."""

NAMED = """
from perfectplay import LOSS, ONGOING, Game

def game():
    return Game(
        moves=lambda mine, theirs: 3 & ~(mine | theirs),
        play=lambda mine, theirs, move: (theirs, mine | 1 << move),
        outcome=lambda mine, theirs: LOSS if mine | theirs == 3 else ONGOING,
        bits=2,
        shape=(2, 1),
        move_names=lambda mine, theirs, move: "ab"[move],
    )
"""
"""A game whose moves are named by a function."""

BOOK = """async (positions) => {
  const { about, planes } = packed_js.unpacked(await packed_js.inflated(document.getElementById("graph").textContent));
  const machine = await machine_js.Machine.from(Uint8Array.from(planes.code), about);
  const book = new book_js.Book(machine, about.start.map(BigInt), about, planes.book, about.names[0].length);
  return positions.map((words) => book.find(words.map(BigInt)) ?? null);
}"""
"""What the book in a file says of positions."""


def page_of(folder, name):
    """The file of a game that is searched, and what is told about it."""
    path = folder / "page.html"
    with path.open("wb") as sink:
        return path, finished(writing_search(load_game(name), sink))


@pytest.fixture
def opened(browser, tmp_path):
    """Opens the page of a game; in the end nothing may have gone wrong and nothing may have been fetched."""
    pages, faults = [], []

    def opening(name, address=""):
        path, _ = page_of(tmp_path, name)
        page = browser.new_page()
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("request", lambda sent: None if sent.url.startswith(f"file://{path}") else faults.append(sent.url))
        page.goto(f"file://{path}{address}")
        expect(page.get_by_role("grid")).to_be_visible()
        pages.append(page)
        return page

    yield opening
    for page in pages:
        page.close()
    assert faults == []


def sampled(game, count, plies=None):
    """Positions of random games with the side to move, the ends among them."""
    rng, found = Random(7), {(game.start, 0)}
    while len(found) < count:
        position, side = game.start, 0
        for _ in range(rng.randrange(40) if plies is None else plies):
            legal = legal_moves(game, position)
            if not legal:
                break
            position, side = game.play(*position, rng.choice(legal)), 1 - side
        found.add((position, side))
    return sorted(found)


def told(game, position, side, entry, entries):
    """What the page should say of a position and of each move."""
    best = set(best_moves(entries)) if entries else set()
    moves = {
        move_name(game, position, side, move): [one.value, one.distance, move in best] for move, one in entries.items()
    }
    return [entry.value, entry.distance, moves]


def said(answer):
    """What the page says."""
    values = {"win": 1, "draw": 0, "loss": -1}
    moves = {one["move"]: [values[one["value"]], one["distance"], one["best"]] for one in answer["moves"]}
    return [values[answer["value"]], answer["distance"], moves]


@pytest.mark.parametrize("name", GAMES)
def test_every_value_is_what_the_table_says(opened, name):
    game = load_game(name)
    lookup = finished(solving(game, Options(engine="python"))).lookup
    page = opened(name)
    for position, side in sampled(game, 60):
        text = show_position(game, position, side)
        *_, last = page.evaluate(ANALYSED, [Path(name).name, text])
        assert last["exact"]
        assert said(last) == told(game, position, side, lookup(position), entries_of_moves(game, lookup, position)), (
            text
        )


def test_moves_come_best_first_and_nothing_is_taken_back(opened):
    game = load_game("drop:4,4,4")
    page = opened("drop:4,4,4")
    for position, side in sampled(game, 12, plies=5):
        answers = page.evaluate(ANALYSED, ["drop:4,4,4", show_position(game, position, side)])
        final = {one["move"]: one for one in answers[-1]["moves"]}
        for answer in answers:
            assert answer["value"] in (None, answers[-1]["value"])
            assert answer["distance"] in (None, answers[-1]["distance"])
            for one in answer["moves"]:
                assert one["distance"] in (None, final[one["move"]]["distance"])
                assert final[one["move"]]["best"] or not one["best"]
            best = [one["best"] for one in answer["moves"]]
            assert best == sorted(best, reverse=True)


def test_moves_and_boards_are_those_of_the_rules(opened):
    game = load_game(SMALL)
    page = opened(SMALL)
    ask = "([game, position]) => api_js.ask('line', { game, position })"
    for position, side in sampled(game, 60):
        here = page.evaluate(ask, [SMALL, show_position(game, position, side)])["here"]
        expected = {
            move_name(game, position, side, move): [change.to, [*change.left]]
            for move, change in changes(game, position, side).items()
        }
        assert {one["move"]: [one["to"], one["from"]] for one in here["moves"]} == expected
        assert sorted(map(sorted, here["rows"])) == sorted(map(sorted, winning_lines(game, position, side)))
        assert here["over"] == (game.outcome(*position) != ONGOING)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("X:X.../..../....", "after 1 ply it is O's turn"),
        ("O:X.../..../....", "no legal play leads there"),
        ("X:..../..../OX..", ""),
        ("X:..../..../OXQ.", "is not 3 rows of 4"),
        ("nonsense", "does not say who is to move"),
    ],
)
def test_positions_that_cannot_be(opened, position, why):
    page = opened(SMALL)
    ask = """([game, position]) => api_js.ask("line", { game, position }).then(() => "", (fault) => fault.message)"""
    found = page.evaluate(ask, [SMALL, position])
    assert why in found
    assert (why == "") == (found == "")


@pytest.mark.parametrize("player", ["perfect", "level:10", "level:5", "level:1", "blocks", "wins", "random"])
def test_players_play_to_the_end(opened, player):
    game = load_game(SMALL)
    lookup = finished(solving(game, Options(engine="python"))).lookup
    page = opened(SMALL)
    position, side = game.start, 0
    while legal_moves(game, position):
        asked = [SMALL, show_position(game, position, side), player]
        move = page.evaluate("([game, position, player]) => api_js.ask('reply', { game, position, player })", asked)[
            "move"
        ]
        found = {move_name(game, position, side, one): one for one in legal_moves(game, position)}[move]
        if player in ("perfect", "level:10"):
            assert found in best_moves(entries_of_moves(game, lookup, position))
        position, side = game.play(*position, found), 1 - side


def test_a_line_of_best_play_lasts_as_long_as_the_table_says(opened):
    game = load_game(SMALL)
    lookup = finished(solving(game, Options(engine="python"))).lookup
    page = opened(SMALL)
    for position, side in sampled(game, 10, plies=4):
        asked = [SMALL, show_position(game, position, side)]
        line = page.evaluate("([game, position]) => api_js.ask('best-line', { game, position })", asked)
        assert line["ends"]
        assert len(line["moves"]) == lookup(position).distance


def test_explanations_and_reviews_are_those_of_the_program(opened):
    page, game = opened(SMALL), load_game(SMALL)
    ask = "async ([task, values]) => await api_js.ask(task, values)"
    for position, side in sampled(game, 12):
        if not legal_moves(game, position):
            continue
        text = show_position(game, position, side)
        found, known = page.evaluate(ask, ["explain", {"game": SMALL, "position": text}]), explain(SMALL, position=text)
        assert (found["value"], found["distance"]) == (known.value, known.distance)
        assert {one["move"]: one["keeps"] for one in found["moves"]} == {one.move: one.keeps for one in known.moves}
        at_once = known.threats if known.threats and known.threats.plies == 1 else None
        assert (found["threats"] or {}).get("moves", []) == ([*at_once.moves] if at_once else [])
        assert (found["threats"] or {}).get("double", False) == (at_once is not None and at_once.double)
    made = ["1", "2", "1", "2", "3", "3"]
    found = page.evaluate(ask, ["review", {"game": SMALL, "moves": ",".join(made)}])
    known = [one.judgement for one in review(SMALL, made).plies]
    assert [one["judgement"] for one in found["plies"]] == known


def test_a_person_plays_with_hints(opened):
    page = opened("lines:3,3,3", "#hints=1&first=human&second=perfect")
    expect(page.get_by_role("list", name="Moves, best first").get_by_role("button")).to_have_count(9)
    page.get_by_role("list", name="Moves, best first").get_by_role("button").first.click()
    expect(page.locator("#history")).to_contain_text("a1")
    expect(page.get_by_role("list", name="Moves, best first").get_by_role("button")).to_have_count(7)


def read_back(page, game, book, count):
    """Compares the book in the file with the program's, on all positions up to its ply or a sample, and one ply on."""
    layers = finished(classes_by_ply(game, book.header.plies + 1))
    positions = [position for layer in layers for position in layer]
    if len(positions) > count:
        positions = Random(3).sample(positions, count)
    found = page.evaluate(BOOK, [[*map(str, position)] for position in positions])
    known = [book.find(position) for position in positions]
    assert found == [entry and {"value": entry.value, "distance": entry.distance} for entry in known]
    assert None in known
    assert any(known)


@pytest.mark.nightly
def test_the_book_is_read_back_exactly(opened):
    game = load_game("drop:4,4,4")
    book = finished(making_book(game, BookOptions(3, place_of_book(game), 1)))
    read_back(opened("drop:4,4,4"), game, book, count=2_000)


@pytest.mark.nightly
def test_a_book_too_long_for_the_file_is_cut():
    game = load_game("drop:4,4,4")
    finished(making_book(game, BookOptions(3, place_of_book(game), 1)))
    searched = finished(searching(game))
    assert [len(ply) for ply in searched.with_plies(2).book.plies] == [len(ply) for ply in searched.book.plies[:3]]
    assert searched.with_plies(-1).book == NO_BOOK._replace(again=searched.book.again)
    assert len(packed_search(searched.with_plies(1))) < len(packed_search(searched))


@pytest.mark.nightly
def test_connect_four_fits_into_a_phone(opened, tmp_path):
    game = load_game("connect-four")
    page = opened("connect-four")
    assert (tmp_path / "page.html").stat().st_size < MOST_BYTES == 1_500_000
    read_back(page, game, book_of(game), count=60_000)
    searcher = searcher_for(game)
    for plies in (1, 4, 7, 10, 14, 18, 24, 32):
        for position, side in sampled(game, 3, plies=plies)[1:]:
            text = show_position(game, position, side)
            known = searcher.analyse(position)
            entries = {move: Entry(one.value, one.distance) for move, one in known.moves.items()}
            *_, last = page.evaluate(ANALYSED, ["connect-four", text])
            expected = told(game, position, side, Entry(known.here.value, known.here.distance), entries)
            assert said(last) == expected, text


def test_a_page_with_a_search_is_refused_in_one_line_if_moves_have_no_list_of_names(tmp_path):
    path = tmp_path / "named.py"
    path.write_text(NAMED)
    with pytest.raises(BadGame, match="move_names are a Python function"):
        finished(writing_search(load_game(str(path)), io.BytesIO()))


def test_only_files_that_search_may_run_compiled_code(tmp_path):
    solved = io.BytesIO()
    finished(writing(load_game("tic-tac-toe"), solved))
    path, _ = page_of(tmp_path, SMALL)
    assert b"wasm-unsafe-eval" not in solved.getvalue()
    assert b"script-src 'unsafe-inline' 'wasm-unsafe-eval';" in path.read_bytes()
    assert b"connect-src" not in path.read_bytes()
