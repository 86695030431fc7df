"""Games in the terminal, typed line by line."""

import builtins
import re
from io import StringIO

import pytest
from rich.console import Console

from perfectplay import Match
from perfectplay.front.cli import main
from perfectplay.front.draw_board import drawn_board
from perfectplay.front.terminal import Terminal, say
from perfectplay.notation import TERMINAL_WORDS


@pytest.fixture
def typed(monkeypatch, capsys):
    """Plays with the given lines typed, then no more input; returns the exit code and what was printed."""

    def play(arguments, *lines):
        waiting = iter(lines)

        def answer(prompt=""):
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(builtins, "input", answer)
        code = main(["play", *arguments.split()])
        return code, capsys.readouterr().out

    return play


def test_two_people_play_and_the_score_is_kept(typed):
    moves = ("a1", "a2", "b1", "b2", "c1")
    code, out = typed("tic-tac-toe --second human", *moves, "n", "y", *moves, "", "n")
    assert code == 0
    assert out.count("X (human) wins.") == 2
    assert "Score: first human 2, second human 0, drawn 0. Goodbye." in out


def test_squares_by_number(typed):
    _, out = typed("tic-tac-toe --second human", "5", "1")
    assert "X (human) plays b2" in out
    assert "O (human) plays a1" in out


@pytest.mark.parametrize("pair", ["0 1", "0,1", "(0, 1)", " [0,1] "])
def test_squares_by_row_and_column_from_0(typed, pair):
    _, out = typed("lines:4,3,3 --second human", pair, "(2 3)")
    assert "X (human) plays b1" in out
    assert "O (human) plays d3" in out


def test_the_first_line_says_how_a_square_is_written(typed):
    assert "b1, square 2, or row and column from 0: (0, 1) or 0 1" in typed("hex:3 --second human")[1]
    assert "\nType a move, or help.\n" in typed("connect-four --second human")[1]


def test_a_pair_that_is_no_move_says_why(typed):
    _, out = typed("lines:4,3,3 --second human", "3,1", "0 -1", "1 1", "1,1", "1 1 1")
    assert "'3,1' is not on the board; rows count from 0 to 2, columns from 0 to 3." in out
    assert "'0 -1' is not on the board" in out
    assert "'1,1' means b2: 'b2' is not a legal move; legal are a1" in out
    assert "'1 1 1' is not a legal move" in out
    assert "'1 1' is not a legal move; legal are 1 2" in typed("connect-four --second human", "1 1")[1]


def test_a_pair_in_one_word_is_a_move_of_every_command():
    assert Match("tic-tac-toe", ["(0, 1)", "1,1"]).moves == ("b1", "b2")


SLIDING = """
from perfectplay import LOSS, ONGOING, Game
def moves(mine, theirs): return mine if mine & 3 else 0
def play(mine, theirs, move): return theirs, 7 & ~theirs & ~(1 << move)
def outcome(mine, theirs): return ONGOING if moves(mine, theirs) else LOSS
def game(): return Game(moves=moves, play=play, outcome=outcome, bits=3, shape=(3, 1), start=(1, 4))
"""


def test_only_squares_that_can_be_typed_show_a_number(typed, tmp_path):
    file = tmp_path / "sliding.py"
    file.write_text(SLIDING)
    _, out = typed(f"{file} --second human", "2", "1", "quit")
    assert "│ X │   │ O │" in out
    assert "'2' is not a legal move; legal are a1" in out
    assert "X (human) plays a1" in out
    assert "│ X │ 2 │ 3 │" in typed("tic-tac-toe --second human", "a1", "quit")[1]


def test_nonsense_is_asked_again(typed):
    _, out = typed("tic-tac-toe --second human", "z9", "", "[red]", "12", "a1", "a1", "quit")
    assert "'z9' is not a legal move; legal are a1 b1" in out
    assert "'[red]' is not a legal move" in out
    assert "'a1' is not a legal move" in out
    assert "Goodbye." in out


def test_a_move_may_be_called_like_a_command(typed, tmp_path):
    file = tmp_path / "quitting.py"
    file.write_text(
        "from dataclasses import replace\nfrom perfectplay import load\n"
        "def game(): return replace(load('lines:2,1,2'), move_names=('quit', 'undo'))\n"
    )
    _, out = typed(f"{file} --second human", "quit", "undo", "n", "n")
    assert "X (human) plays quit" in out
    assert "O (human) plays undo" in out


