"""Games in the terminal, typed line by line."""

import builtins
import re
import shlex
import sys
from io import StringIO

import pytest
from rich.console import Console

from perfectplay import Match
from perfectplay.__main__ import main
from perfectplay.commands.matches.terminal_games import turn_before
from perfectplay.commands.terminal.draw_board import drawn_board
from perfectplay.commands.terminal.terminal import Terminal, say
from perfectplay.rules.notation import TERMINAL_WORDS
from rings import nightly


@pytest.fixture
def typed(monkeypatch, capfd):
    """Plays with the given lines typed, then no more input; returns what was printed, and keeps what programs told."""

    def play(arguments, *lines):
        waiting = iter(lines)

        def answer(prompt=""):
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(builtins, "input", answer)
        assert main(["play", *shlex.split(arguments)]) == 0
        out, play.told = capfd.readouterr()
        return out

    return play


# What is typed, and what is said

PEOPLE = "tic-tac-toe --second human"
GAMES = """
> hex:3 --second human: quit
b1, square 2, or row and column from 0: (0, 1) or 0 1
> connect-four --second human: 1 1
Type a move, or help.
'1 1' is not a legal move; legal are 1 2
> tic-tac-toe --second human: 5; 1
X (human) plays b2
O (human) plays a1
> lines:4,3,3 --second human: 0 1; (2, 3);  [2,0]
X (human) plays b1
O (human) plays d3
X (human) plays a3
> lines:4,3,3 --second human: 3,1; 0 -1; 1 1; 1,1; 1 1 1
'3,1' is not on the board; rows count from 0 to 2, columns from 0 to 3.
'0 -1' is not on the board
'1,1' means b2: 'b2' is not a legal move; legal are a1
'1 1 1' is not a legal move
> tic-tac-toe --second human: z9; ; [red]; 12; a1; a1; quit
'z9' is not a legal move; legal are a1 b1
'[red]' is not a legal move
'a1' is not a legal move
Goodbye.
> kingpawns: help; quit
Legal now: b1a1 b1c1 a2a3 b2b3 b2c3
> tic-tac-toe --second human: a1; hint again; quit
perfect would play b2: draw in 8 plies
> mutorere --second human: hint  again; quit
: endless draw
> gomoku --second human --seconds 0.1: hint; quit
Nothing is proven here.
> gomoku --second human --seconds 0.1: h8; a1; h9; b1; h10; c1; a8; d1; hint; hint again; hint why; quit
O threatens to win at once: stop it
threats would play e1: not proven
X must play e1: every other move loses
e1 stops O's threat
> tic-tac-toe --second human: b2; moves; quit
  a1  draw in 8 plies
  b1  loss in 6 plies
> tic-tac-toe --second human --seed 1: b2; b1; hint again; hint why; quit
: win in 5 plies
 keeps the win
> tic-tac-toe --second human: a1; b1; b2; undo; b2; c3; a3; a2; c1; y; n
7 plies, X wins
  2  O b1?  mistake
The turning point is 2. O b1
> tic-tac-toe --second human: a1; a2; b1; b2; c1; n; y; a1; a2; b1; b2; c1; ; n
Score: first human 2, second human 0, drawn 0. Goodbye.
> tic-tac-toe: a1; quit
O (perfect) plays
> mutorere: c2; quit
O (perfect) plays
> lines:9,9,4,misere=true --seconds 0.1: e5; quit
O (hard) plays
> tic-tac-toe --first wins: quit
X (wins) plays
> tic-tac-toe random --seed 1: b2
tic-tac-toe: human against random.
X (human) plays b2
> examples/hexapawn.py:3,3 --second human: a1a2; b3a2; quit
White (human) plays a1a2
Black (human) plays b3a2
"""
"""Games: how each is started, what is typed, and what is said among other things."""


def games():
    for game in GAMES[1:].split("> ")[1:]:
        typed, *said = game.splitlines()
        arguments, lines = typed.split(": ", 1)
        yield pytest.param(arguments, lines.split("; "), said, id=typed)


@pytest.mark.parametrize(("arguments", "lines", "said"), [*games()])
def test_what_is_typed_and_what_is_said(typed, arguments, lines, said):
    out = typed(arguments, *lines)
    assert [words for words in said if words not in out] == []


@pytest.mark.parametrize(
    ("game", "moves", "idea"),
    [
        ("tic-tac-toe", "a1 b1 a2 b2", "X can win at once, in one way."),
        ("tic-tac-toe", "a1 b2 b1", "X threatens to win at once: stop it."),
        ("tic-tac-toe", "a1 b1 b2 c3", "Look for a move that makes two threats at once."),
        ("tic-tac-toe", "b2 b1", "Look for a move that threatens to win at once."),
        ("tic-tac-toe", "b2", "Four of the eight moves keep the draw."),
        ("tic-tac-toe", "", "Every move keeps the draw: choose one that is hard for O to answer."),
        ("kingpawns", "", "Only one of the five moves keeps the win. Look 5 plies ahead."),
        ("kalah:2,2", "", "south loses against best play; one of the two moves loses by the least."),
        ("dots:2,2", "", "Four of the 12 moves give the win away."),
        *nightly(("tactic-toe", "b1", "O loses against best play; two of the eight moves lose latest.")),
    ],
)
def test_a_hint_is_an_idea_that_names_no_move(typed, game, moves, idea):
    assert idea in typed(f"{game} --second human", *moves.split(), "hint", "quit")


