"""Our rules beside those of OpenSpiel, written by others: the same legal moves, turns and results, move by move."""

import re
from functools import cache
from random import Random

import pyspiel
import pytest

import perfectplay
from perfectplay.game import after, legal_moves
from perfectplay.rules.notation import move_name
from perfectplay.words import ONGOING

NORTH = 1


def same_number(game, position, side, move, name):
    return move


def flipped(game, position, side, move, name):
    """a2xb3 -> a5b4 on a board of six ranks, counted from the other end: clobber."""
    height = game.shape[1]
    return "".join(f"{file}{height + 1 - int(rank)}" for file, rank in re.findall(r"([a-z])(\d+)", name))


def flipped_and_marked(game, position, side, move, name):
    """The same, and what takes something has a star: breakthrough."""
    return flipped(game, position, side, move, name) + "*" * name.count("x")


def plain(game, position, side, move, name):
    """a3-b4 -> a3b4: checkers."""
    return re.sub("[-x]", "", name)


def nth_in_row(game, position, side, move, name):
    """A hexagon as the same cell of the same row, whatever its column is called: havannah."""
    size, row = (game.shape[1] + 1) // 2, int(name[1:])
    first = max(0, size - row)
    column = ord(name[0]) - ord("a") - first + max(0, row - size)
    return f"{'abcdefghijklmno'[column]}{row}"


def from_below(game, position, side, move, name):
    """The same for a triangle that stands on its tip there: y."""
    size, row = game.shape[1], int(name[1:])
    column = ord(name[0]) - ord("a") - (size - row)
    return f"{'abcdefghijklmno'[column]}{size + 1 - row}"


def house(game, position, side, move, name):
    """House 1 is on the left, and players count their own from their left: oware."""
    return game.shape[0] - int(name) if side == NORTH else int(name) - 1


def pit(game, position, side, move, name):
    """Pits are counted around the board, behind the stores: kalah."""
    return 14 - int(name) if side == NORTH else int(name)


def taken(game, position, side, move, name):
    """c2 of a heap of five takes four: nim."""
    heap = [
        int(other[1:])
        for other in (move_name(game, position, side, legal) for legal in legal_moves(game, position))
        if other[0] == name[0]
    ]
    return f"pile:{ord(name[0]) - ord('a') + 1}, take:{max(heap) - int(name[1:]) + 1};"


def point(game, position, side, move, name):
    """Points are counted in reading order: morris."""
    numbers = [str(points(game).index(at)) for at in name.split("-")]
    return f"Move {' -> '.join(numbers)}" if len(numbers) == 2 else f"Point {numbers[0]}"


@cache
def points(game):
    return sorted(
        (move_name(game, game.start, 0, one) for one in legal_moves(game, game.start)), key=lambda at: at[::-1]
    )


def same_name(game, position, side, move, name):
    return name


PAIRS = [
    ("tic-tac-toe", "tic_tac_toe", same_number, 20),
    ("lines:5,4,4", "mnk(m=5,n=4,k=4)", same_number, 10),
    ("drop:5,4,3", "connect_four(rows=4,columns=5,x_in_row=3)", same_number, 20),
    ("breakthrough:4,6", "breakthrough(rows=6,columns=4)", flipped_and_marked, 20),
    ("clobber:6,5", "clobber(rows=5,columns=6)", flipped, 15),
    ("hex:5", "hex(num_cols=5,num_rows=5)", same_name, 20),
    ("havannah:4", "havannah(board_size=4)", nth_in_row, 30),
    ("y:6", "y(board_size=6)", from_below, 20),
    ("reversi:8,8", "othello", same_name, 10),
    ("oware:6,4", "oware", house, 10),
    ("kalah:6,4", "mancala", pit, 10),
    ("dots:3,2", "dots_and_boxes(num_rows=2,num_cols=3)", same_number, 20),
    ("nim:1,3,5,7", "nim(is_misere=False)", taken, 20),
    ("morris:9", "nine_mens_morris", point, 6),
    ("checkers:8,8,3", "checkers", plain, 10),
]
PASS = 64
"""Who cannot move in reversi passes there; here the other side just moves again."""
ENDED_SOONER = {
    "oware:6,4": lambda line, seen: seen[-1] in seen[:-1],
    "morris:9": lambda line, seen: len(line) >= 200,
    "checkers:8,8,3": lambda line, seen: len(line) >= 40 and not any("x" in name for name in line[-40:]),
}
"""There, games end that repeat a position, last 200 plies or take nothing for 40; here they are endless draws."""


@pytest.mark.parametrize(("ours", "theirs", "translated", "games"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_random_games_go_the_same_way_in_openspiel(ours, theirs, translated, games):
    game, other, rng = perfectplay.load(ours), pyspiel.load_game(theirs), Random(ours)
    finished = sum(goes_the_same_way(ours, game, other.new_initial_state(), translated, rng) for _ in range(games))
    assert 2 * finished > games


def goes_the_same_way(ours, game, state, translated, rng):
    """Plays a random game in both; returns whether it came to an end."""
    position, side, line, seen = game.start, 0, [], []
    while game.outcome(*position) == ONGOING:
        seen.append((position, side))
        skip_pass(ours, state)
        if ours in ENDED_SOONER and state.is_terminal():
            assert ENDED_SOONER[ours](line, seen), line
            return False
        player = state.current_player()
        names = {move: move_name(game, position, side, move) for move in legal_moves(game, position)}
        moves = {translated(game, position, side, move, name): move for move, name in names.items()}
        known = {action: state.action_to_string(player, action) for action in state.legal_actions()}
        by_number = all(isinstance(move, int) for move in moves)
        there = {action if by_number else text: action for action, text in known.items()}
        assert not state.is_terminal(), line
        assert player == side, line
        assert moves.keys() == there.keys(), line
        action = rng.choice(sorted(moves))
        line.append(names[moves[action]])
        state.apply_action(there[action])
        position, side = after(game, position, side, moves[action])
    skip_pass(ours, state)
    assert state.is_terminal(), line
    assert state.returns()[side] == game.outcome(*position), line
    return True


def skip_pass(ours, state):
    while ours == "reversi:8,8" and state.legal_actions() == [PASS]:
        state.apply_action(PASS)
