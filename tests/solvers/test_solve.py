"""The solvers agree with minimax, with each other, and with published results."""

import dataclasses

import pytest

import perfectplay
from perfectplay import DRAW, LOSS, ONGOING, WIN, BadGame, Entry, Game, Images, TooBig, load
from perfectplay.game import best_moves, entries_of_moves, legal_moves, levels
from perfectplay.players.named.minimax_player import minimax
from perfectplay.rules.notation import move_name
from perfectplay.solvers.complete import solving
from perfectplay.solvers.engine import Options
from perfectplay.solvers.memory.interpreted import is_larger, solved_if_small, solved_positions
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import finished
from perfectplay.words import NotCompiled
from rings import nightly


def same_tables(game):
    """The table of the game, from both engines."""
    plain, compiled = perfectplay.solve(game, "python"), perfectplay.solve(game, "numba")
    assert bytes(plain.reader.data) == bytes(compiled.reader.data)
    assert (plain.engine, compiled.engine) == ("python", "numba")
    return compiled


@pytest.mark.parametrize("name", ["lines:3,2,3", "lines:3,2,2,misere=true", "drop:3,3,3", "examples/hexapawn.py"])
def test_the_python_engine_agrees_with_minimax_everywhere(name):
    game = load(name)
    assert all(entry == minimax(game, position) for position, entry in solved_positions(game).items())


@pytest.mark.parametrize(
    ("name", "start", "positions", "classes", "longest"),
    [
        ("tic-tac-toe", Entry(DRAW, 9), 5_478, 765, 9),
        ("kingpawns:1", Entry(WIN, 3), 1_215, 1_215, 6),
        ("drop:4,3,3", Entry(WIN, 9), 7_157, 3_587, 10),
        *nightly(
            ("examples/hexapawn.py", Entry(LOSS, 6), 131, 69, 6),
            ("kingpawns", Entry(WIN, 5), 11_851, 11_509, 11),
            ("misere", Entry(DRAW, 9), 5_478, 765, 9),
            ("tactic-toe", Entry(WIN, 13), 73_450, 9_190, 17),
            ("kingpawns:pawns=3", Entry(WIN, 5), 39_296, 31_107, 11),
            ("kingpawns:pawns=1,promotion=true", Entry(DRAW, 6), 20_185, 12_989, 17),
        ),
    ],
)
def test_both_engines_make_the_same_table(name, start, positions, classes, longest):
    game = load(name)
    table = same_tables(game)
    header = table.header
    assert table.lookup(game.start) == Entry(header.value, header.distance) == start
    assert (header.positions, header.classes, header.longest) == (positions, classes, longest)
    assert all(table.lookup(position) == entry for position, entry in solved_positions(game).items())


@pytest.mark.parametrize(
    ("name", "positions", "classes", "start"),
    [
        ("drop:4,4,4", 161_029, 80_541, Entry(DRAW, 16)),
        *nightly(("drop:5,4,4", 3_945_711, 1_974_174, Entry(DRAW, 20))),
        *nightly(("drop:5,5,4", 69_763_700, 34_888_367, Entry(DRAW, 25))),
    ],
)
def test_connect_boards(name, positions, classes, start):
    table = perfectplay.solve(load(name))
    header = table.header
    assert (header.positions, header.classes) == (positions, classes)
    assert Entry(header.value, header.distance) == table.lookup((0, 0)) == start
    assert header.wins + header.draws + header.losses == positions
    assert 8 * len(table.reader.data) <= 12 * classes


@pytest.mark.nightly
def test_tactic_toe_is_won_from_the_edges():
    game = load("tactic-toe")
    entries = entries_of_moves(game, solved_oracle(game).lookup, game.start)
    found = {move_name(game, game.start, 0, move): entry for move, entry in entries.items()}
    assert {name for name, entry in found.items() if entry == Entry(WIN, 13)} == {"a2", "b1", "b3", "c2"}
    assert {name for name, entry in found.items() if entry == Entry(DRAW, None)} == {"a1", "a3", "b2", "c1", "c3"}


