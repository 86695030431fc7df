"""Boards of lines of any size: counts are kept, forced wins are wins, and players see what is in front of them."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import rings
from command_line import complaint
from perfectplay import LOSS, ONGOING, BadPlayer, load
from perfectplay.arena.referee import play_game
from perfectplay.bits import bit_numbers, run_masks, runs
from perfectplay.compiler.line_rules import lines_fault
from perfectplay.game import legal_moves
from perfectplay.players.line_games.line_players import Field
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.solvers.search.search_clock import NODES
from perfectplay.solvers.search.threat_engine import Engine, line_length, set_up


def boards(*quick, nightly=("lines:15,15,5", "lines:9,5,4", "lines:19,19,6")):
    """Parameters: boards of the quick ring, and larger ones of the nightly ring."""
    return pytest.mark.parametrize("name", [*quick, *rings.nightly(*nightly)])


def wandered(game, rng, plies):
    """The position after so many random moves near the middle, or the last before the game ends."""
    width, height = game.shape
    position = game.start
    for _ in range(plies):
        near = [
            move
            for move in legal_moves(game, position)
            if abs(move % width - width // 2) < 4 and abs(move // width - height // 2) < 4
        ]
        after = game.play(*position, rng.choice(near or legal_moves(game, position)))
        if game.outcome(*after) != ONGOING:
            break
        position = after
    return position


def engine_for(game):
    """An engine that answers in a second."""
    return Engine(game, Random(1))


@boards("lines:7,6,4", "lines:6,6,5,misere=true")
def test_counts_are_what_a_new_count_gives(name):
    game, rng = load(name), Random(1)
    field = Field(game, "test")
    board, masks = field.board, game.winning_lines()
    for _ in range(5):
        position = wandered(game, rng, 40)
        field.set_up(position)
        expected = np.array([[(word & mask).bit_count() for mask in masks] for word in position])
        assert (board.counts[:, : len(masks)] == expected).all()
        assert board.full == 0
        for side in (0, 1):
            assert board.totals[side] == board.weights[expected[side][expected[1 - side] == 0]].sum()


def fields_of(record):
    """All that a board knows, copied."""
    return {name: np.copy(record[name]).tolist() for name in record.dtype.names}


@boards("lines:7,6,4")
def test_a_mark_taken_off_leaves_no_trace(name):
    game, rng = load(name), Random(2)
    for player in (Field(game, "test"), engine_for(game)):
        board, loops = player.board, player.loops
        set_up(loops, board, wandered(game, rng, 12))
        before = fields_of(board)
        squares = rng.sample([square for square in range(board.area) if board.marks[square] == loops.EMPTY], 15)
        for number, square in enumerate(squares):
            loops.put(board, square, number % 2)
        for square in reversed(squares):
            loops.take(board, square)
        assert fields_of(board) == before


def kind_by_definition(game, own, blocked, square, directions):
    """What a mark on the square would do, from the lines alone; `directions` are the lines by direction."""
    own |= 1 << square
    fours, threes = 0, 0
    for lines in directions:
        here = [line for line in lines if line >> square & 1 and not line & blocked]
        if any(line & ~own == 0 for line in here):
            return 4
        lacking = len({line & ~own for line in here if (line & ~own).bit_count() == 1})
        fours += min(lacking, 2)
        if lacking == 0:
            free = {bit for line in here for bit in bit_numbers(line & ~own)}
            threes += any(
                len({line & ~(own | 1 << bit) for line in here if (line & ~(own | 1 << bit)).bit_count() == 1}) > 1
                for bit in free
            )
    return 3 if fours > 1 else 2 if fours else 1 if threes else 0


@boards("lines:7,6,4", "lines:6,9,3", nightly=("lines:15,15,5", "lines:19,19,6", "lines:11,9,7"))
def test_every_square_knows_what_a_mark_would_do(name):
    game, rng = load(name), Random(3)
    engine = engine_for(game)
    board, length = engine.board, line_length(game)
    directions = [run_masks([one], length) for one in runs(*game.shape, length)]
    seen = set()
    while len(seen) < 5 or rng.random() < 0.9:
        position = wandered(game, rng, rng.randrange(2, 40))
        set_up(engine.loops, board, position)
        for side in (0, 1):
            own, blocked = position[side], position[1 - side]
            expected = {
                square: kind_by_definition(game, own, blocked, square, directions)
                for square in legal_moves(game, position)
            }
            assert {square: board.kinds[side, square] for square in expected} == expected
            assert [*board.tally[side]] == [[*expected.values()].count(kind) for kind in range(5)]
            assert board.totals[side] == sum(board.worth[side, square] for square in expected)
            seen |= {*expected.values()}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"winning_lines": None}, "has no winning lines"),
        ({"winning_lines": lambda: (0b111, 0b111000)}, "a winning line is missing"),
        ({"winning_lines": lambda: ()}, "has no winning lines"),
        ({"winning_lines": lambda: (-7,)}, "a winning line is not on the board"),
        ({"winning_lines": lambda: (7 << 9,)}, "a winning line is not on the board"),
        ({"winning_lines": lambda: (0,)}, "a winning line is not on the board"),
        ({"winning_lines": lambda: (7, 1)}, "not of one length"),
        ({"winning_lines": lambda: (7, 11)}, "a full line does not end the game"),
        ({"winning_lines": lambda: ("7",)}, "not a list of whole numbers"),
        ({"winning_lines": lambda: 7}, "not a list of whole numbers"),
        ({"shape": (90, 90), "cells": ()}, "too big"),
        ({"moves": lambda mine, theirs: 0b1 & ~(mine | theirs) or 511 & ~(mine | theirs)}, "not every empty square"),
    ],
)
def test_games_that_are_not_line_games_are_refused(change, said):
    game = load("tic-tac-toe")
    assert lines_fault(game) == ""
    assert said in lines_fault(replace(game, **change))


def test_players_of_line_games_refuse_other_games(capsys):
    for player in ("routes:2", "ways:2", "squares", "threats"):
        said = complaint(capsys, f"battle kingpawns {player} random --games 1")
        assert f"{player} cannot play kingpawns: it has no winning lines; it plays boards such as lines:15,15,5" in said
    assert "the side that makes one loses" in complaint(capsys, "battle misere threats random --games 1")
    long = "9" * 5000
    bad = ["routes:0", "routes:x", "routes", "threats:0", "threats:x", "mcts:-1", "mcts:1e9", "easy:3", "level:٣"]
    for name in (*bad, f"routes:{long}", f"level:{long}", f"mcts:{long}"):
        assert repr(name) in complaint(capsys, f"battle tic-tac-toe {name} random --games 1")


def replies_to_fours(game, position):
    """The squares on which the side to move must stop a five; none if it can make a five itself."""
    mine, theirs = position
    if any(game.outcome(*game.play(*position, move)) == LOSS for move in legal_moves(game, position)):
        return []
    return [move for move in legal_moves(game, position) if game.outcome(*game.play(theirs, mine, move)) == LOSS]


def scattered(rng):
    """Sixteen marks of each side anywhere on a board of 13 by 13 within one of 15 by 15."""
    squares = rng.sample([y * 15 + x for y in range(1, 14) for x in range(1, 14)], 32)
    return sum(1 << square for square in squares[:16]), sum(1 << square for square in squares[16:])


def test_wins_by_many_fours_are_found_and_hold():
    """Played out by the rules alone: every move threatens a five, and the other side has one answer."""
    game, rng, plies = load("lines:15,15,5"), Random(7), []
    engine = engine_for(game)
    while sum(length >= 9 for length in plies) < 6:
        position = scattered(rng)
        if game.outcome(*position) != ONGOING or game.outcome(*position[::-1]) != ONGOING:
            continue
        set_up(engine.loops, engine.board, position)
        with engine.clock.running(None):
            if engine.search(0, engine.loops.FOURS, 20, 0, 1) < engine.loops.SURE:
                continue
        length = 0
        while True:
            position = game.play(*position, engine.choose(position, 60.0))
            length += 1
            if game.outcome(*position) == LOSS:
                break
            replies = replies_to_fours(game, position)
            assert replies
            position = game.play(*position, replies[0])
            length += 1
        plies.append(length)
    assert max(plies) >= 11


@pytest.mark.parametrize("player", ["threats:0.01", "routes:2", "easy", *rings.nightly("mcts:0.1")])
@boards("lines:6,6,4", nightly=("lines:15,15,5",))
def test_nobody_misses_a_win_in_one_or_a_forced_block(name, player):
    game, rng, seen = load(name), Random(4), [0, 0]
    choose = player_maker(player)(Seat(game, 0, Random(1), 1.0))
    while min(seen) < 12:
        position = wandered(game, rng, rng.randrange(10, 30))
        mine, theirs = position
        wins = {move for move in legal_moves(game, position) if game.outcome(*game.play(*position, move)) == LOSS}
        blocks = {move for move in legal_moves(game, position) if game.outcome(*game.play(theirs, mine, move)) == LOSS}
        if wins:
            seen[0] += 1
            assert choose(position) in wins
        elif len(blocks) == 1:
            seen[1] += 1
            assert choose(position) in blocks


def test_a_search_that_is_stopped_leaves_the_board_as_it_was():
    game = load("lines:15,15,5")
    for player in (Field(game, "test"), engine_for(game)):
        set_up(player.loops, player.board, wandered(game, Random(5), 10))
        before = fields_of(player.board)
        with player.clock.running(0.05):
            if isinstance(player, Engine):
                player.search(0, player.loops.EVERY, 30, -player.won, player.won)
            else:
                player.score_after(0, 30)
            assert player.clock.stopped
        after = fields_of(player.board)
        assert all(after[name] == before[name] for name in ("count", "marks", "totals"))


def test_a_search_looks_first_at_the_squares_near_the_marks():
    engine = engine_for(load("lines:15,15,5"))
    set_up(engine.loops, engine.board, (1 << 7 * 15 + 7, 1 << 8 * 15 + 8))
    with engine.clock.running(None):
        engine.search(0, engine.loops.EVERY, 4, -engine.won, engine.won)
        assert engine.clock.work[NODES] < 3000
    row, column = divmod(int(engine.stack[1][0, engine.loops.BEST_MOVE]), 15)
    assert max(abs(row - 7), abs(column - 7)) <= 2


def test_routes_counts_what_plain_minimax_counts():
    game = load("lines:4,4,3")
    field = Field(game, "test")
    masks = game.winning_lines()

    def value(mine, theirs, depth):
        """The score for the side to move, straight from the definition."""
        if game.outcome(mine, theirs) == LOSS:
            return -field.won
        if not legal_moves(game, (mine, theirs)):
            return 0
        if depth == 0:
            weights = field.board.weights
            ours = sum(int(weights[(mine & m).bit_count()]) for m in masks if not theirs & m)
            return ours - sum(int(weights[(theirs & m).bit_count()]) for m in masks if not mine & m)
        return max(-value(*game.play(mine, theirs, move), depth - 1) for move in bit_numbers(game.moves(mine, theirs)))

    rng = Random(6)
    for _ in range(20):
        position = wandered(game, rng, rng.randrange(2, 9))
        field.set_up(position)
        for move in legal_moves(game, position):
            found, right = field.score_after(move, 3), -value(*game.play(*position, move), 2)
            assert found == right or (abs(right) == field.won and abs(found) > field.won - 9)


@pytest.mark.parametrize(
    ("name", "strong", "weak"),
    [
        ("lines:9,9,4,misere=true", "level:9", "random"),
        *rings.nightly(
            ("lines:15,15,5", "threats:0.05", "level:6"),
            ("lines:15,15,5", "threats:0.05", "mcts:0.05"),
            ("lines:13,11,6", "threats:0.05", "random"),
            ("lines:15,15,5", "level:8", "level:3"),
            ("lines:15,15,5", "level:2", "level:1"),
            ("lines:15,15,5", "routes:2", "random"),
            ("lines:15,15,5", "mcts:0.05", "random"),
            ("connect-four", "mcts:0.05", "wins"),
        ),
    ],
)
def test_the_strong_beat_the_weak(name, strong, weak):
    game, wins = load(name), 0
    for number in range(6):
        sides = (strong, weak) if number % 2 == 0 else (weak, strong)
        players = [player_maker(name)(Seat(game, side, Random(number), 0.1)) for side, name in enumerate(sides)]
        wins += play_game(game, *players).winner == number % 2
    assert wins >= 5


@boards("lines:9,9,5", nightly=("lines:15,15,5", "lines:3,3,3", "lines:2,1,1", "lines:1,1,1", "lines:12,2,5"))
def test_without_time_there_is_a_legal_move_still(name):
    game, rng = load(name), Random(9)
    for player in ("threats:0.0001", "mcts:0.0001", "hard", "medium", "level:9", "level:10"):
        choose = player_maker(player)(Seat(game, 0, Random(1), 0.0001))
        for plies in (0, 1, 2, 7):
            position = wandered(game, rng, plies)
            assert choose(position) in legal_moves(game, position)


def round_game():
    """Three in a row on a board of 4 by 4 whose edges are joined."""
    game = load("lines:4,4,3")
    lines = [
        sum(1 << (y + i * dy) % 4 * 4 + (x + i * dx) % 4 for i in range(3))
        for y in range(4)
        for x in range(4)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]

    def outcome(mine, theirs):
        if any(theirs & line == line for line in lines):
            return LOSS
        return game.outcome(mine, theirs) and ONGOING

    return replace(
        game, name="round", outcome=outcome, winning_lines=lambda: lines, wins=None, safe=None, hopeless=None
    )


def test_line_games_of_any_kind_suit_the_players_that_count_lines():
    game = round_game()
    assert lines_fault(game) == ""
    position = (0b1001, 0b110 << 4)  # the corners of a line join around the edge: both gaps win
    assert player_maker("routes:1")(Seat(game, 0, Random(1)))(position) in (1, 2)
    with pytest.raises(BadPlayer, match="not all the straight lines"):
        player_maker("threats")(Seat(game, 0, Random(1)))