def test_end_of_input_is_polite(typed):
    code, out = typed("tic-tac-toe")
    assert code == 0
    assert out.endswith("Goodbye.\n")


def test_help_names_the_legal_moves(typed):
    _, out = typed("kingpawns", "help", "quit")
    assert "Legal now: b1a1 b1c1 a2a3 b2b3 b2c3" in out
    for word in set(TERMINAL_WORDS) - {"?", "exit", "q"}:
        assert f"\n  {word} " in out


def test_hint_again_names_the_move_and_its_value(typed):
    _, out = typed("tic-tac-toe --second human", "a1", "hint again", "quit")
    assert "perfect would play b2: draw in 8 plies" in out
    _, out = typed("tactic-toe --second human", "a1", "hint  again", "quit")
    assert re.search(r"perfect would play \w\w: endless draw", out)
    _, out = typed("connect-four --second human --seconds 0.05", "hint again", "quit")
    assert "perfect would play 4: win in 41 plies" in out
    lines = ("h8", "a1", "h9", "b1", "h10", "c1", "a8", "d1")
    _, out = typed("gomoku --second human", "hint", "hint again", *lines, "hint", "hint again", "hint why", "quit")
    assert "Nothing is proven here." in out
    assert "threats would play h8: not proven, no win within 4 plies" in out
    assert "O threatens to win at once: stop it" in out
    assert "threats would play e1: not proven" in out
    assert "X must play e1: every other move loses" in out
    assert "e1 stops O's threat" in out


@pytest.mark.parametrize(
    ("game", "moves", "idea"),
    [
        ("tic-tac-toe", "a1 b1 a2 b2", "X can win at once, in one way."),
        ("tic-tac-toe", "a1 b2 b1", "X threatens to win at once: stop it."),
        ("tic-tac-toe", "a1 b1 b2 c1 a2", "X threatens to win in three ways, and no move stops them all."),
        ("tic-tac-toe", "a1 b1 b2 c3", "Look for a move that makes two threats at once."),
        ("tic-tac-toe", "b2 b1", "Look for a move that threatens to win at once."),
        ("tic-tac-toe", "b2", "Four of the eight moves keep the draw."),
        ("tic-tac-toe", "a1", "Only one of the eight moves keeps the draw."),
        ("tic-tac-toe", "", "Every move keeps the draw: choose one that is hard for O to answer."),
        ("tic-tac-toe", "a1 b1 b2", "X threatens to win at once: stop it."),
        ("tactic-toe", "b1", "O loses against best play; two of the eight moves lose latest."),
        ("kingpawns", "", "Only one of the five moves keeps the win. Look 5 plies ahead."),
        ("dots:2,2", "", "Four of the 12 moves give the win away."),
        ("kalah:2,2", "", "south loses against best play; one of the two moves loses by the least."),
    ],
)
def test_a_hint_is_an_idea_that_names_no_move(typed, game, moves, idea):
    _, out = typed(f"{game} --second human", *moves.split(), "hint", "quit")
    assert idea in out


def test_hint_why_gives_the_reason_for_the_move_of_hint_again(typed):
    _, out = typed("tic-tac-toe --second human --seed 1", "b2", "b1", "hint again", "hint why", "quit")
    move = re.search(r"perfect would play (\w\w): win in 5 plies", out)[1]
    assert f"{move} keeps the win" in out


def test_moves_shows_what_every_move_is_worth(typed):
    _, out = typed("tic-tac-toe --second human", "b2", "moves", "quit")
    assert "  a1  draw in 8 plies\n" in out
    assert "  b1  loss in 6 plies\n" in out


def test_a_review_is_offered_after_a_game(typed):
    moves = ("a1", "b1", "b2", "undo", "b2", "c3", "a3", "a2", "c1")
    _, out = typed("tic-tac-toe --second human", *moves, "y", "n")
    assert "Review the game? [y/N]" not in out.partition("X (human) wins.")[0]
    assert "  2. O b1  mistake" in out
    assert "7 plies, X wins" in out  # the move that was taken back is no part of the game
    assert "The turning point is 2. O b1" in out
    _, out = typed("tic-tac-toe --second human", *moves, "", "n")
    assert "mistake" not in out
    code, out = typed("tic-tac-toe --second human", *moves, "q")
    assert code == 0
    assert out.endswith("Goodbye.\n")


def test_undo_takes_both_moves_back_against_a_player(typed):
    _, out = typed("tic-tac-toe --second minimax --seed 1", "undo", "a1", "undo", "a1", "quit")
    assert "There is no move of yours to take back." in out
    assert out.count("X (human) plays a1") == 2


