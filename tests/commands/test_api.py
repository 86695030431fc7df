"""The public Python API: matches, and what each function says of small games whose facts are known."""

import json
import re
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import perfectplay
from command_line import output
from perfectplay import DRAW, FIRST, LOSS, SECOND, WIN, BadArgument, BadGame, BadPosition, IllegalMove, Match
from perfectplay.commands.prove.random_play import random_games

GAMES = ("tic-tac-toe", "tactic-toe", "drop:4,4,3", "kingpawns", "examples/hexapawn.py", "connect-four")
SMALL = "lines:3,2,3"
SEARCHED = "drop:4,4,4"
"""Too big to be solved on the spot, and quickly searched."""


def playing(game, choices):
    """A match of these choices among the legal moves, as far as it goes."""
    match = Match(game)
    for choice in choices:
        if match.is_over:
            break
        match.play(match.legal_moves()[choice % len(match.legal_moves())])
    return match


def printed(capsys, line):
    """What the command prints in JSON."""
    return json.loads(output(capsys, f"{line} --json"))


# Matches


MATCHES = st.builds(playing, st.sampled_from(GAMES), st.lists(st.integers(0, 10**6), max_size=30))


@settings(max_examples=60)
@given(match=MATCHES)
def test_undo_takes_back_what_was_played_and_a_copy_goes_on_alone(match):
    seen = [Match(match.game)]
    for name in match.moves:
        seen.append(seen[-1].copy().play(name))
    assert (seen[-1], repr(seen[-1])) == (match, repr(match))
    for before in reversed(seen[:-1]):
        match.undo()
        assert (match, match.moves, match.turn) == (before, before.moves, before.turn)
    assert match == Match(match.game, seen[-1].moves).undo(len(seen) - 1)


@settings(max_examples=60)
@given(match=MATCHES)
def test_text_reads_back_as_the_same_position(match):
    other = Match.from_text(match.game, match.text())
    assert other == match
    for attribute in ("position", "turn", "result", "is_over"):
        assert getattr(other, attribute) == getattr(match, attribute)
    assert (other.text(), str(other), other.moves) == (match.text(), str(match), ())
    assert other.legal_moves() == match.legal_moves()
    assert match.is_over == (match.result is not None)


@settings(max_examples=60)
@given(match=MATCHES)
def test_numbers_and_names_of_moves_mean_the_same(match):
    numbers = perfectplay.legal_moves(match.game, match.position)
    assert [match.name_of(number) for number in numbers] == match.legal_moves()
    assert [match.number_of(name) for name in match.legal_moves()] == numbers
    for number in numbers:
        assert match.copy().play(number) == match.copy().play(match.name_of(number))


def test_a_match_to_its_end():
    match = Match("tic-tac-toe", ["b2", "A1"]).play("2")
    assert match.moves == ("b2", "a1", "b1")
    assert (match.turn, match.result, match.is_over) == (SECOND, None, False)
    match.play("c1", "b3")
    assert match.result == perfectplay.Result(FIRST, "X")
    assert [match.result.score(side) for side in (FIRST, SECOND)] == [WIN, LOSS]
    assert [perfectplay.Result(None).score(side) for side in (FIRST, SECOND)] == [DRAW, DRAW]
    assert (str(match.result), match.is_over, match.legal_moves()) == ("X wins", True, [])
    assert str(Match("tic-tac-toe", "b2 a1 c1 a3 a2 c2 b1 b3 c3".split()).result) == "draw"
    assert repr(match) == "Match('tic-tac-toe', ['b2', 'a1', 'b1', 'c1', 'b3'])"
    assert repr(Match("tic-tac-toe", position="O:X../.../...")) == "Match('tic-tac-toe', position='O:X../.../...')"
    assert str(Match.from_text("tic-tac-toe", "O:X../.../...")) == "  a b c\n1 X . .\n2 . . .\n3 . . ."


