"""Extra turns and points above the solvers: matches, battles, players, best lines, and what people read."""

import json
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_terminal import typed  # noqa: F401
from test_turn_odds import turn_games

import brute_force
import perfectplay
from command_line import complaint, output
from perfectplay import DRAW, FIRST, LOSS, ONGOING, SECOND, WIN, Match, analyse, battle, count_games, load
from perfectplay.api.evaluation import Evaluation
from perfectplay.api.verdicts import verdict
from perfectplay.arena.referee import play_game
from perfectplay.game import after, legal_moves, moves_again
from perfectplay.notation import move_name, played
from perfectplay.players import Seat, player_maker
from perfectplay.players.blocks import safety
from perfectplay.players.tricky import threats
from perfectplay.players.wins import winning_moves
from perfectplay.solvers.best_line import best_line
from perfectplay.solvers.lookup_or_solve import lookup_for
from perfectplay.solvers.minimax import minimax
from perfectplay.solvers.tree_size import Cycle, tree_or_cycle
from perfectplay.words import PointsEntry

load = cache(load)
solved = cache(lambda name: brute_force.solved(load(name)))
GAMES = ["dots:1,1", "dots:2,1", "dots:2,2", "kalah:2,2", "kalah:3,2", "morris:3,2"]
POINTS = ["dots:1,1", "dots:2,1", "kalah:2,2", "kalah:3,2"]


def boxes_of(width, height):
    """The names of the four edges of each box."""
    for y in range(1, 2 * height, 2):
        for x in range(1, 2 * width, 2):
            yield {f"{'abcdefghi'[x + dx]}{y + dy + 1}" for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0))}


def random_turns(game, seed, plies=200):
    """The turns of a random game, each with the move that is made there."""
    rng, turn = Random(seed), (game.start, FIRST)
    for _ in range(plies):
        legal = legal_moves(game, turn[0])
        move = rng.choice(legal) if legal else None
        yield *turn, move
        if move is None:
            return
        turn = after(game, *turn, move)


@given(st.randoms(use_true_random=False), st.sampled_from([(1, 1), (2, 1), (2, 2)]))
def test_who_closes_a_box_moves_again(rng, size):
    match, boxes, drawn, score, turn = (
        Match(load(f"dots:{size[0]},{size[1]}")),
        [*boxes_of(*size)],
        set(),
        [0, 0],
        FIRST,
    )
    while not match.is_over:
        assert match.turn == turn
        name = rng.choice(match.legal_moves())
        closed = sum(name in box and box <= drawn | {name} for box in boxes)
        match.play(name)
        drawn.add(name)
        score[turn] += closed
        turn = turn if closed else 1 - turn
    lead = score[FIRST] - score[SECOND]
    assert match.result.winner == (None if lead == 0 else FIRST if lead > 0 else SECOND)
    assert match.result.margin == abs(lead)
    assert str(match.result) == ("draw" if lead == 0 else f"{'X' if lead > 0 else 'O'} wins by {abs(lead)}")
    assert match.result.to_dict()["margin"] == abs(lead)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_can_be_undone_and_written_in_the_middle_of_a_turn(name):
    game = load(name)
    for seed in range(5):
        match = Match(game)
        for position, side, move in random_turns(game, seed, plies=60):
            assert (match.position, match.turn) == (position, side)
            assert Match.from_text(game, match.text()) == match
            if move is not None:
                match.play(move)
                again = match.copy().undo()
                assert (again.position, again.turn) == (position, side)


def test_a_mill_is_followed_by_a_removal_of_the_same_side():
    match = Match("morris:3,2", ["a1", "a3", "c1", "a5", "e1"])
    assert match.turn == FIRST
    assert match.legal_moves() == ["a3", "a5"]
    assert match.play("a3").turn == SECOND
    assert match.result == perfectplay.Result(FIRST, "X")  # O has two stones left


@pytest.mark.parametrize("name", ["dots:1,1", "dots:2,1", "kalah:2,2", "kalah:3,1"])
def test_minimax_is_brute_force(name):
    game = load(name)
    assert minimax(game, game.start) == solved(name)[game.start]


