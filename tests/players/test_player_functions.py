"""Which functions are players: by their parameters, in a file or from Python."""

import functools
import random
import re
import typing  # noqa: F401  # for the parameters below

import pytest

import perfectplay
from perfectplay import BadPlayer, load
from perfectplay.__main__ import main
from perfectplay.arena import bot_process
from perfectplay.arena.battle import battle_of, sum_of, tallies
from perfectplay.arena.referee import play_game
from perfectplay.classic import bestmove
from perfectplay.players.bots.player_functions import (
    BOARD,
    BOARD_AND_SIDE,
    POSITION,
    SEAT,
    SIDE_AND_BOARD,
    STATE,
    STATE_OR_BOARD,
    recognised,
)
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.words import Position  # noqa: F401  # for the parameters below
from rings import nightly


class Bot:
    def __call__(self, board, side):
        return next((r, c) for r in range(3) for c in range(3) if board[r][c] is None)

    def choose(self, position):
        return 0


def function(text):
    """The function of that name in this text."""
    namespace = {**globals()}
    exec(text, namespace)
    return namespace[re.search(r"def (\w+)\(", text)[1]]


EXERCISE = "def {}(state): return state\ndef perfectplay_outcome(s): return 0"
FORMS = [
    (BOARD_AND_SIDE, "board, side", "board, side, depth=9", "board=None, side='X'", "player_board, other_board"),
    (BOARD_AND_SIDE, "turn, x", "board, current_player='X'", "*args"),
    (BOARD_AND_SIDE, functools.partial(lambda depth, board, side: None, 3), Bot()),
    (SIDE_AND_BOARD, "side, board", "current_player, game_board, depth=9", "symbol, state"),
    (BOARD, "board", "game_board, depth=9", "grid", "board: tuple[tuple[str, ...], ...]"),
    (STATE_OR_BOARD, "state", function(EXERCISE.format("other"))),
    (STATE, "x: tuple[int, ...]", "x: 'tuple[int, ...]'", "x: tuple", "x: 'tuple'", "x: typing.Tuple[int, ...]"),
    (STATE, function(EXERCISE.format("bestmove")), functools.cache(function(EXERCISE.format("bestmove"))), bestmove),
    (POSITION, "position", "pos", "x", "position: tuple", "x: Position", Bot().choose, max),
    (SEAT, "seat", "my_seat", "x: Seat"),
]


@pytest.mark.parametrize(("expected", "player"), [(form, player) for form, *players in FORMS for player in players])
def test_parameters_tell_the_form(expected, player):
    player = function(f"def it({player}): return None") if isinstance(player, str) else player
    assert recognised(player, "it", otherwise=POSITION).form is expected


@pytest.mark.parametrize(
    ("player", "complaint"),
    [
        (lambda: None, "takes 0 arguments; a player is my_ai(board, side), minimax(board), bestmove(state"),
        (lambda board, side, depth: None, "takes 3 arguments (board, side, depth)"),
        (
            lambda board, depth, is_maximizing: None,
            "(board, depth, is_maximizing); write a small my_ai(board, side) that calls it and returns the move; a pl",
        ),
        (lambda board, *, side: None, "needs side by keyword"),
        (function("async def waits(board, side): return 0, 0"), "is async"),
        (type("Waits", (), {"__call__": function("async def waits(self, board, side): return 0, 0")})(), "is async"),
        (function("def yields(board, side): yield 0, 0"), "is a generator"),
        (Bot.__call__, "a method without an object"),
    ],
)
def test_other_functions_get_one_line(player, complaint):
    with pytest.raises(BadPlayer, match=re.escape(complaint)) as caught:
        perfectplay.battle("tic-tac-toe", player, "random", games=1)
    assert "\n" not in str(caught.value)


