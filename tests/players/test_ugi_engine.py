"""Any player as a UGI engine: what each command does, and matches under a manager that knows no rules."""

import os
import signal
import subprocess
from contextlib import suppress
from queue import Queue

import pytest

import perfectplay
from command_line import complaint
from foreign_manager import ENGINE, MOST_PLIES, Engine, engine, played
from perfectplay import Match, load
from perfectplay.arena.bot_makers import close, isolated_maker
from perfectplay.arena.ugi_engine import UgiEngine, limits_in
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Clock
from perfectplay.solvers.oracle import solved_oracle
from rings import nightly

SQUARES = {column + row for column in "abc" for row in "123"}


class Conversation:
    """An engine in this process, and what it says."""

    def __init__(self, game, name, maker=None, seed=1, **more):
        self.said = Queue()
        self.engine = UgiEngine(load(game), name, maker or player_maker(name), seed, self.said.put, **more)

    def say(self, *lines):
        for line in lines:
            assert self.engine.hear(line)

    def hear(self, until):
        """What the engine says up to the line that begins so."""
        lines = [self.said.get(timeout=60)]
        while not lines[-1].startswith(until):
            lines.append(self.said.get(timeout=60))
        return lines

    def ask(self, line, until):
        self.say(line)
        return self.hear(until)[-1]

    def query(self, *questions):
        return [self.ask(f"query {question}", "response").removeprefix("response ") for question in questions]


@pytest.fixture
def talk():
    """Makes engines, and ends them."""
    made = []

    def make(*arguments, **more):
        made.append(Conversation(*arguments, **more))
        return made[-1]

    yield make
    for one in made:
        one.engine.end()
        assert one.engine.has_ended(60)


def test_introduction(talk):
    it = talk("tic-tac-toe", "perfect", seed=7)
    it.say("ugi")
    name, author, *options, end = it.hear("ugiok")
    assert (name, author.split()[:2], end) == ("id name perfectplay perfect", ["id", "author"], "ugiok")
    assert options == ["option name Seed type spin default 7 min 0 max 9223372036854775807"]
    assert it.engine.players == {}, "nothing expensive happens before isready"
    assert it.ask("isready", "readyok") == "readyok"
    assert it.ask("isready", "readyok") == "readyok"


def test_the_start_is_there_before_any_position_and_in_every_new_game(talk):
    it = talk("tic-tac-toe", "perfect")
    assert it.query("result", "p1turn") == ["none", "true"]
    it.say("position startpos moves b2")
    assert it.query("p1turn") == ["false"]
    it.say("uginewgame")
    assert it.query("p1turn") == ["true"]
    assert it.ask("go", "bestmove") != "bestmove none"


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("startpos", "false true none"),
        ("startpos moves", "false true none"),
        ("startpos moves b2 a1 b1 b3", "false true none"),
        ("startpos  moves  b2 a1  b1 c1 b3", "true false p1win"),
        ("fen X:OO./X.X/...", "false true none"),
        ("fen X:O O . / X . X / . . .", "false true none"),
        ("fen X:O O . / X . X / . . . moves a1", "true true none"),
        ("fen X:OO./X.X/... moves c3 c1", "true true p2win"),
        ("startpos moves b2 a1 c1 a3 a2 c2 b1 b3 c3", "true false draw"),
    ],
)
def test_queries(talk, text, answers):
    it = talk("tic-tac-toe", "random")
    it.say(f"position {text}")
    assert it.query("gameover", "p1turn", "result") == answers.split()


def test_queries_where_a_side_moves_again(talk):
    """In kalah the side that ends in its store moves again; p1turn is about the side that began the game."""
    it = talk("kalah:3,2", "random")
    match, again = Match("kalah:3,2"), 0
    while not match.is_over:
        it.say(f"position startpos moves {' '.join(match.moves)}")
        assert it.query("p1turn", "gameover") == ["false" if match.turn else "true", "false"]
        before = match.turn
        match.play(match.legal_moves()[-1])
        again += match.turn == before
    assert again
    it.say(f"position startpos moves {' '.join(match.moves)}")
    assert it.query("result") == [{0: "p1win", 1: "p2win", None: "draw"}[match.result.winner]]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("startpos moves b2 b2", "b2"),
        ("startpos moves z9", "z9"),
        ("startpos moves b2 a1 b1 c1 b3 a2", "over"),
        ("fen X:OO./X.X", "rows"),
        ("fen nonsense", "nonsense"),
        ("fen X:XXX/OO./...", "X"),
        ("fen", "to move"),
        ("", "position"),
        ("endpos", "endpos"),
    ],
)
def test_a_position_that_cannot_be_is_explained_and_never_played(talk, line, word):
    it = talk("tic-tac-toe", "blocks")
    it.say("position startpos moves b2")
    assert word in it.ask(f"position {line}", "info string")
    assert it.query("gameover", "result") == ["true", "none"]
    it.say("go movetime 10")
    explained, answer = it.hear("bestmove")
    assert explained.startswith("info string ")
    assert answer == "bestmove none"
    it.say("position startpos moves b2 a1 b1")
    assert it.ask("go movetime 10", "bestmove") == "bestmove b3"


