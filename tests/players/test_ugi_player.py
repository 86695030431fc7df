"""What a program that speaks UGI is told: the moves, its time, the game; and what is heard of it."""

import random

import pytest

from perfectplay import BadPlayer, load
from perfectplay.arena.bot_makers import new_game
from perfectplay.game import after, legal_moves
from perfectplay.players.seat import Clock, Seat, SoFar
from perfectplay.players.ugi.ugi_bot import ToldGame
from perfectplay.words import FIRST, SECOND, Cause
from ugi_bots import played, ugi_bot

GAME = load("tic-tac-toe")


WRITES = "with open(here / 'heard', 'a') as file: file.write(''.join(line + '\\n' for line in heard)); heard.clear()\n"


def test_a_bot_is_told_the_moves_and_its_time(tmp_path, makers):
    maker = makers(ugi_bot(tmp_path, WRITES + "play()"))
    played(maker, seconds=2.5)
    played(maker, seconds=None)
    first = ["ugi", "uginewgame", "isready"]
    third = [
        *("position startpos moves a1", "isready", "go movetime {}"),
        *("position startpos moves a1 b1 c1", "isready", "go movetime {}"),
        *("position startpos moves a1 b1 c1 a2 b2", "isready", "go movetime {}"),
    ]
    lines = [*first, *third, *first[1:], *third]
    heard = (tmp_path / "heard").read_text().splitlines()
    assert heard == [line.format(2500 if number < 12 else 1000) for number, line in enumerate(lines)]


def test_a_bot_is_told_the_clock_and_where_the_game_began(tmp_path, makers):
    maker = makers(ugi_bot(tmp_path, WRITES + "moves = ['a1', 'b2', 'c3']; play()"))
    begin = ((1 << 0, 1 << 4), FIRST)
    so_far = SoFar(begin, (8,), Clock((10.0, 2.25), (0.1, 0.2)))
    player = maker(Seat(GAME, SECOND, random.Random(1), so_far=lambda: so_far))
    assert player((1 << 4, 1 << 0 | 1 << 8)) == 1
    *_, position, _, go = (tmp_path / "heard").read_text().splitlines()
    assert position == "position fen X:X../.O./... moves c3"
    assert go == "go p1time 10000 p2time 2250 p1inc 100 p2inc 200"


def test_a_clock_can_be_overdrawn_by_a_margin_in_all(tmp_path, makers):
    maker = makers(ugi_bot(tmp_path, "time.sleep(0.3); play()"))
    clock = Clock((0.0, 0.0))
    state = {"moves": ()}
    bot = maker(Seat(GAME, FIRST, random.Random(1), so_far=lambda: SoFar((GAME.start, FIRST), state["moves"], clock)))
    new_game(maker)
    bot(GAME.start)
    state["moves"] = (0, 1)
    with pytest.raises(BadPlayer, match="had no time left") as fault:
        bot((1, 2))
    assert fault.value.cause == Cause.TIME


def test_nodes_are_heard(tmp_path, makers):
    nodes = []
    at_go = "say('info depth 1 nodes 7'); say('info depth 2 nodes 45 pv a1'); play()"
    played(makers(ugi_bot(tmp_path, at_go)), searched=nodes.append)
    assert nodes == [45, 45, 45]


def test_an_option_called_game_is_set(tmp_path, makers):
    path = tmp_path / "bot.sh"
    path.write_text(
        "#!/bin/sh\nwhile read -r word rest; do case $word in\n"
        "ugi) echo 'option name Game type string default none'; echo ugiok;;\nisready) echo readyok;;\n"
        f"setoption) echo \"$rest\" > {tmp_path}/set;;\ngo) echo 'bestmove c3';;\nquit) exit 0;;\nesac; done\n"
    )
    path.chmod(0o755)
    record = played(makers(f"cmd:{path}"))
    assert record.moves[1] == 8
    assert (tmp_path / "set").read_text() == "name Game value tic-tac-toe\n"


def test_moves_are_found_where_nobody_keeps_the_game(tmp_path, makers):
    maker = makers(ugi_bot(tmp_path, WRITES + "play()"))
    player = maker(Seat(GAME, FIRST, random.Random(1)))
    assert player((0, 0)) == 0
    assert player((1, 1 << 4)) == 1
    assert player((1 << 8, 1 << 4)) == 0  # which cannot follow: another game, from a position in the middle
    positions = [line for line in (tmp_path / "heard").read_text().splitlines() if line.startswith(("pos", "ugin"))]
    assert positions == [
        *("uginewgame", "position startpos", "position startpos moves a1 b2"),
        *("uginewgame", "position fen X:.../.O./..X"),
    ]


@pytest.mark.parametrize("name", ["kalah:3,2", "dots:2,2", "tic-tac-toe", "reversi:4,4"])
@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_the_moves_that_are_found_are_those_that_were_made(name, side):
    """A turn of several moves may be found in another order, but it leads to the same position."""
    game, dice = load(name), random.Random(1)
    told, turn, made = ToldGame(game), (game.start, FIRST), 0
    while moves := legal_moves(game, turn[0]):
        move = dice.choice(moves)
        if turn[1] == side:
            assert told.follow(turn, None)
            assert (told.turn, told.begin, len(told.moves)) == (turn, (game.start, FIRST), made)
            told.add(move)
        turn, made = after(game, *turn, move), made + 1
