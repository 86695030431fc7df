"""Measures the strength of the players for large boards, and whether they keep their time limit.

python bench/large_boards.py [--record] [--games 100] [--seconds 0.2] [--ladder 0]

Five in a row on a 15x15 board, with the same time per move for every player. A game begins with one to three random
marks within the central 7x7 squares; each opening is played twice, with sides swapped. --ladder plays each level
against the one below in that many games. --record writes bench/results/large_boards.md; with 100 games and --ladder 400
that takes about an hour.
"""

import argparse
import platform
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from perfectplay import load
from perfectplay.arena.referee import play_game
from perfectplay.game import legal_moves
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat

GAME = "lines:15,15,5"
PAIRS = [("threats", "mcts"), ("threats", "routes:2"), ("threats", "hard"), ("mcts", "random")]
HEAD = "| player | against | games | won | drawn | lost | score | longest thought |\n|---|---|---|---|---|---|---|---|"


def main() -> None:
    """Plays and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--ladder", type=int, default=0)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    lines = [f"{GAME}, {options.seconds:g} s a move, on one core of {platform.machine()}.", "", HEAD]
    print("\n".join(lines), flush=True)
    steps = [(f"level:{n}", f"level:{n - 1}", options.ladder) for n in range(2, 11)] if options.ladder else []
    for one, other, games in [*((*pair, options.games) for pair in PAIRS), *steps]:
        lines.append(match(one, other, games, options.seconds))
        print(lines[-1], flush=True)
    if options.record:
        text = "# Large boards\n\nMeasured by `python bench/large_boards.py --record"
        text += f" --games {options.games} --seconds {options.seconds:g} --ladder {options.ladder}`: "
        target = Path(__file__).parent / "results" / "large_boards.md"
        target.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


def match(one: str, other: str, games: int, seconds: float) -> str:
    """A row of the table: the games of one player against another."""
    game = load(GAME)
    longest, tally = [0.0], {1: 0, 0: 0, -1: 0}
    makers = [player_maker(name) for name in (one, other)]
    players = [[maker(Seat(game, side, Random(7), seconds)) for side in (0, 1)] for maker in makers]
    for number in range(games):
        opened = replace(game, start=opening(game, Random(number // 2)))
        swapped = number % 2
        first, second = players[swapped][0], players[1 - swapped][1]
        watched = [timed(first, longest), second] if not swapped else [first, timed(second, longest)]
        winner = play_game(opened, *watched).winner
        tally[0 if winner is None else 1 if winner == swapped else -1] += 1
    score = (tally[1] + tally[0] / 2) / games
    return f"| {one} | {other} | {games} | {tally[1]} | {tally[0]} | {tally[-1]} | {score:.1%} | {longest[0]:.3f} s |"


def opening(game, rng):
    """The position after one to three random marks near the centre."""
    position = game.start
    width, height = game.shape
    for _ in range(rng.randrange(1, 4)):
        near = [
            move
            for move in legal_moves(game, position)
            if abs(move % width - width // 2) < 4 and abs(move // width - height // 2) < 4
        ]
        position = game.play(*position, rng.choice(near))
    return position


def timed(player, longest):
    """The same player; records its longest thinking time."""

    def choose(position):
        begin = time.perf_counter()
        move = player(position)
        longest[0] = max(longest[0], time.perf_counter() - begin)
        return move

    return choose


if __name__ == "__main__":
    main()