def test_only_a_draw_that_ends_has_a_distance():
    """From 0 play moves to the finished position 2, a draw, or to 1, whose only move leads back."""

    def moves(mine, theirs):
        return 0b11 if mine == 0 else 0b1

    def play(mine, theirs, move):
        return (1, 0) if mine == 0 and move == 0 else (2, 0) if mine == 0 else (0, 0)

    def outcome(mine, theirs):
        return DRAW if mine == 2 else ONGOING

    game = Game(moves=moves, play=play, outcome=outcome, bits=2, shape=(1, 2))
    table = same_tables(game)
    assert table.lookup((0, 0)) == Entry(DRAW, 1)
    assert table.lookup((1, 0)) == Entry(DRAW, 2)
    never = dataclasses.replace(game, outcome=lambda mine, theirs: ONGOING if mine < 2 else WIN, moves=lambda m, t: 0b1)
    assert perfectplay.solve(never, "python").lookup((0, 0)) == Entry(DRAW, None)


def test_rules_without_source_text_are_solved_interpreted():
    space = {"DRAW": DRAW, "ONGOING": ONGOING}
    exec("def play(m, t, move): return m + 1, 0\ndef outcome(m, t): return DRAW if m == 3 else ONGOING", space)
    game = Game(moves=only_move, play=space["play"], outcome=space["outcome"], bits=2, shape=(1, 1))
    assert perfectplay.solve(game).lookup((0, 0)) == Entry(DRAW, 3)
    with pytest.raises(NotCompiled, match="play has no source"):
        perfectplay.solve(game, "numba")


def only_move(mine, theirs):
    """The moves of games without a choice."""
    return 1


def test_games_with_wide_words_are_solved_interpreted():
    def play(mine, theirs, move):
        return theirs, mine + (1 << 90)

    def outcome(mine, theirs):
        return LOSS if theirs >> 90 == 3 else ONGOING

    game = Game(moves=only_move, play=play, outcome=outcome, bits=92, shape=(1, 1))
    table = perfectplay.solve(game)
    assert table.engine == "python"
    assert table.lookup(game.start) == Entry(WIN, 5)
    assert table.header.positions == 6
    with pytest.raises(BadGame, match="needs 92 bits a word"):
        perfectplay.solve(game, "numba")


def test_games_longer_than_a_byte_of_grades():
    def play(mine, theirs, move):
        return theirs, mine | (mine + 1)

    def outcome(mine, theirs):
        return LOSS if theirs == (1 << 50) - 1 else ONGOING

    def key(mine, theirs):
        return mine.bit_count() << 6 | theirs.bit_count()

    def unkey(number):
        return (1 << (number >> 6)) - 1, (1 << (number & 63)) - 1

    game = Game(moves=only_move, play=play, outcome=outcome, bits=50, shape=(50, 1), key=key, unkey=unkey)
    table = perfectplay.solve(game, "python")
    assert table.lookup(game.start) == Entry(WIN, 99)
    assert table.header.grade_bytes == 2
    assert [table.lookup(position).distance for level in levels(game) for position in level] == list(range(99, -1, -1))


def test_small_games_are_distinguished_from_large_ones():
    assert len(solved_if_small(load("kingpawns"))) == 11_851
    for name in ("connect-four", "drop:5,4,4", "lines:4,4,4", "fading:4,4"):
        assert solved_if_small(load(name)) is None
    larger = {name: is_larger(load(name), 10**11) for name in ("drop:5,5,4", "fading:6,5", "connect-four")}
    assert larger == {"drop:5,5,4": False, "fading:6,5": False, "connect-four": True}


@pytest.mark.parametrize(
    ("name", "memory", "words"),
    [
        ("connect-four", 0, "too large to solve: about .*positions need .*TiB of memory and .*are allowed; search"),
        ("drop:5,4,4", 100 << 20, r"will not fit: about 2[.0-9]* million positions need 17\d MiB.*100 MiB .*memory=."),
    ],
)
def test_a_game_that_will_not_fit_is_refused_with_figures(name, memory, words):
    with pytest.raises(TooBig, match=f"{name} .*{words}"):
        finished(solving(load(name), Options("numba", memory=memory)))