def test_a_review_is_offered_at_the_end_alone_and_may_be_declined(typed):
    out = typed(PEOPLE, "a1", "b1", "b2", "undo", "b2", "c3", "a3", "a2", "c1", "", "n")
    assert "Review the game? [y/N]" not in out.partition("X (human) wins.")[0]
    assert "mistake" not in out


def test_help_tells_every_word(typed):
    out = typed("tic-tac-toe", "help")
    assert all(f"\n  {word} " in out for word in {*TERMINAL_WORDS} - {"?", "exit", "q"})


def test_undo_takes_both_moves_back_against_a_player(typed):
    out = typed("tic-tac-toe --second minimax --seed 1", "undo", "a1", "undo", "a1", "quit")
    assert "There is no move of yours to take back." in out
    assert out.count("X (human) plays a1") == 2


SLIDING = """
from perfectplay import LOSS, ONGOING, Game
def moves(mine, theirs): return mine if mine & 3 else 0
def play(mine, theirs, move): return theirs, 7 & ~theirs & ~(1 << move)
def outcome(mine, theirs): return ONGOING if moves(mine, theirs) else LOSS
def game(): return Game(moves=moves, play=play, outcome=outcome, bits=3, shape=(3, 1), start=(1, 4))
"""
NAMED = """
from dataclasses import replace
from perfectplay import load
def game(): return replace(load('lines:2,1,2'), move_names=('quit', 'undo'))
"""
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


@pytest.mark.parametrize(
    ("rules", "arguments", "lines", "words"),
    [
        (SLIDING, "human human", ["2", "1"], ["│ X │   │ O │", "'2' is not a legal move", "X (human) plays a1"]),
        (NAMED, "human human", ["quit", "undo", "n", "n"], ["X (human) plays quit", "O (human) plays undo"]),
        (WIDE, "--seconds 0.1", ["d4", "hint again", "quit"], ["O (mcts) plays", "mcts would play"]),
        (UNCOMPILED, "--seconds 0.1", ["d4", "hint again", "quit"], ["O (mcts) plays", "mcts would play"]),
    ],
    ids=["numbers of squares", "moves called like commands", "too wide to be solved", "not compiled"],
)
def test_games_of_a_users_own(typed, tmp_path, rules, arguments, lines, words):
    (tmp_path / "own.py").write_text(rules)
    out = typed(f"{tmp_path}/own.py {arguments}", *lines)
    assert [word for word in words if word not in out] == []


def test_a_bot_that_cheats_loses(typed, tmp_path):
    file = tmp_path / "bots.py"
    file.write_text("def ai(board, side): return 0, 0\n")
    out = typed(f"tic-tac-toe --second {file}:ai", "a1", "y", "n")
    assert "1 ply, not finished" in out
    assert "(0, 0) as (row, column) is not a legal move for O" in out
    assert "X (human) wins." in out


# Programs that speak UGI

