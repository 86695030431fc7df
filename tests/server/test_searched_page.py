"""The single-file page of a game without a table: what its search says is what the program's solvers say."""

import io
from pathlib import Path
from random import Random

import pytest

from page_scripts import answers_of, needs_node, run_in_page
from perfectplay import explain, review
from perfectplay.exports.page.page_export import MOST_BYTES, writing, writing_search
from perfectplay.exports.page.page_search import NO_BOOK, packed_search, searching
from perfectplay.game import best_moves, entries_of_moves, legal_moves
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import move_name, show_position
from perfectplay.server.allowed_names import AllowedNames
from perfectplay.server.api_answers import RequestHandler
from perfectplay.server.api_tasks import TASKS
from perfectplay.server.parameters import read
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.oracle import TableOracle
from perfectplay.solvers.search.book import Options as BookOptions, classes_by_ply, making_book
from perfectplay.solvers.search.searcher import searcher_for
from perfectplay.solvers.steps import finished
from perfectplay.solvers.table.table_folder import book_of, place_of_book
from perfectplay.views.board_squares import changes, winning_lines
from perfectplay.words import ONGOING, BadGame, Entry

SMALL = "drop:4,3,3"
nightly = pytest.mark.nightly

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

STEPS = """
const found = [];
for (const position of all[1]) {
  const answers = [];
  do answers.push(await api_js.ask("analysis", { game: all[0], position })); while (answers.at(-1).more);
  found.push(answers);
}
return found;
"""
"""All answers to requests for analyses, until each search is done."""

BOOK = """
const { about, planes } = packed_js.unpacked(await packed_js.inflated(document.getElementById("graph").textContent));
const machine = await machine_js.Machine.from(Uint8Array.from(planes.code), about);
const book = new book_js.Book(machine, about.start.map(BigInt), about, planes.book, about.names[0].length);
return all.map((words) => book.find(words.map(BigInt)) ?? null);
"""
"""What the book in a file says of positions."""


def page_of(name):
    sink = io.BytesIO()
    finished(writing_search(load_game(name), sink))
    return sink.getvalue()


@pytest.fixture(scope="module")
def small(home):
    """A game, its page, and its solution."""
    game = load_game(SMALL)
    return game, page_of(SMALL), finished(solving(game, Options(engine="python"))).lookup


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
    names = {move: move_name(game, position, side, move) for move in entries}
    return [entry.value, entry.distance, {names[m]: [one.value, one.distance, m in best] for m, one in entries.items()}]


def said(answer):
    """What the page says."""
    values = {"win": 1, "draw": 0, "loss": -1}
    moves = {one["move"]: [values[one["value"]], one["distance"], one["best"]] for one in answer["moves"]}
    return [values[answer["value"]], answer["distance"], moves]


def analyses(page, name, game, turns):
    return answers_of(page, [["analysis", {"game": name, "position": show_position(game, *turn)}] for turn in turns])


@needs_node
@pytest.mark.parametrize(
    "name", [SMALL, *(pytest.param(name, marks=nightly) for name in ("lines:3,3,3,true", "examples/tictactoe.py"))]
)
def test_every_value_is_what_the_table_says(name):
    game = load_game(name)
    lookup, turns = finished(solving(game, Options(engine="python"))).lookup, sampled(game, 60)
    for turn, last in zip(turns, analyses(page_of(name), Path(name).name, game, turns), strict=True):
        assert last["exact"]
        assert said(last) == told(game, *turn, lookup(turn[0]), entries_of_moves(game, lookup, turn[0]))


@needs_node
def test_moves_come_best_first_and_nothing_is_taken_back():
    game = load_game("drop:4,4,4")
    wanted = [show_position(game, *turn) for turn in sampled(game, 8, plies=4)[1:]]
    for answers in run_in_page(page_of(game.name), STEPS, [game.name, wanted]):
        final = {one["move"]: one for one in answers[-1]["moves"]}
        for answer in answers:
            assert answer["value"] in (None, answers[-1]["value"])
            assert answer["distance"] in (None, answers[-1]["distance"])
            for one in answer["moves"]:
                assert one["distance"] in (None, final[one["move"]]["distance"])
                assert final[one["move"]]["best"] or not one["best"]
            best = [one["best"] for one in answer["moves"]]
            assert best == sorted(best, reverse=True)


