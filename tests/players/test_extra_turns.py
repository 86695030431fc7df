"""Extra turns and points above the solvers: matches, battles, players, best lines, and what people read."""

import json
from functools import cache
from itertools import groupby, pairwise
from random import Random

import pytest
from hypothesis import given, strategies as st

import brute_force
import perfectplay
from command_line import complaint, output
from perfectplay import DRAW, FIRST, LOSS, ONGOING, SECOND, WIN, Match, analyse, battle, count_games, load
from perfectplay.arena.referee import play_game
from perfectplay.commands.know.verdicts import verdict
from perfectplay.game import after, legal_moves, moves_again
from perfectplay.players.named.one_ply_players import safety, winning_moves
from perfectplay.players.named.perfect import threats
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.rules.notation import move_name, replay
from perfectplay.solvers.scores import PointBounds
from perfectplay.solvers.worth import worth_of
from rings import nightly

load = cache(load)
solved = cache(lambda name: brute_force.solved(load(name)))
ONE_OF_EACH = pytest.mark.parametrize("name", ["dots:2,1", "kalah:3,2", "morris:3,2"])
FOR_POINTS = pytest.mark.parametrize("name", ["dots:2,1", "kalah:2,2"])


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
    match, boxes = Match(load(f"dots:{size[0]},{size[1]}")), [*boxes_of(*size)]
    drawn, score, turn = set(), [0, 0], FIRST
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
    assert match.result.margin == abs(lead) == match.result.to_dict()["margin"]
    assert str(match.result) == ("draw" if lead == 0 else f"{'X' if lead > 0 else 'O'} wins by {abs(lead)}")


@ONE_OF_EACH
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


def mover_wins(game, position, move):
    """Whether the move ends the game with a win of the side that makes it."""
    outcome = game.outcome(*game.play(*position, move))
    return outcome == (WIN if moves_again(game, position, move) else LOSS)


@pytest.mark.parametrize("name", ["dots:2,1", "kalah:3,2", *nightly("morris:3,2")])
def test_a_move_wins_at_once_also_in_the_middle_of_a_turn(name):
    game, met = load(name), set()
    for seed in range(40):
        for position, _, move in random_turns(game, seed):
            if move is None:
                continue
            wins = [one for one in legal_moves(game, position) if mover_wins(game, position, one)]
            assert winning_moves(game, position) == wins
            again, child = moves_again(game, position, move), game.play(*position, move)
            if game.outcome(*child) == ONGOING:
                next_wins = len(winning_moves(game, child))
                assert safety(game, position, move) == (0 if again else -next_wins)
                assert not again or threats(game, position, move) == next_wins
                met.add((again, next_wins > 0))
    assert (True, True) in met or name == "dots:2,1"


@FOR_POINTS
def test_perfect_plays_for_the_margin_and_so_does_an_exported_solution(name, tmp_path, capsys):
    game, entries, file = load(name), solved(name), tmp_path / "solution.json"
    output(capsys, f"export {name} --to {file}")
    for player in ("perfect", f"json:{file}"):
        choose = player_maker(player)(Seat(game, FIRST, Random(1)))
        for position, entry in entries.items():
            if legal_moves(game, position):
                move = choose(position)
                child = entries[game.play(*position, move)].margin
                assert entry.margin == (child if moves_again(game, position, move) else -child)


@ONE_OF_EACH
def test_a_record_is_the_match_of_its_moves(name):
    game = load(name)
    for seed in range(5):
        record = play_game(game, *(player_maker("wins")(Seat(game, side, Random(seed))) for side in (FIRST, SECOND)))
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
    plain = battle("tic-tac-toe", "random", "wins", games=10, seed=1)
    assert plain.mean_margin is None
    assert "margin" not in str(plain)
    assert "mean_margin" not in plain.to_dict()


@pytest.mark.nightly
def test_it_is_the_same_in_several_processes():
    alone, together = (battle("dots:2,1", "random", "wins", games=40, seed=2, losses=2, jobs=n) for n in (1, 2))
    assert (alone, alone.losses) == (together, together.losses)


def test_a_bot_may_move_several_times_in_a_row():
    def first(board, side):
        squares = [(row, column) for row in range(3) for column in range(5)]
        return next((y, x) for y, x in squares if (y + x) % 2 and board[y][x] is None)

    assert battle("dots:2,1", first, "random", games=6, seed=1).forfeits == (0, 0)


@FOR_POINTS
def test_analyses_have_margins_and_no_distances(name):
    game, entries = load(name), solved(name)
    for seed in range(4):
        moves = []
        for position, side, move in random_turns(game, seed):
            found, here = analyse(game, *moves), entries[position]
            facts = found.to_dict()
            assert (found.value, found.margin, found.distance) == (here.value, here.margin, None)
            assert (facts["margin"], facts["distance"]) == (found.margin, None)
            worth = {
                move_name(game, position, side, legal): entry.margin
                for legal, entry in brute_force.move_entries(game, entries, position).items()
            }
            assert {one["move"]: one["margin"] for one in facts["moves"]} == worth
            assert all(one["distance"] is None for one in facts["moves"])
            assert {*found.best} == {one for one, margin in worth.items() if margin == found.margin}
            assert found.moves == () or found.moves[0].margin == found.margin
            if move is not None:
                moves.append(move_name(game, position, side, move))