def test_undo_takes_one_move_back_between_people(typed):
    _, out = typed("tic-tac-toe --second human", "a1", "undo", "b2", "quit")
    assert "X (human) plays a1" in out
    assert "X (human) plays b2" in out


def test_the_strongest_player_is_the_default(typed):
    assert "O (perfect) plays" in typed("tic-tac-toe", "a1", "quit")[1]
    assert "O (perfect) plays" in typed("tactic-toe", "a1", "quit")[1]
    assert "O (perfect) plays" in typed("connect-four --seconds 0.05", "4", "quit")[1]
    assert "O (threats) plays" in typed("gomoku --seconds 0.1", "h8", "quit")[1]
    assert "O (hard) plays" in typed("lines:9,9,4,misere=true --seconds 0.1", "e5", "quit")[1]
    assert "X (wins) plays" in typed("tic-tac-toe --first wins", "quit")[1]


WIDE = """
from dataclasses import replace
from perfectplay import load
def game(): return replace(load("lines:12,11,4"), winning_lines=None, wins=None, safe=None, order=(), hopeless=None)
"""
UNCOMPILED = """
from perfectplay import Game, load
def game():
    plain, seen = load("lines:7,7,5"), {}
    def outcome(mine, theirs):
        return seen.setdefault(f"{mine} {theirs}", plain.outcome(mine, theirs))
    return Game(moves=plain.moves, play=plain.play, outcome=outcome, bits=49, shape=(7, 7))
"""


@pytest.mark.parametrize("rules", [WIDE, UNCOMPILED])
def test_a_game_that_can_neither_be_solved_nor_searched_is_played_by_random_games(typed, tmp_path, rules):
    file = tmp_path / "big.py"
    file.write_text(rules)
    _, out = typed(f"{file} --seconds 0.1", "d4", "hint", "hint again", "quit")
    assert "O (mcts) plays" in out
    assert "mcts would play" in out


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)


def test_a_person_is_asked_how_strong(typed, terminal):
    assert "O (level:3) plays" in typed("tic-tac-toe", "3", "b2", "quit")[1]
    assert "O (wins) plays" in typed("tic-tac-toe", "wins", "b2", "quit")[1]
    code, out = typed("tic-tac-toe", "11", "winz", "", "b2", "quit")
    assert code == 0
    assert "'level:11' needs a whole number from 1 to 10, such as level:5." in out
    assert "did you mean wins?" in out
    assert "O (perfect) plays" in out
    assert "connect-four: it has no winning lines" in typed("connect-four", "threats", "random", "4", "quit")[1]
    assert "O (human) to move" in typed("tic-tac-toe", "human_player", "b2", "quit")[1]
    assert "X (random) plays" in typed("tic-tac-toe --first random", "quit")[1]  # who is named need not be asked for


@pytest.mark.parametrize("lines", [("quit",), ("q",), ()])
def test_who_quits_when_asked_how_strong_sees_no_board(typed, terminal, lines):
    code, out = typed("tic-tac-toe", *lines)
    assert code == 0
    assert out.endswith("Goodbye.\n")
    assert "human against" not in out


def test_help_when_asked_how_strong(typed, terminal):
    _, out = typed("tic-tac-toe", "help", "?", "wins", "quit")
    assert out.count("1 to 10   from random to the best there is") == 2
    assert "no player is called" not in out
    assert "human against wins" in out


def test_players_among_themselves_play_once(typed):
    code, out = typed("tic-tac-toe --first minimax --second minimax_ai --seed 3")
    assert code == 0
    assert "Drawn." in out
    assert "Another" not in out


def test_toss(typed):
    outs = {typed(f"tic-tac-toe --second wins --toss --seed {seed}", "quit")[1].splitlines()[2] for seed in range(9)}
    assert outs == {"The toss: X (human) moves first.", "The toss: X (wins) moves first."}


def test_a_bot_that_cheats_loses(typed, tmp_path):
    file = tmp_path / "bots.py"
    file.write_text("def ai(board, side): return 0, 0\n")
    _, out = typed(f"tic-tac-toe --second {file}:ai", "a1", "y", "n")
    assert "1 ply, not finished" in out
    assert "(0, 0) as (row, column) is not a legal move for O" in out
    assert "X (human) wins." in out


def test_a_users_own_game(typed):
    _, out = typed("examples/hexapawn.py:3,3 --second human", "a1a2", "b3a2", "quit")
    assert "White (human) plays a1a2" in out
    assert "Black (human) plays b3a2" in out