@needs_node
def test_moves_and_boards_are_those_of_the_rules(small):
    game, page, _ = small
    turns = sampled(game, 60)
    wanted = [["line", {"game": SMALL, "position": show_position(game, *turn)}] for turn in turns]
    for turn, found in zip(turns, answers_of(page, wanted), strict=True):
        here = found["here"]
        expected = {
            move_name(game, *turn, move): [change.to, [*change.left]] for move, change in changes(game, *turn).items()
        }
        assert {one["move"]: [one["to"], one["from"]] for one in here["moves"]} == expected
        assert sorted(map(sorted, here["rows"])) == sorted(map(sorted, winning_lines(game, *turn)))
        assert here["over"] == (game.outcome(*turn[0]) != ONGOING)


@needs_node
def test_positions_that_cannot_be(small):
    wrong = {
        "X:X.../..../....": "after 1 ply it is O's turn",
        "O:X.../..../....": "no legal play leads there",
        "X:..../..../OXQ.": "is not 3 rows of 4",
        "nonsense": "does not say who is to move",
    }
    found = answers_of(small[1], [["line", {"game": SMALL, "position": text}] for text in [*wrong, "X:..../..../OX.."]])
    assert [why in text for why, text in zip(wrong.values(), found[:-1], strict=True)] == [True] * len(wrong)
    assert found[-1]["here"]["moves"]


PLAYERS = """
const found = [];
for (const player of all.players) {
  const moves = [];
  for (let here = await api_js.ask("line", { game: all.game }); !here.here.over; ) {
    const position = here.plies.at(-1).position;
    moves.push((await api_js.ask("reply", { game: all.game, position, player })).move);
    here = await api_js.ask("line", { game: all.game, moves: moves.join() });
  }
  found.push(moves);
}
return found;
"""


@needs_node
def test_players_play_to_the_end_and_the_perfect_ones_well(small):
    game, page, lookup = small
    players = ["perfect", "level:10", "level:5", "level:1", "blocks", "wins", "random"]
    for player, moves in zip(players, run_in_page(page, PLAYERS, {"game": SMALL, "players": players}), strict=True):
        position, side = game.start, 0
        for name in moves:
            move = {move_name(game, position, side, one): one for one in legal_moves(game, position)}[name]
            if player in ("perfect", "level:10"):
                assert move in best_moves(entries_of_moves(game, lookup, position))
            position, side = game.play(*position, move), 1 - side
        assert game.outcome(*position) != ONGOING


@needs_node
def test_a_line_of_best_play_lasts_as_long_as_the_table_says(small):
    game, page, lookup = small
    turns = sampled(game, 10, plies=4)
    wanted = [["best-line", {"game": SMALL, "position": show_position(game, *turn)}] for turn in turns]
    for (position, _), line in zip(turns, answers_of(page, wanted), strict=True):
        assert line["ends"]
        assert len(line["moves"]) == lookup(position).distance


@needs_node
def test_explanations_and_reviews_are_those_of_the_program(small):
    game, page, _ = small
    texts = [show_position(game, *turn) for turn in sampled(game, 12) if legal_moves(game, turn[0])]
    made = ["1", "2", "1", "2", "3", "3"]
    wanted = [["explain", {"game": SMALL, "position": text}] for text in texts]
    *explained, judged = answers_of(page, [*wanted, ["review", {"game": SMALL, "moves": ",".join(made)}]])
    for text, found in zip(texts, explained, strict=True):
        known = explain(SMALL, position=text)
        assert (found["value"], found["distance"]) == (known.value, known.distance)
        assert {one["move"]: one["keeps"] for one in found["moves"]} == {one.move: one.keeps for one in known.moves}
        at_once = known.threats if known.threats and known.threats.plies == 1 else None
        assert (found["threats"] or {}).get("moves", []) == ([*at_once.moves] if at_once else [])
        assert (found["threats"] or {}).get("double", False) == (at_once is not None and at_once.double)
    assert [one["judgement"] for one in judged["plies"]] == [one.judgement for one in review(SMALL, made).plies]