def test_verdicts_name_the_winner_and_the_points(capsys):
    for line, said in (
        ("kalah:3,2", "south moves and wins by 4 with best play."),
        ("kalah:3,2", "  1  loss by 8"),
        ("kalah:3,2 2 3", "north moves; south wins by 4 with best play."),
        ("dots:2,1", "X moves and draws with best play."),
        ("dots:2,1 b1 b3 d1 d3 a2 c2 e2", "The game is over: O has won by 2."),
    ):
        assert said in output(capsys, f"analyse {line}")
    assert output(capsys, "solve kalah:3,2 --engine python").startswith("kalah:3,2: south moves and wins by 4 with")
    facts = json.loads(output(capsys, "solve kalah:3,2 --engine python --json"))
    assert (facts["value"], facts["distance"], facts["margin"]) == ("win", None, 4)
    assert "plies" not in output(capsys, "solve dots:2,1 --engine python --no-table")
    assert "win by 4" in output(capsys, "tables")
    for option in ("--longest 3", "--trace"):
        assert option.split()[0] in complaint(capsys, f"solve kalah:2,2 --engine python {option}")


def test_a_verdict_on_points_that_are_not_proven():
    for low, high, said in (
        (2, 6, "south moves; south wins by 2 to 6; by how many exactly is not proven."),
        (-4, -1, "south moves; north wins by 1 to 4; by how many exactly is not proven."),
        (-2, 3, "Not proven within the limit. south moves: loss by 2 to win by 3."),
    ):
        here = worth_of(PointBounds(low, high))
        assert verdict(load("kalah:3,2"), FIRST, here, {"1": here}) == said


@pytest.mark.parametrize("name", ["dots:2,1", "kalah:3,2"])
def test_best_lines_show_one_turn_after_another(name):
    game = load(name)
    line = analyse(game).line
    movers = [game.look.sides[side] for _, side, _ in replay(game, game.start, FIRST, line.moves)]
    assert [*line.movers] == movers == line.to_dict()["movers"]
    shown = str(line).partition(", then again from")[0]
    assert all(one.split()[0] != two.split()[0] for one, two in pairwise(shown.split("; ")))
    words = shown.replace(",", "").replace(";", "").split()
    assert [word for word in words if word not in ("then", *movers)] == [*line.moves]


def test_a_turn_of_several_moves_in_the_terminal(capsys, monkeypatch):
    typed = iter("b1 d1 b3 d3 a2 c2 undo c2 e2 n n".split())
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed))
    out = output(capsys, "play dots:2,1 --second human")
    assert out.count("O (human) plays c2 and moves again") == 2  # once more after undo
    assert "O (human) plays e2\n" in out
    assert " wins by 2." in out


def test_players_say_their_whole_turn(capsys):
    out = output(capsys, "play dots:2,1 random perfect --seed 2")
    said = [line for line in out.splitlines() if " plays " in line]
    assert all(one.split()[0] != two.split()[0] for one, two in pairwise(said))
    assert any(", then " in line for line in said)
    assert out.count("a b c d e") == len(said) + 1  # a board before each turn, and at the end
    assert sum(len(line.partition(" plays ")[2].replace(", then", ",").split(", ")) for line in said) == 7


def test_lost_games_are_drawn_turn_by_turn(capsys):
    out = output(capsys, "battle dots:2,2 random wins --games 20 --seed 1 --show-losses 1")
    lost = battle("dots:2,2", "random", "wins", games=20, seed=1, losses=1).losses[0]
    assert f"lost by {lost.margin} in 12 plies" in out
    assert lost.margin == Match("dots:2,2", lost.moves).result.margin == lost.to_dict()["margin"]
    game = load("dots:2,2")
    turns = zip(lost.moves, replay(game, game.start, FIRST, lost.moves), strict=True)
    rows = [[move for move, _ in row] for _, row in groupby(turns, lambda turn: turn[1][1])]
    longest = max(rows, key=len)
    first = lost.moves.index(longest[0]) + 1
    assert f"{first}-{first + len(longest) - 1}. " in out
    assert f"{', '.join(longest[:-1])}, then {longest[-1]}" in out.replace(" ??", "")


def test_games_are_counted_by_result():
    found = count_games(load("dots:2,1"), 7)
    assert (found.games, found.complete) == (5040, True)
    assert count_games("dots:1,1", 4).wins == (0, 24)


def test_a_perfect_player_is_certified_and_others_are_refuted():
    assert perfectplay.certify("kalah:2,2", "perfect")
    found = perfectplay.certify("kalah:2,2", "wins")
    game, entries = load("kalah:2,2"), solved("kalah:2,2")
    refuted = found.counterexample
    side = FIRST if refuted.side == "first" else SECOND
    names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
    turns = replay(game, game.start, FIRST, refuted.moves)
    values = [names[entries[position].value * (1 if turn == side else -1)] for position, turn, _ in turns]
    assert [*refuted.values[:-1]] == values
    assert Match(game, refuted.moves).result.score(side) == LOSS
    for mistake in found.mistakes:
        here = analyse(game, *mistake.line)
        assert {move.move for move in here.moves if names[move.value] == mistake.before} == {*mistake.better}
    assert "loss" in found.to_html()


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta", "cache"])
def test_trees_of_games_for_points(algorithm):
    for moves in (("a2", "b1"), ("a2", "b3", "b1")):
        tree, match = perfectplay.tree("dots:1,1", *moves, algorithm=algorithm), Match("dots:1,1", moves)
        margin = solved("dots:1,1")[match.position].margin
        assert tree.score == (margin if match.turn == FIRST else -margin)
        assert "wins by 1" in str(tree)
        assert "points" in str(tree)
        assert tree.to_dict()["score_of_a_win"] is None
