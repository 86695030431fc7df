"""Small UGI bots for tic-tac-toe, each written for one test: what they do when they start and when they are to move."""

import random
import shlex
import sys
from textwrap import indent

from perfectplay import load
from perfectplay.arena.bot_makers import new_game
from perfectplay.arena.referee import play_game
from perfectplay.players.seat import Seat
from perfectplay.words import SECOND

GAME = load("tic-tac-toe")

BOT = """
import ctypes, os, pathlib, signal, socket, subprocess, sys, time
here = pathlib.Path(__file__).parent
NAMES = [column + row for row in "123" for column in "abc"]
moves, heard, asked = [], [], 0
def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()
def play():
    say("bestmove " + next(name for name in NAMES if name not in moves))
def sleep():
    while True:
        time.sleep(1000)
def mark(pid=None):
    (here / f"pid-{pid or os.getpid()}").touch()
AT_START
while line := sys.stdin.readline():
    words = line.split()
    heard.append(line.strip())
    if words[0] == "ugi":
        say("id name test")
        say("ugiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        moves = words[3:]
    elif words[0] == "go":
        asked += 1
AT_GO
    elif words[0] == "quit":
        break
"""


def ugi_bot(folder, at_go="play()", at_start="", name="bot.py"):
    """The player's name of a bot that does this when it is to move, and that when it starts."""
    path = folder / name
    path.write_text(BOT.replace("AT_START", at_start).replace("AT_GO", indent(at_go, 8 * " ")))
    return f"cmd:{shlex.quote(sys.executable)} -S -E {shlex.quote(str(path))}"


def played(maker, side=SECOND, seconds=5.0, **seat):
    """The record of a game of the bot against one that takes the first free square."""
    bot = maker(Seat(GAME, side, random.Random(1), seconds, **seat))
    new_game(maker)
    players = [lambda position: (GAME.moves(*position) & -GAME.moves(*position)).bit_length() - 1] * 2
    players[side] = bot
    return play_game(GAME, *players, forfeits=True)