def check_best_line(game, lookup, position, side):
    """Asserts that the best line leads to what the position is worth, as soon as that can be."""
    entry, (moves, repeats) = lookup(position), best_line(game, lookup, position)
    turn, met = (position, side), [(position, side)]
    for move in moves:
        turn = after(game, *turn, move)
        met.append(turn)
    if entry.endless:
        assert met[repeats] == turn
        return
    sign = 1 if turn[1] == side else -1
    assert game.outcome(*turn[0]) == sign * entry.value
    if entry.margin is None:
        assert len(moves) == entry.distance
    else:
        assert game.margin(*turn[0]) == sign * entry.margin


@pytest.mark.parametrize("name", POINTS)
def test_a_best_line_leads_to_what_the_position_is_worth(name):
    game = load(name)
    for seed in range(8):
        for position, side, _ in random_turns(game, seed):
            check_best_line(game, lookup_for(game), position, side)


@given(turn_games(cycles=True))
def test_a_best_line_in_games_with_cycles_and_extra_turns(game):
    entries = brute_force.solved(game)
    for position in entries:
        check_best_line(game, entries.__getitem__, position, FIRST)


@given(turn_games())
def test_minimax_of_any_game_is_brute_force(game):
    assert minimax(game, game.start) == brute_force.solved(game)[game.start]


@given(turn_games(cycles=True))
def test_a_cycle_leads_back_with_the_same_side_to_move(game):
    cycle = tree_or_cycle(game)
    if isinstance(cycle, Cycle):
        assert cycle.back in [after(game, *cycle.last, move) for move in legal_moves(game, cycle.last[0])]


def mover_wins(game, position, move):
    """Whether the move ends the game with a win of the side that makes it."""
    outcome = game.outcome(*game.play(*position, move))
    return outcome == (WIN if moves_again(game, position, move) else LOSS)


@pytest.mark.parametrize("name", ["dots:2,1", "kalah:3,2", "morris:3,2"])
def test_a_move_wins_at_once_also_in_the_middle_of_a_turn(name):
    game, met = load(name), set()
    for seed in range(60):
        for position, _, move in random_turns(game, seed):
            if move is None:
                continue
            assert winning_moves(game, position) == [
                m for m in legal_moves(game, position) if mover_wins(game, position, m)
            ]
            again = moves_again(game, position, move)
            child = game.play(*position, move)
            if game.outcome(*child) == ONGOING:
                assert safety(game, position, move) == (0 if again else -len(winning_moves(game, child)))
                met.add((again, bool(winning_moves(game, child))))
                if again:
                    assert threats(game, position, move) == len(winning_moves(game, child))
    assert (True, True) in met or name == "dots:2,1"


def check_for_points(name, player):
    """Asserts that the player gives no point away, anywhere."""
    game, entries = load(name), solved(name)
    choose = player_maker(player)(Seat(game, FIRST, Random(1)))
    for position, entry in entries.items():
        if legal_moves(game, position):
            move = choose(position)
            child = entries[game.play(*position, move)].margin
            assert entry.margin == (child if moves_again(game, position, move) else -child)


@pytest.mark.parametrize("name", POINTS)
def test_perfect_plays_for_the_margin(name):
    check_for_points(name, "perfect")


@pytest.mark.parametrize("name", ["dots:1,1", "dots:2,1"])
def test_so_does_a_player_from_an_exported_solution(name, tmp_path, capsys):
    file = tmp_path / "solution.json"
    output(capsys, f"export {name} --to {file}")
    check_for_points(name, f"json:{file}")


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_the_match_of_its_moves(name):
    game = load(name)
    for seed in range(5):
        players = [player_maker("wins")(Seat(game, side, Random(seed))) for side in (FIRST, SECOND)]
        record = play_game(game, *players)
        if record.unfinished:
            continue
        result = Match(game, record.moves).result
        assert result.winner == record.winner
        if game.margin is None:
            assert record.margin is result.margin is None
        else:
            assert abs(record.margin) == result.margin
            assert (record.margin > 0, record.margin < 0) == (record.winner == FIRST, record.winner == SECOND)


def test_battles_tell_the_mean_margin():
    alone = battle("kalah:3,2", "perfect", "perfect", games=10, seed=1)
    assert (alone.mean_margin, alone.wins) == (4, (10, 0))
    assert battle("kalah:3,2", "perfect", "perfect", games=10, seed=1, swap=True).mean_margin == 0
    back = battle("kalah:3,2", "random", "perfect", games=10, seed=1)
    assert back.mean_margin < 0
    assert back.to_dict()["mean_margin"] == back.mean_margin
    assert f"mean margin {back.mean_margin:+.2f} points for random" in str(back)
    plain = battle("tic-tac-toe", "random", "perfect", games=10, seed=1)
    assert plain.mean_margin is None
    assert "margin" not in str(plain)
    assert "mean_margin" not in plain.to_dict()