def test_a_finished_position_has_no_best_move(talk):
    it = talk("tic-tac-toe", "perfect")
    it.say("position startpos moves b2 a1 b1 c1 b3", "go infinite")
    explained, answer = it.hear("bestmove")
    assert "over" in explained
    assert answer == "bestmove none"


def test_a_search_says_what_it_found(talk):
    it = talk("tic-tac-toe", "perfect", truth=lambda: solved_oracle(load("tic-tac-toe")))
    it.say("position startpos moves b2 a1 b1 b3 a3", "go movetime 100")
    found, best = it.hear("bestmove")
    assert found.split()[:2] == ["info", "time"]
    assert best == "bestmove c1"
    assert found.endswith("score cp 0 pv c1")
    it.say("position startpos moves b2 b1 a1", "go")
    assert "score mate -4 pv c3" in it.hear("bestmove")[-2]
    it.say("position startpos moves b2 b1 a1 c3", "go")
    assert "score mate 3 pv a" in it.hear("bestmove")[-2]
    points = talk("kalah:3,2", "perfect", truth=lambda: solved_oracle(load("kalah:3,2")))
    points.say("go")
    assert f"score cp {100 * perfectplay.analyse('kalah:3,2').margin}" in points.hear("bestmove")[-2]


def test_nodes_are_told_where_the_player_counts_them(talk):
    it = talk("connect-four", "mcts")
    it.say("position startpos moves 4", "go movetime 100")
    words = it.hear("bestmove")[-2].split()
    assert int(words[words.index("nodes") + 1]) > 0
    assert "score" not in words


def test_every_form_of_go_is_answered(talk):
    it = talk("connect-four", "mcts:0.05")
    it.say("position startpos moves 4 4 3")
    for limits in (
        *("", "movetime 20", "depth 3", "nodes 1000", "movetime movetime", "movetime", "p1time 100 p2time 0"),
        *("p1time 100 p2time 100 p1inc 0 p2inc 0", "p1time -5 p2time 70", "ponder searchmoves 4 mate 3 movetime 20"),
    ):
        assert it.ask(f"go {limits}", "bestmove").split()[1] in set("1234567")


def test_limits_of_a_search():
    assert limits_in("movetime 1500").seconds == 1.5
    assert limits_in("infinite").endless
    assert limits_in("depth 3 nodes 5") == (None, None, False)
    assert limits_in("p1time 1000 p2time 2000 p1inc 10 p2inc 20").clock == Clock((1.0, 2.0), (0.01, 0.02))
    assert limits_in("p2time 2000").clock == Clock((2.0, 2.0))
    assert limits_in(f"movetime {'9' * 30}").seconds is None


def test_an_endless_search_answers_when_it_is_stopped(talk):
    for player in ("perfect", "mcts", "random"):
        it = talk("tic-tac-toe", player)
        it.say("position startpos", "stop", "go infinite", "isready")
        assert it.hear("readyok")[-1] == "readyok"
        assert it.engine.searching
        assert it.query("result") == ["none"], "other commands are answered meanwhile"
        assert "running" in it.ask("go", "info string a")
        best = it.ask("stop", "bestmove").split()[1]
        assert best in SQUARES
        it.say("stop", "stop")
        assert it.ask("go movetime 10", "bestmove").split()[1] in SQUARES


def test_what_is_not_known_is_ignored(talk):
    it = talk("tic-tac-toe", "random")
    it.say("", "   ", "xyzzy", "debug on", "register later", "ponderhit", "bestmove b2", "setoption")
    it.say("setoption name Hash value 4", "setoption name Ponder")
    assert it.ask("isready", "readyok") == "readyok"
    assert it.said.empty()
    assert "fen" in it.ask("query fen", "info string")
    for value in ("many", "-1", "99999999999999999999"):
        assert "Seed" in it.ask(f"setoption name Seed value {value}", "info string")
    assert not it.engine.hear("quit")