def test_matches_of_different_games_differ():
    assert Match("tic-tac-toe") == Match(perfectplay.load("tic-tac-toe"))
    assert Match("examples/tictactoe.py") == Match(Path("examples/tictactoe.py"))
    assert Match("lines:3,3,3") != Match("lines:3,3,3,misere=true")
    assert Match("tic-tac-toe") != "tic-tac-toe"


@pytest.mark.parametrize(
    ("doing", "error", "words"),
    [
        (lambda: Match("tic-tac-toe").play("zz"), IllegalMove, r"'zz' is not a legal move; legal are a1 b1 .* in X:"),
        (lambda: Match("lines:1,1,1", ["a1", "a1"]), IllegalMove, "the game is over"),
        (lambda: Match("tic-tac-toe").play(4.0), IllegalMove, "4.0 is not a move; write its name"),
        (lambda: Match("tic-tac-toe").play(True), IllegalMove, "True is not a move"),
        (lambda: Match("tic-tac-toe", [4]).play(4), IllegalMove, "move number 4 is not legal; legal are 0 1 2 3 5 6 7"),
        (lambda: Match("tic-tac-toe").name_of(-1), IllegalMove, "move number -1 is not legal"),
        (lambda: Match("tic-tac-toe").number_of("zz"), IllegalMove, "'zz' is not a legal move"),
        (lambda: Match("tic-tac-toe", "a1 a1"), IllegalMove, "'a1' is not a legal move; legal are b1"),
        (lambda: Match("tic-tac-toe", None), IllegalMove, "None is not a move"),
        (lambda: Match("tic-tac-toe").number_of("b2 a1"), IllegalMove, "'b2 a1' is not a legal move"),
        (lambda: perfectplay.search("tic-tac-toe", nodes=0), BadArgument, "nodes=0 is not a whole number"),
        (lambda: Match("tic-tac-toe").analyse(threads=0), BadArgument, "threads=0 is not a whole number"),
        (lambda: Match("tic-tac-toe").undo(), BadArgument, "cannot undo 1; the match has 0 plies"),
        (lambda: Match("tic-tac-toe", position="nonsense"), BadPosition, "does not say who is to move"),
        (lambda: Match("tic-tac-toe", position=(0, 0)), BadPosition, "is not a position's text"),
        (lambda: Match.from_text("tic-tac-toe", None), BadPosition, "None is not a position's text"),
        (lambda: Match.from_text("tic-tac-toe", "X:XXX/OO./OOX"), BadPosition, "no move of O leads there"),
        (lambda: Match.from_text("tic-tac-toe", "X:X../.../..."), BadPosition, "it is O's turn"),
        (lambda: perfectplay.Result(FIRST, "X").score("X"), BadArgument, "neither FIRST"),
        (lambda: perfectplay.legal_moves("tic-tac-toe", Match("tic-tac-toe")), BadPosition, "use match.position"),
        (lambda: perfectplay.legal_moves("tic-tac-toe", (-1, 0)), BadPosition, "two whole numbers of 9 bits"),
        (lambda: perfectplay.solve("tic-tac-toe").lookup(Match("tic-tac-toe")), BadPosition, "use match.position"),
        (lambda: perfectplay.solve("tic-tac-toe").save(None), BadArgument, "path=None is not the path"),
        (lambda: perfectplay.player("perfect", "tic-tac-toe")((0, 7)), BadPosition, "nobody is to move in"),
        (lambda: perfectplay.player("wins", "tic-tac-toe")(Match("tic-tac-toe")), BadArgument, r"use choose\(match\)"),
        (lambda: perfectplay.player("wins", "tic-tac-toe").choose((0, 0)), BadArgument, "is not a match"),
        (lambda: perfectplay.player("wins", "tic-tac-toe", seed="x"), BadArgument, "seed='x'"),
        (lambda: perfectplay.export("tic-tac-toe", None), BadArgument, "path=None is not the path"),
        (lambda: perfectplay.export("tic-tac-toe", "a", format="doc"), BadArgument, "no format is called 'doc'"),
        (lambda: perfectplay.export("lines", "a.h", all_positions=True), BadArgument, "all_positions=True is for"),
        (lambda: perfectplay.open_table(3), BadArgument, "path=3 is not the path"),
        (lambda: perfectplay.make_book(SEARCHED, None), BadArgument, "plies=None is not a whole number"),
        (lambda: perfectplay.make_book(SEARCHED, 1, save_after="x"), BadArgument, "save_after='x'"),
        (lambda: perfectplay.solve("tic-tac-toe", path=3), BadArgument, "path=3 is not the path"),
        (lambda: perfectplay.solve("tic-tac-toe", workdir="w"), BadArgument, 'workdir=... is for engine="disk"'),
        (lambda: perfectplay.compare("drop:3,3,3", seconds=None), BadArgument, "seconds=None is not a time"),
        (lambda: perfectplay.remove_kept(3), BadArgument, "3 is not the name of a game"),
        (lambda: perfectplay.battle("tic-tac-toe", lambda: 0, "wins"), perfectplay.BadPlayer, "takes 0 arguments"),
        (lambda: Match("no-such-game"), BadGame, "no game is called 'no-such-game'"),
        (lambda: Match(Path("folder")), BadGame, "ends in .py"),
        (lambda: Match(3), BadGame, "3 is not a game's name"),
        (lambda: perfectplay.analyse(Match("tic-tac-toe"), position="X:..."), BadArgument, "has its position"),
        (lambda: perfectplay.analyse("tic-tac-toe", exact=True), BadArgument, "win probabilities"),
        (lambda: perfectplay.analyse("tic-tac-toe", seconds=0), BadArgument, "seconds=0 is not a time"),
        (lambda: perfectplay.battle("tic-tac-toe", "perfect", "nobody"), perfectplay.BadPlayer, "'nobody'"),
        (lambda: perfectplay.battle("tic-tac-toe", "perfect", 3), perfectplay.BadPlayer, "3 is neither"),
        (lambda: perfectplay.battle("tic-tac-toe", "wins", "wins", games=0), BadArgument, "games=0 is not a whole"),
        (lambda: perfectplay.battle("tic-tac-toe", min, "wins", jobs=2), BadArgument, "players by name"),
        (lambda: perfectplay.odds("connect-four", "random", "random"), perfectplay.TooBig, "need a solved game"),
        (lambda: perfectplay.player("wins", "tic-tac-toe", side=2), BadArgument, "side=2"),
        (lambda: perfectplay.solve("tic-tac-toe", "abacus"), BadArgument, "abacus"),
        (lambda: perfectplay.solve("tic-tac-toe", memory="lots"), BadArgument, "not a size"),
        (lambda: perfectplay.solve("tic-tac-toe", threads=0), BadArgument, "threads=0"),
        (lambda: perfectplay.verify(3), BadArgument, "3 is neither a table"),
    ],
)
def test_errors_are_ours_in_a_line_without_options_of_the_command_line(doing, error, words):
    with pytest.raises(error, match=words) as fault:
        doing()
    assert isinstance(fault.value, perfectplay.PerfectplayError)
    assert "\n" not in str(fault.value)
    assert not re.search(r"(^|\s)--[a-z]", str(fault.value))