def first_free(board):
    return next((r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell is None)


def test_a_function_of_a_board_gets_a_plain_grid():
    seen = []

    def minimax(board):
        seen.append(board)
        return first_free(board)

    result = perfectplay.battle("tic-tac-toe", minimax, "random", games=20, seed=1, swap=True)
    assert result.forfeits == (0, 0)
    assert result.wins[0] > 0
    assert {type(cell) for board in seen for row in board for cell in row} == {str, type(None)}
    assert type(seen[0]) is list


def test_a_function_of_side_and_board_gets_them_in_that_order():
    seen = []

    def my_ai(side, board):
        seen.append((str(side), board))
        return first_free(board)

    assert perfectplay.battle("tic-tac-toe", my_ai, "random", games=4, seed=1, swap=True).forfeits == (0, 0)
    assert {side for side, _ in seen} == {"X", "O"}
    assert seen[0][1] == [[None] * 3] * 3
    assert perfectplay.classic.play(my_ai, my_ai, show="none") == 1


def last_free(state: tuple[int, ...]):
    square = max(square for square, mark in enumerate(state) if mark == 0)
    return [*state[:square], 1 if state.count(1) == state.count(2) else 2, *state[square + 1 :]]


@pytest.mark.parametrize("game", ["lines:4,3,3", "connect-four"])
def test_functions_of_a_state_play(game):
    """The last free square is a legal move in games that drop marks as well; lists are as good as tuples."""
    assert perfectplay.battle(game, last_free, "random", games=10, seed=1, swap=True).forfeits == (0, 0)


def test_a_board_or_a_state_alone_must_tell_the_position():
    def play(mine, theirs, move):  # takes a piece of the other side away on each move after the first
        return theirs & (theirs - 1), mine | 1 << move

    rules = load("tic-tac-toe")
    taking = perfectplay.Game(moves=rules.moves, play=play, outcome=rules.outcome, bits=9, shape=(3, 3))
    for game, player, why in (
        ("tactic-toe", first_free, r"cannot play tactic-toe: its pieces are more than X and O; write my_ai\(board"),
        ("kingpawns", first_free, "cannot play kingpawns: its pieces are more than X and O"),
        ("tactic-toe", last_free, "cannot play tactic-toe: its pieces are more than X and O"),
        (taking, first_free, "the numbers of X and O do not tell which side is to move"),
    ):
        with pytest.raises(BadPlayer, match=why):
            perfectplay.battle(game, player, "random", games=1)


def fault_of(player, side="first"):
    """What the player does wrong in tic-tac-toe."""
    found = perfectplay.certify("tic-tac-toe", player, side=side)
    assert found.faults
    return found.counterexample.fault


@pytest.mark.parametrize("answer", [None, 4, (1, 1), (0,) * 9, (2,) + (0,) * 8, (1, 2) + (0,) * 7, "a1"])
def test_answers_that_are_no_next_state_are_refused(answer):
    def bestmove(state: tuple[int, ...]):
        return answer

    fault = fault_of(bestmove)
    assert "expected the state after a move of 1, such as (1, 0, 0, 0, 0, 0, 0, 0, 0)" in fault
    assert repr(answer) in fault


@pytest.mark.parametrize(
    "line", ["state[4] == 0", "state + (1,)", "state.index(0)", "state.count(0) or {}[0]", "{state}"]
)
def test_functions_of_a_state_that_get_rows_are_told_how_to_get_numbers(line):
    fault = fault_of(function(f"def ai(state): {line}"))
    assert "it got a board of rows; a parameter annotated tuple" in fault.partition("\n")[0]
    assert "annotated" not in fault_of(function(f"def other(board): {line}"))


@pytest.mark.nightly
def test_so_are_those_in_files(tmp_path):
    (tmp_path / "bots.py").write_text("def ai(state): state[4] == 0\ndef other(board): board[4] == 0\n")
    assert "it got a board of rows; a parameter annotated tuple" in fault_of(f"{tmp_path}/bots.py:ai")
    assert "annotated" not in fault_of(f"{tmp_path}/bots.py:other")


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def state_program(empty, first, second, always=False):
    """A perfect function of states with these numbers; `always`: the side to move is always the first number."""

    @functools.cache
    def value(state, mark):
        line = next((line for line in LINES if state[line[0]] != empty and len({state[at] for at in line}) == 1), None)
        if line or empty not in state:
            return 0 if line is None else 1 if state[line[0]] == mark else -1
        return -min(value(after, first + second - mark) for after in following(state, mark))

    def following(state, mark):
        return [(*state[:at], mark, *state[at + 1 :]) for at in range(9) if state[at] == empty]

    def bestmove(state):
        mark = first if always or state.count(empty) % 2 else second
        return min(following(state, mark), key=lambda after: value(after, first + second - mark))

    return bestmove


@pytest.mark.parametrize("marks", [(0, 1, -1, True), (-1, 0, 1), *nightly(((0, 1, 2),), ((0, 1, -1),))])
def test_a_state_has_the_numbers_that_the_function_takes(marks):
    program = state_program(*marks)

    def annotated(state: tuple):
        return program(state)

    assert perfectplay.certify("tic-tac-toe", program).perfect
    assert perfectplay.certify("tic-tac-toe", annotated, side="second").perfect


def test_numbers_that_nobody_guesses_or_of_several_kinds_are_refused():
    def unknown(state: tuple):
        return state_program(5, 6, 7)(state)

    def several(state: tuple):
        at = state.index(0)
        return (*state[:at], 1 if sum(state) <= 0 else -1, *state[at + 1 :])

    assert "ValueError" in fault_of(unknown, side="second")
    assert "take 0 for an empty square, 1 for the side that moves first and 2" in fault_of(several)


def test_a_trial_takes_nothing_from_the_dice():
    def bestmove(state: tuple):
        return random.choice([1])

    random.seed(1)
    dice = random.getstate()
    maker = recognised(bestmove, "it", otherwise=POSITION).form.maker(bestmove)
    game = load("tic-tac-toe")
    with pytest.raises(perfectplay.IllegalMove):
        maker(Seat(game, 0, random.Random(1)))(game.start)
    random.choice([1])
    found = random.getstate()
    random.setstate(dice)
    random.choice([1])
    random.choice([1])
    assert random.getstate() == found


def test_makers_play_from_python():
    def last(seat):
        return lambda position: perfectplay.legal_moves(seat.game, position)[-1]

    assert perfectplay.battle("connect-four", last, "random", games=4, seed=1, swap=True).forfeits == (0, 0)
    with pytest.raises(BadPlayer, match="returned int for a seat; it takes a seat, so it must return a function"):
        perfectplay.battle("connect-four", lambda seat: 5, "random", games=1)


BOTS = """
from neighbour import first_free
class Bot:
    def __call__(self, board, side): return first_free(board)
    def choose(self, board, side): return first_free(board)
class Seated:
    def __init__(self, seat): self.game = seat.game
    def __call__(self, position): return (self.game.moves(*position) & -self.game.moves(*position)).bit_length() - 1
class Needs:
    def __init__(self, depth): pass
    def __call__(self, board, side): return 0, 0
class Silent: pass
bot = Bot()
def lowest(position): return next(m for m in range(9) if not (position[0] | position[1]) >> m & 1)
def minimax(board): return first_free(board)
def maker(s): return Seated(s)
def unclear(b): return b[0][0]
def no_maker(x): return 5
def names(board, side): return board.moves[0]
"""


@pytest.fixture
def bots(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "neighbour.py").write_text(
        "def first_free(board):\n"
        "    return next((r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell is None)\n"
    )
    return f"{tmp_path}/bots.py"


def seated(name):
    """The player of that name, first in tic-tac-toe."""
    return player_maker(name)(Seat(load("tic-tac-toe"), 0, random.Random(1)))


@pytest.mark.parametrize("name", ["Bot", "bot", "bot.choose", "Seated", "lowest", "minimax", "maker", "names"])
def test_forms_in_a_file(bots, name):
    game, random_player = load("tic-tac-toe"), player_maker("random")
    one, other = (
        play_game(game, seated(f"{bots}:{player}"), random_player(Seat(game, 1, random.Random(1))))
        for player in (name, "lowest")
    )
    assert one.moves == other.moves


def test_a_bot_in_a_process_of_its_own_plays_a_game_with_pieces(bots):
    tally = sum_of(tallies(battle_of("kingpawns", (f"{bots}:names", "random"), 1, 3)))
    assert (tally.games, tally.forfeits) == (3, (0, 0))


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Bot.choose", "is a method without an object"),
        ("Silent", "whose objects cannot be called; write __call__(self, board, side)"),
        ("Needs", "returned Needs for a seat; call its parameter depth board, position or seat"),
        ("bot.nothing", "has no function 'bot.nothing'"),
        ("unclear", "call its parameter b board, position or seat, whichever it takes: a player is my_ai(board, side)"),
        ("no_maker", "returned int for a seat; call its parameter x board, position or seat"),
    ],
)
def test_other_things_in_a_file_get_one_line(bots, name, complaint):
    with pytest.raises(BadPlayer, match=re.escape(complaint)) as caught:
        seated(f"{bots}:{name}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def helper(x): pass\ndef three(a, b, c): pass\n", "write {}:NAME with one of helper, three"),
        ("def help(x): pass\ndef a(board): pass\ndef b(board): pass\n", "write {}:NAME with one of a, b, help"),
        ("def winner(board): pass\ndef best_move(board): pass\ndef ai(board): pass\n", "one of winner, best_move, ai"),
        (
            "def load(): pass\nclass Bot:\n    def __call__(self, board, side): pass\nbot = Bot()\n",
            "write {}:NAME with one of Bot, bot, load",
        ),
        ("x = 1\n", "has no function that can play; write my_ai(board, side)"),
        ("def game(): return None\n", "has a game, not a player; a player is a function such as my_ai(board, side)"),
        ("def unclear(b): return b[0][0]\n", "call its parameter b board, position or seat, whichever it takes"),
    ],
)
def test_a_file_without_a_function_lists_its_functions(tmp_path, text, complaint):
    (tmp_path / "one.py").write_text(text)
    with pytest.raises(BadPlayer) as caught:
        seated(f"{tmp_path}/one.py")
    assert complaint.format(f"{tmp_path}/one.py") in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "def good(board): {}\n",
        "import random\ndef _no(board, side): pass\ndef helper(x): pass\ndef good(board, side): {}\n",
        "def winner(board): pass\ndef make_move(board, move): pass\ndef findBestMove(board): {}\n",
        "def minimax(board): pass\ndef good(board): {}\n",
        "def minimax(board, depth, mine): pass\ndef winner(board): pass\ndef bestmove(board): {}\n",
        "def helper(a, b, c): pass\ndef minimax(board): {}\n",
    ],
)
def test_a_file_plays_by_the_one_function_that_can_be_meant(tmp_path, text):
    first_free = "return next((r, c) for r in range(3) for c in range(3) if board[r][c] is None)"
    (tmp_path / "one.py").write_text(text.format(first_free))
    assert seated(f"{tmp_path}/one.py")(load("tic-tac-toe").start) == 0


