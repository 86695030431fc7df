"""The single-file page of games with extra turns and points: it says what the solver and the server say."""

import io
from random import Random

import pytest

import perfectplay
from perfectplay.exporters.page.page_export import writing_search
from perfectplay.front.web import api_answers
from perfectplay.front.web.allowed_names import AllowedNames
from perfectplay.front.web.analysis_facts import exact_facts
from perfectplay.front.web.api_answers import RequestHandler
from perfectplay.game import after, legal_moves, turn_levels
from perfectplay.loading import load_game
from perfectplay.models.game_graph import graph_for
from perfectplay.models.level_policies import ladder
from perfectplay.models.policies import shallow
from perfectplay.notation import move_name, show_position
from perfectplay.players import policy_named
from perfectplay.solvers.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.solvers.steps import finished
from perfectplay.words import BadGame

test_single_page = pytest.importorskip(
    "test_single_page", reason="browser tests need playwright: make test installs it"
)
pages, visit = test_single_page.pages, test_single_page.visit
expect = test_single_page.expect
pytestmark = test_single_page.pytestmark

MORRIS = pytest.param("morris:3,2", marks=pytest.mark.nightly)
GAMES = ["dots:2,1", "dots:2,2", "kalah:2,2", "kalah:3,2", MORRIS]

ASK = "(all) => Promise.all(all.map(([task, values]) => api_js.ask(task, values)))"


def some(name, most):
    """The solved game and its positions, or as many as are wanted, each with a side that can be to move there."""
    game = load_game(name)
    perfectplay.solve(game, keep=True)
    positions = [turn for level in turn_levels(game) for turn in level]
    return game, positions if len(positions) <= most else Random(1).sample(positions, most)


@pytest.mark.parametrize("name", GAMES)
def test_every_position_has_the_points_that_the_solver_says(visit, name):
    game, positions = some(name, 6_000)
    lookup = lookup_for(game)
    wanted = [["analysis", {"game": name, "position": show_position(game, *here)}] for here in positions]
    for (position, side), found in zip(positions, visit(name).page.evaluate(ASK, wanted), strict=True):
        facts = exact_facts(game, position, side, lookup(position), entries_of_moves(game, lookup, position))
        assert found == {"game": name, **facts, "verdict": "", "source": "table"}
        assert ("margin" in found) == (game.margin is not None)


@pytest.mark.parametrize("name", GAMES)
def test_lines_are_what_the_server_says(visit, name):
    game, positions = some(name, 300)
    lookup, dice = lookup_for(game), Random(2)
    handler = RequestHandler(AllowedNames(), lambda game: lookup, at_once=False)
    wanted = []
    for position, side in positions:
        names, turn = [], (position, side)
        while legal_moves(game, turn[0]) and len(names) < 8:
            move = dice.choice(legal_moves(game, turn[0]))
            names.append(move_name(game, *turn, move))
            turn = after(game, *turn, move)
        text = show_position(game, position, side)
        wanted += [["line", {"game": name, "position": text, "moves": ",".join(names)}]]
        wanted += [["best-line", {"game": name, "position": text}]]
    answers = {"line": api_answers.line, "best-line": api_answers.best_line}
    for (task, values), found in zip(wanted, visit(name).page.evaluate(ASK, wanted), strict=True):
        assert found == answers[task](handler, values)


@pytest.mark.parametrize("name", GAMES)
def test_players_choose_among_the_same_moves(visit, name):
    game, positions = some(name, 700)
    positions = [here for here in positions if legal_moves(game, here[0])]
    graph = graph_for(game)
    names = ["perfect", "streetwise", "blocks", "wins", "random"]
    weighs = [policy_named(one, game).probabilities for one in names]
    weighs += [shallow(level.sight) for level in ladder(graph)[1:]]
    chosen = [weigh(graph, False) > 0 for weigh in weighs]
    names += [f"level:{number}" for number in range(2, 11)]
    found = visit(name).page.evaluate(
        test_single_page.CHOICES, [[show_position(game, *here) for here in positions], names]
    )
    for (position, side), choices in zip(positions, found, strict=True):
        edges = graph.edges(graph.number(position))
        moves = [move_name(game, position, side, move) for move in legal_moves(game, position)]
        if graph.position(graph.number(position)) != position:
            continue  # an image, whose edges stand in another order
        for probabilities, moved in zip(chosen, choices, strict=True):
            assert moved == sorted(move for move, may in zip(moves, probabilities[edges].tolist(), strict=True) if may)


def test_a_player_moves_until_it_is_the_persons_turn(visit):
    page = visit("dots:2,1", "#second=perfect&moves=b1,d3,e2,a2").page
    page.locator('[aria-label^="b3,"]').click()
    expect(page.locator("#turn")).to_have_text("O wins by 2")
    expect(page.locator("#ending h2")).to_have_text("Perfect won by 2, after 7 moves.")
    expect(page.locator("#history .played li").last).to_have_text("6. O c2✓, best movethen d1✓, best move")


@pytest.mark.parametrize("name", ["kalah:3,2", "dots:2,2", "morris:6"])
def test_a_page_that_searches_refuses_in_one_line(name):
    with pytest.raises(BadGame, match=f"^{name} has extra turns, which only a page with its solution"):
        finished(writing_search(load_game(name), io.BytesIO()))