def test_a_text_is_a_name_and_an_int_is_a_number():
    assert Match("connect-four").play("4").moves == Match("connect-four").play(3).moves == ("4",)
    assert Match("tic-tac-toe", [4, "a1"]).moves == ("b2", "a1")
    assert Match("tic-tac-toe", ["(0, 1)", "1,1", "0 0"]).moves == ("b1", "b2", "a1")
    assert perfectplay.analyse("tic-tac-toe", 4).best == perfectplay.analyse("tic-tac-toe", "b2").best
    named = replace(perfectplay.load("tic-tac-toe"), move_names=[f"square {number}" for number in range(9)])
    assert Match(named).play("Square 3", "square 4").moves == ("square 3", "square 4")  # names with blanks stay whole


def test_a_game_is_given_as_a_game_a_name_or_a_path():
    for game in (perfectplay.load("examples/tictactoe.py"), "examples/tictactoe.py", Path("examples/tictactoe.py")):
        assert perfectplay.legal_moves(game, (0b110_001_101, 0b001_110_010)) == []
        assert perfectplay.legal_moves(game, (0b101, 0b010)) == [3, 4, 5, 6, 7, 8]
        assert perfectplay.legal_moves(game, (0, 0b111)) == []
        assert perfectplay.canonical(game)(0, 1 << 8) == (0, 1 << 8)  # without symmetries
    assert perfectplay.canonical("tic-tac-toe")(0, 1 << 8) == (0, 1)