@pytest.mark.parametrize(
    ("line", "does"),
    [
        ("name = input('your name?')", "runs a game"),
        ("from sys import argv; first, *rest = argv[9:]", "reads sys.argv"),
        *nightly(("import sys; sys.exit()", "runs a game"), ("import sys; int(sys.argv[1])", "reads sys.argv")),
    ],
)
def test_a_file_that_plays_when_it_is_loaded_is_told_how_not_to(tmp_path, capsys, line, does):
    (tmp_path / "bots.py").write_text(f"def ai(board, side): return 0, 0\n{line}\n")
    assert main(["battle", "tic-tac-toe", f"{tmp_path}/bots.py:ai", "random"]) == 2
    error = capsys.readouterr().err
    assert "(line 2) does not load: " in error
    assert f"put what {does} behind if __name__ == '__main__':" in error


def test_a_file_that_loops_when_it_is_loaded_times_out(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_process, "TO_LOAD", 0.2)
    (tmp_path / "bots.py").write_text("def ai(board, side): return 0, 0\nwhile True: pass\n")
    maker = bot_process.BotMaker(f"{tmp_path}/bots.py:ai")
    with pytest.raises(BadPlayer, match=r"did not load within 0\.2 s .*if __name__ == '__main__'"):
        maker(Seat(load("tic-tac-toe"), 0, random.Random(1)))
