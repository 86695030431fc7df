"""Forecasts the number of positions of a game from its first plies, and the memory and time of a solve."""

import os
from math import comb, exp, log, prod
from random import Random
from typing import NamedTuple

from perfectplay.game import NEVER, Game, Spot, images, legal_moves
from perfectplay.processes.folders import data_folder, free_at
from perfectplay.rules.notation import spots
from perfectplay.words import FIRST, SECOND, TooBig

SEARCH = "search it with perfectplay analyse"
"""What to do with a game too large to solve."""
BEYOND = 1e60
"""Large enough to stop counting."""
NEAR = 10
"""A game that needs at most this many times the memory allowed may fit elsewhere."""
STEEP = 2.0
"""While plies grow faster, a forecast of a game with cycles is a lower bound."""
LEAST_BEND, LEAST_SLOWING = -0.01, -0.05
"""The logarithm of the growth decreases at least by twice this from ply to ply; by this with the ply's logarithm."""
APART = 10
"""An overestimate so many times the underestimate is not believed."""
LONG = 300
"""A random game that is still ongoing after this many plies counts as endless."""


class Forecast(NamedTuple):
    """The positions, bytes and seconds of a solve: an estimate, or a lower bound if `least`."""

    positions: int
    memory: int
    seconds: float
    least: bool

    def __str__(self) -> str:
        more = f"{in_words(self.positions)} positions, {in_bytes(self.memory)} of memory"
        return f"at least {more}" if self.least else f"about {more}, {in_time(self.seconds)}"


