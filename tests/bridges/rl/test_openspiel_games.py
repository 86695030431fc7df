"""Games of OpenSpiel as games of ours."""

import sys
from random import Random

import pyspiel
import pytest

import perfectplay
from perfectplay.__main__ import main
from perfectplay.compiler.compilable import count_moves
from perfectplay.game import after, legal_moves
from perfectplay.rl import gymnasium, openspiel, pettingzoo
from perfectplay.rules import openspiel_games
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import draw_position, move_name, parse_move, parse_position, show_position
from perfectplay.server.allowed_names import allow
from perfectplay.views.board_picture import board_picture
from perfectplay.views.scoped_style import position_svg
from perfectplay.words import ONGOING, BadGame, BadPosition, MissingPackage, TooBig

FEW = ["tic_tac_toe", "chess", "oware"]
UNUSUAL = "go(handicap=2)", "dots_and_boxes(num_rows=2,num_cols=2)", "mancala"
"""The second player begins; sides move again; both."""


def suitable():
    kinds = pyspiel.GameType
    for one in pyspiel.registered_games():
        two = one.min_num_players <= 2 <= one.max_num_players and one.default_loadable
        plain = one.dynamics == kinds.Dynamics.SEQUENTIAL and one.utility == kinds.Utility.ZERO_SUM
        open_ = one.information == kinds.Information.PERFECT_INFORMATION and not one.short_name.startswith("python")
        if two and plain and open_ and one.chance_mode == kinds.ChanceMode.DETERMINISTIC:
            yield one.short_name


@pytest.mark.parametrize(
    "name", [*FEW, *UNUSUAL, *(pytest.param(name, marks=pytest.mark.nightly) for name in suitable())]
)
def test_a_random_game_goes_as_in_openspiel(name, capfd):
    other, game, rng = pyspiel.load_game(name), load_game(f"openspiel:{name}"), Random(name)
    state, position, side = other.new_initial_state(), game.start, 0
    first = state.current_player()
    assert count_moves(game) == other.num_distinct_actions()
    for _ in range(60):
        assert (game.outcome(*position) != ONGOING) == state.is_terminal()
        assert parse_position(game, show_position(game, position, side)) == (position, side)
        if state.is_terminal():
            break
        assert side == state.current_player() ^ first
        moves = legal_moves(game, position)
        assert moves == state.legal_actions()
        move = rng.choice(moves)
        assert parse_move(game, position, side, move_name(game, position, side, move)) == move
        state.apply_action(move)
        position, side = after(game, position, side, move)
    if state.is_terminal():
        gets = state.returns()[side ^ first]
        assert game.outcome(*position) == (gets > 0) - (gets < 0)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("nim(pile_sizes=1;2;2,is_misere=False)", "nim:1,2,2"),
        ("connect_four(rows=3,columns=3,x_in_row=3)", "drop:3,3,3"),
        ("dots_and_boxes(num_rows=1,num_cols=2,utility_margin=True)", "dots:2,1"),
        ("python_perfectplay(game=kalah:2;1,points=4)", "kalah:2,1"),
    ],
)
def test_small_games_are_solved_as_ours_are(theirs, ours):
    openspiel(ours)  # which registers the last of them
    game, own = load_game(f"openspiel:{theirs}"), perfectplay.load(ours)
    assert perfectplay.solve(game, engine="python").lookup(game.start) == perfectplay.solve(own).lookup(own.start)


def test_answers_do_not_depend_on_what_is_kept(monkeypatch):
    name = "openspiel:nim(pile_sizes=1;2)"
    whole = dict(perfectplay.solve(name, engine="python").entries())
    monkeypatch.setattr(openspiel_games, "KEPT", 2)
    assert dict(perfectplay.solve(load_game(name), engine="python").entries()) == whole
    assert main(["check", name]) == 0
    with pytest.raises(TooBig, match="openspiel:connect_four is too large to solve"):
        perfectplay.solve("openspiel:connect_four")


@pytest.mark.parametrize("player", ["minimax:2", "wins", "openspiel:mcts:10"])
def test_our_players_play_its_games(player):
    assert perfectplay.battle("openspiel:tic_tac_toe", player, "random", games=1, seed=1).forfeits == (0, 0)


def test_people_see_what_openspiel_writes(capsys):
    game = load_game("openspiel:tic_tac_toe")
    position, side = after(game, game.start, 0, 4)
    assert draw_position(game, position, side) == "...\n.x.\n..."
    assert show_position(game, position, side) == "S:4"
    picture = board_picture(game, position, side)
    assert ">.x.</text>" in picture
    assert "...\n.x.\n...</desc>" in picture
    assert ">.x.</text>" in position_svg(game, position, side)
    assert main(["analyse", "openspiel:connect_four", "x3", "--nodes", "10"]) == 0
    assert ".......\n...x...\n" in capsys.readouterr().out


def test_there_is_nothing_to_observe_and_the_page_cannot_show_it():
    for environment, options in ((pettingzoo, {}), (gymnasium, {"opponent": "random"})):
        with pytest.raises(BadGame, match="openspiel:hex has no planes"):
            environment("openspiel:hex", **options).reset()
    with pytest.raises(BadGame, match="the page cannot show openspiel:hex"):
        allow(["openspiel:hex"], [])


def test_names_that_would_be_alike_have_a_number():
    game = load_game("openspiel:chess")
    turn = game.start, 0
    for name in ("e4", "d5", "exd5", "c6", "dxc6", "Nf6", "cxb7", "e5"):
        turn = after(game, *turn, parse_move(game, *turn, name))
    names = [move_name(game, *turn, move) for move in legal_moves(game, turn[0])]
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("kuhn_poker", "not deterministic"),
        ("goofspiel", "not sequential"),
        ("chinese_checkers(players=3)", "has 3 players"),
        ("phantom_ttt", "no perfect information"),
        ("trade_comm", "not zero-sum|not deterministic"),
        ("conect_four", "did you mean openspiel:connect_four"),
        ("zzzzz", "registered_names"),
        ("connect_four(depth=3)", "Unknown parameter 'depth'.*it takes .*rows=6"),
        ("", "write one such as"),
        ("connect_four(", "write one such as"),
    ],
)
def test_games_of_other_kinds_are_refused(name, complaint, capfd):
    with pytest.raises(BadGame, match=complaint) as fault:
        load_game(f"openspiel:{name}")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("F:3,x", "'x' is not the number"), ("F:7", "no action 7"), ("F:3", "other side is to move"), ("3", "who is to")],
)
def test_bad_positions(text, complaint):
    game = load_game("openspiel:connect_four")
    with pytest.raises(BadPosition, match=complaint):
        parse_position(game, text)
    for word in (0, 0b1111, 0b1_000_111):  # no history
        with pytest.raises(BadPosition):
            game.moves(word, 0)


def test_openspiel_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingPackage, match="the game openspiel:hex needs"):
        load_game("openspiel:hex")