def test_it_is_the_same_in_several_processes():
    alone, together = (battle("dots:2,1", "random", "wins", games=40, seed=2, losses=2, jobs=n) for n in (1, 2))
    assert (alone, alone.losses) == (together, together.losses)


BOTS = """
def first(board, side):
    for row in range(3):
        for column in range(5):
            if (row + column) % 2 and board[row][column] is None:
                return row, column
"""


def test_a_bot_may_move_several_times_in_a_row(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS)
    result = battle("dots:2,1", f"{tmp_path / 'bots.py'}:first", "random", games=6, seed=1)
    assert result.forfeits == (0, 0)


@pytest.mark.parametrize("name", POINTS)
def test_analyses_have_margins_and_no_distances(name):
    game, entries = load(name), solved(name)
    for seed in range(4):
        moves = []
        for position, side, move in random_turns(game, seed):
            found = analyse(game, *moves)
            facts = found.to_dict()
            assert (found.value, found.margin, found.distance) == (
                *entries[position][:1],
                entries[position].margin,
                None,
            )
            assert (facts["margin"], facts["distance"]) == (found.margin, None)
            worth = {}
            for legal in legal_moves(game, position):
                child = entries[game.play(*position, legal)].margin
                worth[move_name(game, position, side, legal)] = child if moves_again(game, position, legal) else -child
            assert {one["move"]: one["margin"] for one in facts["moves"]} == worth
            assert all(one["distance"] is None for one in facts["moves"])
            assert {*found.best} == {one for one, margin in worth.items() if margin == found.margin}
            assert found.moves == () or found.moves[0].margin == found.margin
            if move is not None:
                moves.append(move_name(game, position, side, move))


def test_verdicts_name_the_winner_and_the_points(capsys):
    assert "south moves and wins by 4 with best play." in output(capsys, "analyse kalah:3,2")
    assert "north moves; south wins by 4 with best play." in output(capsys, "analyse kalah:3,2 2 3")
    assert "X moves and draws with best play." in output(capsys, "analyse dots:2,1")
    over = ["b1", "b3", "d1", "d3", "a2", "c2", "e2"]
    assert "The game is over: O has won by 2." in output(capsys, f"analyse dots:2,1 {' '.join(over)}")
    assert "  1  loss by 8" in output(capsys, "analyse kalah:3,2")
    assert output(capsys, "solve kalah:3,2 --engine python").startswith("kalah:3,2: south moves and wins by 4 with")
    facts = json.loads(output(capsys, "solve kalah:3,2 --engine python --json"))
    assert (facts["value"], facts["distance"], facts["margin"]) == ("win", None, 4)
    assert "plies" not in output(capsys, "solve dots:2,1 --engine python --no-table")
    assert "win by 4" in output(capsys, "tables")


@pytest.mark.parametrize("name", GAMES[1:5])
def test_best_lines_show_one_turn_after_another(name):
    game = load(name)
    line = analyse(game).line
    movers = [game.look.sides[side] for _, side, _ in played(game, game.start, FIRST, line.moves)]
    assert [*line.movers] == movers == line.to_dict()["movers"]
    shown = str(line).partition(", then again from")[0]
    assert all(one.split()[0] != two.split()[0] for one, two in pairwise(shown.split("; ")))
    assert [part for part in shown.replace(",", "").replace(";", "").split() if part not in ("then", *movers)] == [
        *line.moves
    ]
    assert analyse("tic-tac-toe").line.movers == ()
    assert "movers" not in analyse("tic-tac-toe").line.to_dict()


def test_a_turn_of_several_moves_in_the_terminal(typed):  # noqa: F811
    code, out = typed("dots:2,1 --second human", "b1", "d1", "b3", "d3", "a2", "c2", "undo", "c2", "e2", "n")
    assert code == 0
    assert out.count("O (human) plays c2 and moves again") == 2  # once more after undo
    assert "O (human) plays e2\n" in out
    assert " wins by 2." in out