def test_positions_are_judged_by_their_last_move_only():
    with pytest.raises(BadPosition, match="cannot be reached"):
        Match.from_text("drop:4,4,3", "O:.X../..../..../....")  # a mark that nothing carries
    assert Match.from_text("drop:4,4,3", "X:.X../..../..../O...").moves == ()  # the last move, O's, can have been made


def test_an_outcome_that_is_none_is_told(tmp_path):
    text = Path("examples/tictactoe.py").read_text().replace("return DRAW if", "return 'drawn' if")
    (tmp_path / "late.py").write_text(text)
    match = Match(tmp_path / "late.py", moves="b2 a1 c1 a3 a2 c2 b1 b3 c3".split())
    with pytest.raises(BadGame, match="outcome is 'drawn' in"):
        _ = match.result


# Functions and the commands that print what they return

BATTLE = "battle tic-tac-toe perfect random --games 50 --seed 7 --swap"


def battle():
    return perfectplay.battle("tic-tac-toe", "perfect", "random", games=50, seed=7, swap=True)


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (lambda: perfectplay.analyse("tic-tac-toe", "b2"), "analyse tic-tac-toe b2"),
        (lambda: perfectplay.analyse(SMALL, "b2", against="uniform"), f"analyse {SMALL} b2 --against uniform"),
        (lambda: perfectplay.analyse(SEARCHED, "3", "3"), f"analyse {SEARCHED} 3 3"),
        (lambda: perfectplay.odds(SMALL, "random", "random", exact=True), f"odds {SMALL} random random --exact"),
        (lambda: perfectplay.compare("fading:3,2", depth=1), "compare fading:3,2 --depth 1"),
        (battle, BATTLE),
    ],
)
def test_a_function_returns_what_its_command_prints(function, line, capsys):
    assert function().to_dict() == printed(capsys, line)


def test_lists_and_counts_are_those_of_the_commands(capsys):
    assert perfectplay.list_games().to_dict() == printed(capsys, "games")
    assert perfectplay.list_games("connect-four").to_dict() == [printed(capsys, "games connect-four")]
    assert perfectplay.list_players().to_dict() == printed(capsys, "players")
    assert perfectplay.perft("tic-tac-toe", 3) == printed(capsys, "perft tic-tac-toe 3")["nodes"] == [1, 9, 72, 504]


def test_analysis_of_a_small_game(capsys):
    analysis = perfectplay.analyse("tic-tac-toe", "b2")
    assert (analysis.value, analysis.distance, analysis.exact, analysis.nodes) == (DRAW, 8, True, None)
    assert analysis.best == ("a1", "c1", "a3", "c3")
    assert [move.value for move in analysis.moves] == [DRAW] * 4 + [LOSS] * 4
    assert analysis == Match("tic-tac-toe", ["b2"]).analyse()
    assert analysis == perfectplay.analyze("tic-tac-toe", position="O:.../.X./...")
    assert f"{analysis}\n" == output(capsys, "analyse tic-tac-toe b2")
    assert repr(analysis) == "<Analysis of O:.../.X./...: draw in 8 plies; best a1 c1 a3 c3>"
    with pytest.raises(FrozenInstanceError):
        analysis.value = WIN