def test_the_same_seed_and_commands_give_the_same_moves(talk):
    def moves(seed, *first):
        it, found = talk("gomoku", "random", seed=seed), []
        it.say(*first)
        for _ in range(3):
            it.say("uginewgame")
            found += [it.ask("go", "bestmove") for _ in range(4)]
        return found

    assert moves(1) == moves(1) == moves(2, "setoption name Seed value 1")
    assert moves(1) != moves(2)
    games = moves(1)
    assert len({tuple(games[i : i + 4]) for i in (0, 4, 8)}) == 3, "games differ"


def test_faults_of_a_players_own_cost_its_move_only(talk, tmp_path):
    (tmp_path / "bots.py").write_text(
        "def odd(board, side):\n"
        "    if board[0][0]: raise ValueError('a1 is\\ntaken')\n"
        "    print('thinking')\n"
        "    return (0, 1)\n"
    )
    maker = isolated_maker(f"{tmp_path}/bots.py:odd")
    it = talk("tic-tac-toe", "odd", maker)
    try:
        for moves, fault in (("a1", "taken"), ("b1", "not a legal move")):
            it.say(f"position startpos moves {moves}", "go")
            said = it.hear("bestmove")
            assert said[-1] == "bestmove none"
            assert fault in said[-2]
            assert all("\n" not in line for line in said)
        it.say("position startpos")
        assert it.ask("go", "bestmove") == "bestmove b1"
    finally:
        close(maker)


def test_a_player_that_cannot_play_the_game_ends_the_engine(capsys):
    assert "human" in complaint(capsys, "bot tic-tac-toe human")
    assert "nobody" in complaint(capsys, "bot tic-tac-toe nobody")
    done = subprocess.run([*ENGINE, "kalah:3,2", "threats"], input="ugi\nisready\n", capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout.endswith("ugiok\n")
    assert "threats cannot play kalah:3,2" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("game", "players", "go"),
    [
        ("tic-tac-toe", ("random", "blocks"), "go depth 2"),
        *nightly(
            ("tic-tac-toe", ("perfect", "perfect"), "go movetime 20"),
            ("drop:4,4,3", ("perfect", "level:3"), "go p1time 2000 p2time 2000 p1inc 50 p2inc 50"),
            ("kalah:3,2", ("random", "perfect"), "go nodes 100"),
            ("tactic-toe", ("perfect", "perfect"), "go movetime 20"),
            ("mutorere", ("random", "random"), "go movetime 20"),
        ),
    ],
)
def test_matches_under_a_manager_that_knows_no_rules(game, players, go):
    a, b = ((*ENGINE, game, player, "--seed", "5") for player in players)
    with engine(*a) as first, engine(*b) as second:
        for one, other in ((first, second), (second, first)):
            moves, result = played(one, other, go)
            match = Match(game).play(*moves)
            if match.is_over:
                assert result == {0: "p1win", 1: "p2win", None: "draw"}[match.result.winner]
            else:
                assert (len(moves), result) == (MOST_PLIES, "none")
            if players == ("perfect", "perfect") and game == "tic-tac-toe":
                assert result == "draw"
        begin = "fen " + Match(game).play(*moves[:2]).text()
        more, _ = played(first, second, go, begin)
        assert Match(game).play(*moves[:2]).play(*more).moves


def test_input_may_end_while_a_search_runs():
    """What is typed by hand, or piped in, is answered to its last line."""
    lines = "ugi\nisready\nposition startpos moves b2 a1 b1\ngo movetime 100"
    done = subprocess.run([*ENGINE, "tic-tac-toe", "mcts"], input=lines, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("bestmove b3\n")


@pytest.mark.parametrize("end", ["interrupt", *nightly("quit", "input", "output", "terminate")])
def test_an_engine_ends_quietly(end):
    it = Engine([*ENGINE, "tic-tac-toe", "mcts"])
    try:
        it.ask("isready", "readyok")
        it.send("position startpos", "go infinite")
        it.ask("isready", "readyok")
        if end == "quit":
            it.send("quit")
        elif end == "input":
            it.process.stdin.close()
        elif end == "output":
            it.process.stdout.close()
            it.send("stop")
        else:
            os.kill(it.process.pid, signal.SIGINT if end == "interrupt" else signal.SIGTERM)
        code = it.process.wait(60)
        said = "perfectplay: interrupted; nothing is kept\n" if end in ("interrupt", "terminate") else ""
        assert it.process.stderr.read().replace("compiled code did not return; ", "") == said  # on a slow machine
        assert code == {"interrupt": 130, "terminate": 143}.get(end, 0)
        if end in ("quit", "input"):
            assert "bestmove" in it.process.stdout.read(), "the search ends as it does"
    finally:
        it.process.kill()
        it.process.wait()
        for stream in (it.process.stdin, it.process.stdout, it.process.stderr):
            with suppress(BrokenPipeError):
                stream.close()