@pytest.mark.parametrize("game", ["lines:19,19,5", "connect-four", "fading:6,3", "drop:12,4,4", "kingpawns"])
def test_boards_of_every_kind_are_drawn_within_eighty_columns(typed, game):
    _, out = typed(f"{game} --second human", "quit")
    assert max(len(line) for line in out.splitlines()) <= 80


NARROW = {
    "tic-tac-toe": ["boxes", " 1 │ 1 │ 2 │ 3 │"],
    "connect-four": ["blanks between squares", "  1 2 3 4 5 6 7"],
    "lines:9": ["blanks between squares", " 9 · · · · · · · · ·"],
    "gomoku": ["squares side by side", "    abcdefghijklmno", " 15 " + "·" * 15],
    "lines:19,19,5": ["blocks", "    abcdefghijklmnop", "    qrs", " 19 ···"],
    "fading:8,3": ["blocks", "   f  g  h", " 8 ·  ·  ·"],
    "nine-mens-morris": ["a line beside the board", " 7 ·─────·─────·", " O in hand 9  mill ·"],
    "mancala": ["pits in blocks", " north    4  4  4", " south 4  4  4"],
    "hare": ["a long label beside the board", " steps up or down 0"],
}


@pytest.mark.parametrize("name", NARROW)
def test_a_board_can_be_read_in_twenty_columns(name):
    game = Match(name).game
    lines = [line.rstrip() for line in drawn_board(game, game.start, 0, columns=20).plain.splitlines()]
    assert max(map(len, lines)) <= 20
    assert {*NARROW[name][1:]} <= {*lines}


def test_prose_is_wrapped_at_words_on_a_terminal_alone():
    text = "row and column from zero, in words longer than the line"
    for terminal, lines in (
        (True, ["row and column from ", "zero, in words ", "longer than the line"]),
        (False, [text]),
    ):
        console = Terminal(file=StringIO(), force_terminal=terminal, width=20, color_system=None)
        say(console, text)
        assert console.file.getvalue().splitlines() == lines


@pytest.mark.parametrize("arguments", ["tic-tac-toe perfect random", "tic-tac-toe --first perfect --second random"])
def test_two_players_can_be_named_behind_the_game(typed, arguments):
    code, out = typed(f"{arguments} --seed 1")
    assert code == 0
    assert out.startswith("tic-tac-toe: perfect against random.")


def test_one_player_behind_the_game_is_the_opponent_who_moves_second(typed):
    _, out = typed("tic-tac-toe random --seed 1", "b2")
    assert out.startswith("tic-tac-toe: human against random.")
    assert "X (human) plays b2" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("tic-tac-toe perfect --second random", "name the players once"),
        ("tic-tac-toe perfect random blocks", "two can play, not 3: perfect random blocks"),
        ("tic-tac-toe perfect nobody", "'nobody'"),
    ],
)
def test_players_that_cannot_be_are_refused(capsys, arguments, said):
    assert main(["play", *arguments.split()]) == 2
    assert said in capsys.readouterr().err


def test_the_time_per_move_of_each_side_is_told(typed):
    _, out = typed("tic-tac-toe perfect minimax --seed 1")
    assert re.search(r"^X \(perfect\): [\d.]+ m?s per move, [\d.]+ m?s at most$", out, re.MULTILINE)
    assert re.search(r"^O \(minimax\): .* at most; [\d,]+ nodes per move$", out, re.MULTILINE)


def test_a_mark_about_to_go_is_dimmed_where_there_are_colours():
    match = Match("tactic-toe").play("a1", "b2", "c3", "a3", "c1", "c2")
    drawn = drawn_board(match.game, match.position, match.turn)
    dimmed = [drawn.plain[span.start : span.end].strip() for span in drawn.spans if "dim" in str(span.style)]
    assert dimmed == ["X1"]
    plain, coloured = StringIO(), StringIO()
    Console(file=plain, width=80).print(drawn)
    Console(file=coloured, width=80, force_terminal=True, color_system="standard").print(drawn)
    assert "\x1b" not in plain.getvalue()
    assert re.search(r"\x1b\[2;96m X1 ", coloured.getvalue())
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured.getvalue()) == plain.getvalue()


def test_nothing_is_dimmed_where_nothing_goes():
    for name in ("tic-tac-toe", "kingpawns"):
        match = Match(name)
        assert not any("dim" in str(span.style) for span in drawn_board(match.game, match.position, 0).spans)