def test_players_say_their_whole_turn(capsys):
    out = output(capsys, "play dots:2,1 random perfect --seed 2")
    said = [line for line in out.splitlines() if " plays " in line]
    sides = [line.split()[0] for line in said]
    assert all(one != two for one, two in pairwise(sides))
    assert any(", then " in line for line in said)
    assert out.count("a b c d e") == len(said) + 1  # a board before each turn, and at the end
    assert sum(len(line.partition(" plays ")[2].replace(", then", ",").split(", ")) for line in said) == 7


def test_lost_games_are_drawn_turn_by_turn(capsys):
    out = output(capsys, "battle dots:2,2 random perfect --games 20 --seed 1 --show-losses 1")
    lost = battle("dots:2,2", "random", "perfect", games=20, seed=1, losses=1).losses[0]
    assert f"lost by {lost.margin} in 12 plies" in out
    assert lost.margin == Match("dots:2,2", lost.moves).result.margin == lost.to_dict()["margin"]
    longest = max(turns_of("dots:2,2", lost.moves), key=len)
    first = lost.moves.index(longest[0]) + 1
    assert f"{first}-{first + len(longest) - 1}. " in out
    assert f"{', '.join(longest[:-1])}, then {longest[-1]}" in out.replace(" ??", "")


def turns_of(name, moves):
    """The moves of one side in a row, for each such row."""
    game, rows, last = load(name), [], None
    for move, (_, side, _) in zip(moves, played(game, game.start, FIRST, moves), strict=True):
        if side != last:
            rows.append([])
        rows[-1].append(move)
        last = side
    return rows


def test_games_are_counted_by_result():
    game, ends = load("dots:2,1"), {FIRST: 0, SECOND: 0, None: 0}

    def walk(match):
        if match.is_over:
            ends[match.result.winner] += 1
        for name in match.legal_moves():
            walk(match.play(name))
            match.undo()

    walk(Match("dots:1,1"))
    assert ends == {FIRST: 0, SECOND: 24, None: 0}
    found = count_games(game, 7)
    assert (found.games, found.complete) == (5040, True)
    assert count_games("dots:1,1", 4).wins == (0, 24)


def test_a_perfect_player_is_certified_and_others_are_refuted():
    for name in ("dots:2,1", "kalah:2,2"):
        assert perfectplay.certify(name, "perfect")
    found = perfectplay.certify("kalah:2,2", "wins")
    game, entries = load("kalah:2,2"), solved("kalah:2,2")
    refuted = found.counterexample
    side = FIRST if refuted.side == "first" else SECOND
    names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
    values = [
        names[entries[position].value * (1 if turn == side else -1)]
        for position, turn, _ in played(game, game.start, FIRST, refuted.moves)
    ]
    assert [*refuted.values[:-1]] == values
    assert Match(game, refuted.moves).result.score(side) == LOSS
    for mistake in found.mistakes:
        here = analyse(game, *mistake.line)
        assert {move.move for move in here.moves if names[move.value] == mistake.before} == {*mistake.better}
    assert "loss" in found.to_html()


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta", "cache"])
def test_trees_of_games_for_points(algorithm):
    for moves in (("a2", "b1"), ("a2", "b3", "b1")):
        tree = perfectplay.tree("dots:1,1", *moves, algorithm=algorithm)
        match = Match("dots:1,1", moves)
        margin = solved("dots:1,1")[match.position].margin
        assert tree.score == (margin if match.turn == FIRST else -margin)
        assert "wins by 1" in tree.to_text()
        assert "points" in tree.to_text()
        assert tree.to_dict()["score_of_a_win"] is None


def test_what_cannot_be_is_refused_in_a_line(capsys):
    assert "--longest" in complaint(capsys, "solve kalah:2,2 --engine python --longest 3")
    assert "--trace" in complaint(capsys, "solve kalah:2,2 --engine python --trace")


def test_a_verdict_on_points_that_are_not_proven():
    game = load("kalah:3,2")

    def said(low, high):
        value = 1 if low > 0 else -1 if high < 0 else None
        here = Evaluation(value=value, distance=None, at_least=PointsEntry(low), at_most=PointsEntry(high))
        return verdict(game, FIRST, here, {"1": here})

    assert said(2, 6) == "south moves; south wins by 2 to 6; by how many exactly is not proven."
    assert said(-4, -1) == "south moves; north wins by 1 to 4; by how many exactly is not proven."
    assert said(-2, 3) == "Not proven within the limit. south moves: loss by 2 to win by 3."