def test_analysis_with_win_probabilities():
    analysis = perfectplay.analyse("tic-tac-toe", "b2", against="uniform", exact=True)
    assert analysis.moves[0].probability == perfectplay.Probability(Fraction(26, 35), Fraction(9, 35), Fraction(0))
    assert "playing only moves that preserve the result and choosing the likeliest win (marked *)." in str(analysis)
    found = perfectplay.win_probability("tic-tac-toe", "b2", exact=True)
    assert (found.probability, found.to_dict()["win"]) == (analysis.probability, "26/35")
    assert (found.win, found.draw, found.loss) == (Fraction(26, 35), Fraction(9, 35), 0)
    assert found.moves == {move.move: move.probability for move in analysis.moves}
    assert set(found.chosen) == {move.move for move in analysis.moves if move.chosen} == {"a1", "c1", "a3", "c3"}


def test_analysis_by_search():
    analysis = perfectplay.analyse(SEARCHED, "3", "3")
    assert (analysis.value, analysis.exact, analysis.complete, analysis.nodes > 0) == (DRAW, True, True, True)
    little = perfectplay.analyse(SEARCHED, nodes=10)
    assert not little.exact
    assert little.at_least.value <= little.at_most.value
    assert "Not proven within the limit" in str(little)
    assert perfectplay.Searcher(perfectplay.load(SEARCHED)).lookup(analysis.match.position).value == DRAW


def test_a_search_proves_what_analyse_looks_up():
    looked_up, found = perfectplay.analyse("tic-tac-toe", "b2 b1"), perfectplay.search("tic-tac-toe", "b2 b1")
    assert (looked_up.nodes, found.nodes > 0) == (None, True)
    assert (found.value, found.distance, found.best) == (looked_up.value, looked_up.distance, looked_up.best)
    assert perfectplay.search("tic-tac-toe", position="X:.O./.X./...").text == found.text
    assert not perfectplay.search(SEARCHED, nodes=10).exact


@pytest.mark.parametrize("function", [perfectplay.analyse, perfectplay.search, perfectplay.explain, perfectplay.review])
def test_moves_are_read_alike(function):
    found = function("tic-tac-toe", "b2", "a1")
    assert found.match.moves == ("b2", "a1")
    for moves in (["b2 a1"], ["b2,a1"], ["b2, a1"], [["b2", "a1"]], [4, "a1"], [("b2",), 0]):
        assert function("tic-tac-toe", *moves).match.moves == found.match.moves
    assert function(Match("tic-tac-toe", "b2"), "a1").match.moves == found.match.moves
    with pytest.raises(IllegalMove, match="'zz' is not a legal move"):
        function("tic-tac-toe", "b2 zz")
    assert function("tic-tac-toe", "b2 c1", position="O:X../.../...").match.text() == "O:X.X/.O./..."


def test_a_table_and_its_summary(tmp_path, capsys):
    steps = []
    path = tmp_path / "t.table"
    table = perfectplay.solve("tic-tac-toe", progress=steps.append, path=path)
    assert {*map(type, steps)} == {perfectplay.Step}
    summary = table.summary()
    assert (summary.value, summary.distance, summary.positions, summary.classes) == (DRAW, 9, 5478, 765)
    assert summary.positions == summary.wins + summary.draws + summary.losses
    assert "5,478 positions" in str(summary)
    facts, found = summary.to_dict(), printed(capsys, f"solve tic-tac-toe --to {path}")
    assert facts.keys() == found.keys()
    assert {name for name in facts if facts[name] != found[name]} <= {"seconds", "seconds_in_all"}
    again = perfectplay.open_table(path, "tic-tac-toe")
    assert again.lookup((0, 0)) == table.lookup((0, 0)) == (DRAW, 9)
    assert str(perfectplay.verify(again)) == output(capsys, f"verify {path}").strip()


def test_a_summary_without_a_table(capsys, home):
    summary = perfectplay.summarise("misere")
    assert sum(summary.counts.values()) == summary.positions == 5478
    found, facts = printed(capsys, "solve misere --no-table"), summary.to_dict()
    assert (found["histogram"], found.keys()) == (facts["histogram"], facts.keys())
    assert not list(home.glob("data/tables/*"))