@needs_node
@pytest.mark.parametrize("name", [SMALL, pytest.param("lines:3,3,3,true", marks=nightly)])
def test_the_same_searches_are_taught_but_those_of_a_table(name, small):
    handler = RequestHandler(AllowedNames(), lambda game: TableOracle(game, small[2]))
    wanted = [["classroom", {"game": name}], ["classroom", {"game": name, "depth": "2"}]]
    page = small[1] if name == SMALL else page_of(name)
    for (task, values), found in zip(wanted, answers_of(page, wanted), strict=True):
        known = TASKS[task].answer(handler, read(task, TASKS[task].wanted, values))
        known["algorithms"] = [one for one in known["algorithms"] if one["name"] != "table"]
        assert found == known


def read_back(page, game, book, count):
    """Compares the book in the file with the program's, on all positions up to its ply or a sample, and one ply on."""
    layers = finished(classes_by_ply(game, book.header.plies + 1))
    positions = [position for layer in layers for position in layer]
    if len(positions) > count:
        positions = Random(3).sample(positions, count)
    found = run_in_page(page, BOOK, [[*map(str, position)] for position in positions])
    known = [book.find(position) for position in positions]
    assert found == [entry and {"value": entry.value, "distance": entry.distance} for entry in known]
    assert None in known
    assert any(known)


@needs_node
@nightly
def test_a_book_is_read_back_exactly_and_cut_if_it_is_too_long_for_the_file():
    game = load_game("drop:4,4,4")
    book = finished(making_book(game, BookOptions(3, place_of_book(game), 1)))
    read_back(page_of("drop:4,4,4"), game, book, count=2_000)
    searched = finished(searching(game))
    assert [len(ply) for ply in searched.with_plies(2).book.plies] == [len(ply) for ply in searched.book.plies[:3]]
    assert searched.with_plies(-1).book == NO_BOOK._replace(again=searched.book.again)
    assert len(packed_search(searched.with_plies(1))) < len(packed_search(searched))


@needs_node
@nightly
def test_connect_four_fits_into_a_phone():
    game, page = load_game("connect-four"), page_of("connect-four")
    assert len(page) < MOST_BYTES == 1_500_000
    read_back(page, game, book_of(game), count=60_000)
    searcher = searcher_for(game)
    turns = [turn for plies in (1, 4, 7, 10, 14, 18, 24, 32) for turn in sampled(game, 3, plies=plies)[1:]]
    for turn, last in zip(turns, analyses(page, "connect-four", game, turns), strict=True):
        known = searcher.analyse(turn[0])
        entries = {move: Entry(one.value, one.distance) for move, one in known.moves.items()}
        assert said(last) == told(game, *turn, Entry(known.here.value, known.here.distance), entries)


def test_a_page_with_a_search_is_refused_in_one_line_if_moves_have_no_list_of_names(tmp_path):
    path = tmp_path / "named.py"
    path.write_text(NAMED)
    with pytest.raises(BadGame, match="move_names are a Python function"):
        finished(writing_search(load_game(str(path)), io.BytesIO()))


def test_only_files_that_search_may_run_compiled_code(small):
    solved = io.BytesIO()
    finished(writing(load_game("examples/hexapawn.py"), solved))
    assert b"wasm-unsafe-eval" not in solved.getvalue()
    assert b"script-src 'unsafe-inline' 'wasm-unsafe-eval';" in small[1]
    assert b"connect-src" not in small[1]