LISTENS = """
import sys
for line in sys.stdin:
    print(line, end="", file=sys.stderr, flush=True)
    word, *rest = line.split()
    if word in ("ugi", "isready"): print({"ugi": "ugiok", "isready": "readyok"}[word], flush=True)
    if word == "position": moves = rest[2:]
    if word == "go": ANSWER
"""
FIRST_FREE = "print('bestmove', next(s for s in ('a1', 'b1', 'c1', 'a2', 'b2') if s not in moves), flush=True)"


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Gives the name of a player that answers `go` so, and repeats on standard error what it is told."""
    monkeypatch.chdir(tmp_path)

    def answering(answer):
        (tmp_path / "listens.py").write_text(LISTENS.replace("ANSWER", answer))
        return f"'cmd:{sys.executable} listens.py'"

    return answering


def test_undo_tells_a_program_the_game_as_it_is_now(typed, program):
    out = typed(f"tic-tac-toe --second {program(FIRST_FREE)}", "b2", "c3", "undo", "c2", "quit")
    assert re.findall(r"^position startpos moves (.*)$", typed.told, re.MULTILINE) == ["b2", "b2 a1 c3", "b2 a1 c2"]
    assert typed.told.splitlines()[-1] == "quit"
    assert out.endswith("Goodbye.\n")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("print('bestmove b2', flush=True)", "not a legal move"),
        *nightly(("print('bestmove', flush=True)", "bestmove"), ("1 / 0", "exit code 1")),
    ],
)
def test_a_fault_of_a_program_loses_the_game_and_the_next_one_begins(typed, program, answer, said):
    out = typed(f"tic-tac-toe --second {program(answer)}", "b2", "n", "y", "b2", "n", "n")
    assert said in out
    assert out.count("loses the game.") == 2
    assert "human 2," in out


# Who plays


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)


def test_a_person_is_asked_how_strong(typed, terminal):
    out = typed("tic-tac-toe", "help", "?", "11", "winz", "", "b2", "quit")
    assert "'level:11' needs a whole number from 1 to 10, such as level:5." in out
    assert "did you mean wins?" in out
    assert "O (perfect) plays" in out
    assert out.count("1 to 10   from random to the best there is") == 2
    assert "no player is called 'help'" not in out
    assert "connect-four: it has no winning lines" in typed("connect-four", "threats", "3", "quit")
    assert "human against level:3" in typed("tic-tac-toe", "3", "quit")
    assert "O (human) to move" in typed("tic-tac-toe", "human_player", "b2", "quit")
    assert "X (random) plays" in typed("tic-tac-toe --first random", "quit")  # who is named need not be asked for


@pytest.mark.parametrize("lines", [("q",), ()])
def test_who_quits_when_asked_how_strong_sees_no_board(typed, terminal, lines):
    out = typed("tic-tac-toe", *lines)
    assert out.endswith("Goodbye.\n")
    assert "human against" not in out


def test_players_among_themselves_play_once_and_their_times_are_told(typed):
    out = typed("tic-tac-toe --first perfect --second minimax --seed 1")
    assert "Drawn." in out
    assert "Another" not in out
    assert re.search(r"^X \(perfect\): [\d.]+ m?s per move, [\d.]+ m?s at most$", out, re.MULTILINE)
    assert re.search(r"^O \(minimax\): .* at most; [\d,]+ nodes per move$", out, re.MULTILINE)


def test_toss(typed):
    outs = {typed(f"tic-tac-toe --second wins --toss --seed {seed}", "quit").splitlines()[2] for seed in range(9)}
    assert outs == {"The toss: X (human) moves first.", "The toss: X (wins) moves first."}


# The board


@pytest.mark.parametrize("game", ["lines:19,19,5", "connect-four", "fading:6,3", "kingpawns"])
def test_boards_of_every_kind_are_drawn_within_eighty_columns(typed, game):
    assert max(map(len, typed(f"{game} --second human", "quit").splitlines())) <= 80


NARROW = {
    "tic-tac-toe": [" 1 │ 1 │ 2 │ 3 │"],  # boxes
    "connect-four": ["  1 2 3 4 5 6 7"],  # blanks between squares
    "gomoku": ["    abcdefghijklmno", " 15 " + "·" * 15],  # squares side by side
    "lines:19,19,5": ["    abcdefghijklmnop", "    qrs", " 19 ···"],  # blocks
    "fading:8,3": ["   f  g  h", " 8 ·  ·  ·"],
    "nine-mens-morris": [" 7 ·─────·─────·", " O in hand 9  mill ·"],  # a line beside the board
    "mancala": [" north    4  4  4", " south 4  4  4"],
    "hare": [" steps up or down 0"],
}


@pytest.mark.parametrize("name", NARROW)
def test_a_board_can_be_read_in_twenty_columns(name):
    game = Match(name).game
    lines = [line.rstrip() for line in drawn_board(game, game.start, 0, columns=20).plain.splitlines()]
    assert max(map(len, lines)) <= 20
    assert {*NARROW[name]} <= {*lines}


def test_prose_is_wrapped_at_words_on_a_terminal_alone():
    text = "row and column from zero, in words longer than the line"
    wrapped = ["row and column from ", "zero, in words ", "longer than the line"]
    for terminal, lines in ((True, wrapped), (False, [text])):
        console = Terminal(file=StringIO(), force_terminal=terminal, width=20, color_system=None)
        say(console, text)
        assert console.file.getvalue().splitlines() == lines


@pytest.mark.parametrize(
    ("sides", "began"), [("0", None), ("01", 0), ("010", 1), ("00", 0), ("001", 0), ("0110", 1), ("0010", 2)]
)
def test_all_moves_of_a_turn_are_marked_as_the_latest(sides, began):
    history = [((number, 0), int(side)) for number, side in enumerate(sides)]
    assert turn_before(history) == (None if began is None else history[began])


@pytest.mark.parametrize(("name", "colours"), [("hex:4", ("cyan", "magenta")), ("dots:2,2", ("black", "black"))])
def test_labels_have_the_colours_of_the_sides_whose_edges_they_stand_at(name, colours):
    game = Match(name).game
    drawn = drawn_board(game, game.start, 0)
    styles = {drawn.plain[span.start : span.end].strip(): str(span.style) for span in drawn.spans}
    assert tuple(styles[label].rpartition("_")[2] for label in ("a", "1")) == colours


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
    for name in ("tic-tac-toe", "kingpawns"):
        board = drawn_board(Match(name).game, Match(name).position, 0)
        assert not any("dim" in str(span.style) for span in board.spans)