def test_an_unknown_engine_is_refused():
    with pytest.raises(perfectplay.BadArgument, match=r"'abacus'.* auto, python, cuda, numba"):
        perfectplay.solve(load("tic-tac-toe"), "abacus")


def test_steps_report_progress():
    steps = list(solving(load("drop:4,4,4"), Options("numba")))
    phases = ["compiling", "forward", "backward", "counting", "writing", "reading", "checking"]
    assert list(dict.fromkeys(step.phase for step in steps)) == phases
    backward = [step for step in steps if step.phase == "backward"]
    assert [step.done for step in backward] == sorted(step.done for step in backward)
    assert backward[-1].done == backward[-1].total == 80_541


def test_the_best_move_has_the_entry_of_the_position():
    game = load("kingpawns")
    lookup = solved_oracle(game).lookup
    for level in levels(game):
        for position in level[::20]:
            if legal_moves(game, position):
                entries = entries_of_moves(game, lookup, position)
                assert next(iter(entries.values())) == lookup(position)
                assert all(entries[move].as_good_as(lookup(position)) for move in best_moves(entries))


def test_a_table_is_saved_and_found_again(home):
    game = load("kingpawns")
    solved_oracle(game)
    assert sorted(path.suffix for path in (home / "data" / "tables").iterdir()) == [".checked", ".table"]
    assert solved_oracle(load("kingpawns")).lookup(game.start) == Entry(WIN, 5)


@pytest.mark.parametrize(("engine", "start"), [("python", (0, 0)), ("numba", (1, 2))])
def test_wrong_symmetries_are_refused(engine, start):
    swapped = (1, 0, 2, 3, 4, 5, 6, 7, 8)  # not a symmetry of the board
    game = dataclasses.replace(load("tic-tac-toe"), symmetries=(tuple(range(9)), swapped), start=start)
    with pytest.raises(BadGame, match="symmetries are wrong"):
        perfectplay.solve(game, engine)


def test_a_key_that_does_not_invert_is_refused():
    game = dataclasses.replace(load("tic-tac-toe"), key=lambda mine, theirs: mine, unkey=lambda key: (key, 0))
    with pytest.raises(BadGame, match="key, unkey or symmetries are wrong"):
        perfectplay.solve(game, "python")


def test_an_asymmetric_start_counts_only_reachable_positions():
    game = dataclasses.replace(load("tic-tac-toe"), start=(1, 2))
    header = same_tables(game).header
    assert header.positions == sum(len(level) for level in levels(game))
    assert header.classes < header.positions < 8 * header.classes


@pytest.mark.parametrize(
    ("symmetries", "words"),
    [
        ([(0, 1, 2), (0, 0, 2)], "must be permutations"),
        ([(0, 1, 2), (0, 1)], "must be permutations"),
        ([(2, 1, 0), (0, 1, 2)], "the first of the symmetries must leave every square"),
        (Images(0, lambda mine, theirs, i: (mine, theirs)), "Images has 1 to 10,000 images"),
    ],
)
def test_invalid_symmetries_are_refused_immediately(symmetries, words):
    with pytest.raises(BadGame, match=words):
        dataclasses.replace(load("lines:3,1,3"), symmetries=symmetries)


@pytest.mark.nightly
def test_keys_that_outgrow_32_bits_during_the_solve():
    """Four squares, nine bits apart: the first keys are narrow, those of later layers are not."""

    def moves(mine, theirs):
        free = 0
        for square in range(4):
            free |= (1 - ((mine | theirs) >> 9 * square & 1)) << square
        return free

    def play(mine, theirs, move):
        return theirs, mine | 1 << 9 * move

    def outcome(mine, theirs):
        return DRAW if moves(mine, theirs) == 0 else ONGOING

    game = Game(moves=moves, play=play, outcome=outcome, bits=28, shape=(4, 1))
    table = same_tables(game)
    assert table.header.key_bytes == 7
    assert table.lookup(game.start) == Entry(DRAW, 4)
