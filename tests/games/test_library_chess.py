"""Chess endings: every position of a small board against brute force, and the published numbers of the large one."""

from collections import Counter
from random import Random

import pytest

import perfectplay
import plain_chess
from perfectplay.game import legal_moves, levels
from perfectplay.rules.families import load_family
from perfectplay.rules.notation import move_name, read_position
from perfectplay.words import DRAW, LOSS, WIN

ENDINGS = {"krk": "R", "kqk": "Q", "kbnk": "BN", "kpk": "P"}
KINDS = {"krk": ("R",), "kqk": ("Q",), "kbnk": ("B", "N"), "kpk": ("PRQ",)}


def plain(name, size, position):
    """The position as brute force writes it."""

    def square(at):
        return at % 8, size - 1 - at // 8

    mine, theirs = position
    white, black = (theirs, mine) if theirs > mine | 63 else (mine, theirs)
    pieces = [("K", square(white & 63))]
    for i, letters in enumerate(KINDS[name]):
        piece = white >> 6 + 8 * i & 255
        if piece >> 6:
            pieces.append((letters[(piece >> 6) - 1], square(piece & 63)))
    return tuple(pieces), square(black & 63), mine > 63


SMALL_BOARDS = [("krk", 3), ("kqk", 3), ("kpk", 3)]
SMALL_BOARDS += [pytest.param(*row, marks=pytest.mark.nightly) for row in (("kbnk", 3), ("krk", 4), ("kqk", 4))]


@pytest.mark.parametrize(("name", "size"), SMALL_BOARDS)
def test_every_position_of_a_small_board(name, size):
    """The game starts where the win takes longest."""
    game = perfectplay.load(f"{name}:{size}")
    table, known = perfectplay.solve(game), plain_chess.solved(size, ENDINGS[name])
    for position in {position for level in levels(game) for position in level}:
        entry, meant = table.lookup(position), plain(name, size, position)
        value, distance = known.get(meant, (DRAW, None))
        assert entry.value == value
        assert entry.distance == distance or value == DRAW
        if meant in known:
            after = [plain(name, size, game.play(*position, move)) for move in legal_moves(game, position)]
            assert sorted(map(ended, after)) == sorted(map(ended, plain_chess.children(size, meant)))
    white, _, _ = plain(name, size, game.start)
    kinds = [letter for letter, _ in white]
    won = [
        distance
        for (white, _, turn), (value, distance) in known.items()
        if turn and value == WIN and [letter for letter, _ in white] == kinds
    ]
    assert known[plain(name, size, game.start)] == (WIN, max(won))


def ended(state):
    """The position; without a piece of White's, whoever is to move."""
    white, black, turn = state
    return white, black, turn and len(white) > 1


@pytest.mark.parametrize("name", ENDINGS)
def test_moves_on_the_large_board(name):
    game, dice = perfectplay.load(name), Random(1)
    for _ in range(8):
        position = game.start
        for _ in range(20):
            moves = legal_moves(game, position)
            if not moves:
                break
            after = [plain(name, 8, game.play(*position, move)) for move in moves]
            wanted = plain_chess.children(8, plain(name, 8, position))
            assert {(white, black) for white, black, _ in after} == {(white, black) for white, black, _ in wanted}
            position = game.play(*position, dice.choice(moves))


def test_a_rook_where_a_queen_would_be_stalemate():
    game = perfectplay.load("kpk")
    rows = "/".join(["........", "k.P.....", "..K.....", *["........"] * 5])
    position, side = read_position(game, f"W:{rows}")
    names = {move_name(game, position, side, move): game.play(*position, move) for move in legal_moves(game, position)}
    assert {"c8=Q", "c8=R"} <= {*names}
    assert game.outcome(*names["c8=Q"]) == DRAW
    assert [move_name(game, names["c8=R"], 1, move) for move in legal_moves(game, names["c8=R"])] == ["Ka6"]


def test_the_double_step():
    steps = {size: [move for move in names(f"kpk:{size}") if not move.startswith("K")] for size in range(4, 9)}
    assert "not on boards of 3 × 3 and 4 × 4" in load_family("kpk").RULES
    assert steps == {4: ["c3"], 5: ["c3", "c4"], 6: ["e3", "e4"], 7: ["f3", "f4"], 8: ["g3", "g4"]}


def names(game_name):
    """The names of the first moves."""
    game = perfectplay.load(game_name)
    return [move_name(game, game.start, 0, move) for move in legal_moves(game, game.start)]


LONGEST = {"krk": (31, 121, 390), "kqk": (19, 1, 8), "kbnk": (65, 138, None), "kpk": (55, 3, 2)}
"""The longest win in plies, and in how many classes of positions it takes White to move, or Black, so long: statistics
of E. Nalimov's tables by P. Karrer and by G. Haworth."""


@pytest.mark.nightly
@pytest.mark.parametrize("name", ENDINGS)
def test_the_longest_wins_as_published(name):
    table = perfectplay.solve(name)
    entries = Counter(entry for _, entry in table.entries())
    longest, to_move, to_wait = LONGEST[name]
    assert max(entry.distance for entry in entries if entry.value != DRAW) == longest + 1
    assert entries[WIN, longest] == to_move
    assert to_wait is None or entries[LOSS, longest + 1] == to_wait


BLACK_TO_MOVE = (27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390)
"""Positions with Black to move by the moves to mate, of 28,056; 2,796 are drawn: M. Bain, A. van Hoff, *Chess
(King-Rook vs. King)*, 1994."""


@pytest.mark.nightly
def test_king_and_rook_as_published():
    table = perfectplay.solve("krk")
    game, counts = table.game, Counter()
    for white in (at for at in range(64) if at % 8 < 4 and at // 8 <= at % 8):
        for rook in range(64):
            for black in range(64):
                position = black, white | rook << 6 | 1 << 12
                apart = max(abs(black % 8 - white % 8), abs(black // 8 - white // 8)) > 1
                if apart and rook not in (white, black) and table.smallest(*position) not in counts:
                    counts[table.smallest(*position)] = 1
    found = Counter()
    for position in counts:
        moves = legal_moves(game, position)  # six positions cannot arise in play, so the table does not have them
        entries = [table.lookup(game.play(*position, move)).before() for move in moves]
        value, distance = max(entries, key=lambda one: one.preference(), default=(game.outcome(*position), 0))
        found[distance // 2 if value == LOSS else None] += 1
    assert found == {None: 2796} | dict(enumerate(BLACK_TO_MOVE))