def test_what_is_kept(capsys):
    perfectplay.solve("tic-tac-toe", keep=True)
    (table,) = (item for item in perfectplay.kept() if item.kind != "code")
    assert (table.kind, table.game, table.facts["classes"]) == ("table", "tic-tac-toe", 765)
    assert table.to_dict() == printed(capsys, "tables")[0]
    checked = perfectplay.verify("tic-tac-toe", sample=10)
    assert (checked.checked, checked.table) == (10, str(table.path))
    assert perfectplay.remove_kept("lines:3,3,3") == [table.path]
    assert table not in perfectplay.kept()


def test_rules_that_only_do_not_compile_are_right():
    game = perfectplay.load("lines:2,2,2")
    report = perfectplay.check(replace(game, outcome=lambda mine, theirs: [game.outcome(mine, theirs)][0]))
    (note,) = (check for check in report.checks if check.status == "note")
    assert (report.ok, note.fault, note.note) == (True, None, note.to_dict()["note"])
    for words in ("does not compile", "still run interpreted", "game-record.md"):
        assert words in note.note


def test_random_games_that_do_not_end_are_told():
    game = perfectplay.load("tic-tac-toe")
    endless = replace(game, moves=lambda mine, theirs: 511, outcome=lambda mine, theirs: 2)
    games = random_games(endless, walks=3, seed=1)
    assert (games.played, games.unfinished, games.longest) == (3, 3, 199)
    assert games.line == "3 random games: 0 won by X, 0 by O, 0 drawn, 3 unfinished; 199 plies; legal moves 9"
    assert "3 unfinished" in str(games)


# Players


def test_a_battle_reads_as_the_command_prints_it(capsys):
    result = battle()
    assert (result.games, sum(result.wins) + result.draws, result.wins[1]) == (50, 50, 0)
    assert all(low <= high for low, high in result.intervals)
    drawn = output(capsys, BATTLE).rstrip()
    times = r"[\d.]+ m?s (per move|at most)"
    assert len(re.findall(times, drawn)) == 4
    assert re.sub(times, "", str(result)) == re.sub(times, "", drawn)


def test_functions_are_players():
    game = perfectplay.load("tic-tac-toe")

    def last(position):
        return perfectplay.legal_moves(game, position)[-1]

    perfect = perfectplay.player("perfect", game, side=SECOND, seed=1)
    result = perfectplay.battle(game, last, perfect, games=3, seed=1)
    assert (result.players, result.wins[0]) == (("last", "perfect"), 0)
    swapped = perfectplay.battle(game, perfect, "random", games=10, seed=1, swap=True)  # it plays either side
    assert (swapped.players[0], swapped.wins[1], swapped.forfeits) == ("perfect", 0, (0, 0))
    assert perfectplay.battle(game, lambda position: 99, "random", games=4, seed=1).forfeits == (4, 0)


@pytest.mark.parametrize("fault", [ZeroDivisionError("oh"), SystemExit(3), BadGame("oh")])
def test_a_function_that_raises_forfeits_its_games(fault):
    def broken(position):
        raise fault

    result = perfectplay.battle("tic-tac-toe", broken, "random", games=4, seed=1, swap=True)
    assert (result.forfeits, result.wins) == ((4, 0), (0, 4))
    number, why = result.faults[0]
    assert number == 0
    assert re.search(rf"broken raised an error \(line \d+\): {type(fault).__name__}", why)
    assert f"broken forfeited 4 games, first game 1: {why}" in str(result)
    assert "\n" not in repr(result)


def test_interrupts_are_not_forfeits():
    def interrupted(position):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perfectplay.battle("tic-tac-toe", interrupted, "random", games=4, seed=1)


def test_a_player_chooses_by_name_on_either_side():
    player = perfectplay.player("perfect", "tic-tac-toe", seed=1)
    match = Match("tic-tac-toe")
    while not match.is_over:
        match.play(player.choose(match))
    assert match.result == perfectplay.Result(None)
    assert player((0, 0)) in range(9)
    with pytest.raises(BadArgument, match="the game is over"):
        player.choose(match)
    with pytest.raises(BadArgument, match="plays tic-tac-toe, not tactic-toe"):
        player.choose(Match("tactic-toe"))