def most_positions(game: Game, symmetric: bool = False) -> int:
    """An upper bound on the number of positions; if `symmetric`, of classes, about.

    Each position has a key and a text of its own, so there are no more of them than ways to fill the squares. Where any
    empty square may be taken and a line ends the game, both sides have placed equally many marks, or one more.
    """
    most = [1 << game.bits if game.impartial else 1 << 2 * game.bits]
    if game.key is not None:
        most.append(game.keys or 1 << game.key_bits)
    if game.texts is None:
        most.append(max(prod(map(fillings, spots(game, side))) for side in (FIRST, SECOND)))
    if game.winning_lines is not None:
        squares = sum(map(bool, spots(game, FIRST)))
        most.append(sum(comb(squares, marks) * comb(marks, marks // 2) for marks in range(squares + 1)))
    return -(-min(most) // (images(game).count if symmetric else 1))


def fillings(square: tuple[Spot, ...]) -> int:
    """The number of contents of a square: nothing, or a piece of a kind of one side or of either."""
    return 1 + sum(3 - len(spot[1:]) for spot in square if spot != NEVER)


def expected_positions(sizes: list[int], longest: int | None, most: float = BEYOND) -> int:
    """The expected number of positions, given the number on each of the first plies; `most` at most.

    Where games end, after at most `longest` plies, the growth from ply to ply is taken to follow the ratio of moves
    left to moves made, to a power fitted to the last plies: 1 where pieces go anywhere, less where they fall. For games
    of known size, connect four included, it is right within a factor of 2 from 200,000 positions on.
    Where games may not end, growth can stop at any time, so only the positions found so far count.
    """
    size, total = float(sizes[-1]), float(sum(sizes))
    if longest is None or len(sizes) < 3:
        return int(total)
    growth = {ply: log(sizes[ply] / sizes[ply - 1]) for ply in range(max(2, len(sizes) - 5), len(sizes))}
    ratios = {ply: log(max(1, longest - ply + 1) / ply) for ply in range(2, max(longest, len(sizes)) + 1)}
    mean, mean_ratio = sum(growth.values()) / len(growth), sum(ratios[ply] for ply in growth) / len(growth)
    squares = sum((ratios[ply] - mean_ratio) ** 2 for ply in growth)
    slope = sum((ratios[ply] - mean_ratio) * (growth[ply] - mean) for ply in growth) / squares if squares else 1.0
    power = min(1.2, max(0.3, slope))
    for ply in range(len(sizes), longest + 1):
        size *= exp(mean + power * (ratios[ply] - mean_ratio))
        total += size
    return int(min(total, most, BEYOND))


class Growth(NamedTuple):
    """The expected number of positions of a game with cycles: a low and a likely figure; `least`: lower bounds."""

    low: int
    likely: int
    least: bool


def expected_with_cycles(sizes: list[int], most: float = BEYOND) -> Growth:
    """The expected number of positions, given the number on each of the first plies; `most` at most.

    Plies grow ever more slowly, then shrink. A bell curve, a parabola on a logarithmic scale, underestimates them;
    growth that decreases with the logarithm of the ply overestimates them; the geometric mean is likely. While plies
    grow by more than a factor of two, only the next one is counted.
    """
    total = sum(sizes)
    if len(sizes) > 2 and sizes[-1] > STEEP**2 * sizes[-3]:
        return Growth(total, int(min(total + sizes[-1] ** 2 // sizes[-2], most)), True)
    if len(sizes) < 8 or min(sizes[-8:]) == 0:
        return Growth(total, total, sizes[-1] > 0)
    import numpy as np  # small games do without

    heights = np.log(sizes[-8:])
    plies = np.arange(1.0 - heights.size, 1.0)
    bend, slope, height = np.polyfit(plies, heights, 2)
    if bend > LEAST_BEND:
        bend = LEAST_BEND
        slope, height = np.polyfit(plies, heights - bend * plies**2, 1)
    ahead = np.arange(1.0, 1000.0)
    bell = total + np.exp(np.minimum(height + slope * ahead + bend * ahead**2, 100.0)).sum()
    growth = (np.log(sizes[-6:]) - np.log(sizes[-8:-2])) / 2
    slowing, begin = np.polyfit(np.log(len(sizes) - 2.0 + np.arange(-5, 1)), growth, 1)
    rates = begin + min(slowing, LEAST_SLOWING) * np.log(len(sizes) - 1 + ahead)
    more = total + sizes[-1] * np.exp(np.minimum(np.cumsum(rates), 100.0)).sum()
    likely = float(np.sqrt(bell * min(max(bell, more), APART * bell)))
    return Growth(int(min(bell, most, BEYOND)), int(min(likely, most, BEYOND)), False)


def longest_game(game: Game, walks: int = 20) -> int | None:
    """The length of the longest of some random games, or None if one does not end."""
    rng = Random(1)
    longest = 0
    for _ in range(walks):
        position = game.start
        for ply in range(LONG):
            legal = legal_moves(game, position)
            if not legal:
                longest = max(longest, ply)
                break
            position = game.play(*position, rng.choice(legal))
        else:
            return None
    return longest


def free_memory() -> int:
    """The bytes of free memory, or a cautious guess where the system does not report it."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            facts = dict(line.split(":") for line in lines)
        return int(facts["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 4 << 30


def refuse(game: Game, forecast: Forecast, memory: int) -> TooBig:
    """The error for a game that does not fit, with what does work instead."""
    count = f"{'at least' if forecast.least else 'about'} {in_words(forecast.positions)} positions"
    takes = f" and {in_time(forecast.seconds)}" if forecast.seconds and not forecast.least else ""
    needs = f"{in_bytes(forecast.memory)} of memory{takes}"
    near = forecast.memory <= NEAR * memory
    what = "will not fit" if near else "is too large to solve"
    if near and forecast.memory <= free_memory():
        instead = "solve it with a larger memory=..."
    elif near and forecast.memory <= free_at(data_folder()):
        instead = 'solve it with engine="disk"'
    else:
        instead = SEARCH
    fault = TooBig(f"{game.name} {what}: {count} need {needs}, and {in_bytes(memory)} are allowed; {instead}")
    fault.needs = in_bytes(forecast.memory)
    return fault


def in_words(count: int) -> str:
    """5,478 or 35 million or 4.5e12."""
    if count < 1_000_000:
        return f"{count:,}"
    if count < 1_000_000_000:
        return f"{count / 1e6:.3g} million"
    return f"{count:.2g}".replace("e+0", "e").replace("e+", "e")


def in_bytes(size: float) -> str:
    """412 MiB or 3.5 GiB."""
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if size < 1000 or unit == "TiB":
            break
        size /= 1024
    return f"{size:,.3g} {unit}"


def in_time(seconds: float) -> str:
    """2 s or 5 min or 3 h or 12 days or 40 years."""
    for unit, longest, size in (("s", 120, 1), ("min", 7200, 60), ("h", 172_800, 3600), ("days", 5e7, 86_400)):
        if seconds < longest:
            return f"{max(1, seconds / size):.0f} {unit}"
    return f"{seconds / 31_557_600:,.3g} years"
