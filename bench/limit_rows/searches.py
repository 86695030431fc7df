"""Rows of the page of limits: searches of connect four, beside the C++ engine `bitbully` and on several threads.

Positions are those of bench/sets, each set in a new process that measures after its code is compiled. Both engines
keep their tables from one position to the next, as a program that asks for many positions does.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

BENCH = Path(__file__).parents[1]
sys.path.insert(0, str(BENCH))

from limit_rows.row import Found, Row, run_program  # noqa: E402

HARD_POSITIONS = 12
"""The hard openings that are searched on one thread and on two."""


def from_set(name: str, count: int | None = None) -> list:
    """The lines of a set: moves, value, distance."""
    lines = (BENCH / "sets" / f"{name}.txt").read_text(encoding="ascii").splitlines()
    return [line.split() for line in lines[:count]]


def beside_bitbully(name: str) -> dict:
    """The microseconds and nodes per position of both engines on a set; every score is compared."""
    from bitbully import bitbully_core

    from perfectplay import load
    from perfectplay.solvers.scores import TOP
    from perfectplay.solvers.search.alphabeta import Search

    game, lines, signs = load("connect-four"), from_set(name), {"win": 1, "draw": 0, "loss": -1}
    ours, theirs = Search(game), bitbully_core.BitBullyCore()
    positions, boards = [], []
    for moves, _, _ in lines:
        position, board = game.start, bitbully_core.BoardCore()
        for move in moves:
            position = game.play(*position, int(move) - 1)
            board.play(int(move) - 1)
        positions.append(position)
        boards.append(board)
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    for _ in range(5):
        ours.forget()
        begin = time.perf_counter()
        scores = [ours.score(position) for position in positions]
        times["ours"].append(time.perf_counter() - begin)
        theirs.resetTranspositionTable()
        begin = time.perf_counter()
        stones = [theirs.mtdf(board, 0) for board in boards]
        times["theirs"].append(time.perf_counter() - begin)
    for (moves, value, distance), score, stone in zip(lines, scores, stones, strict=True):
        assert score == signs[value] * (TOP - int(distance)), moves
        assert stone == signs[value] * ((42 - len(moves) - int(distance)) // 2 + 1), moves
    return {engine: min(seconds) / len(lines) * 1e6 for engine, seconds in times.items()}


def two_threads() -> dict:
    """The seconds of hard openings on one thread and on two, each with an empty table."""
    from perfectplay import load
    from perfectplay.solvers.search.alphabeta import Question, Search

    game = load("connect-four")
    search, seconds = Search(game, 24, threads=2), {1: 0.0, 2: 0.0}
    Question(search, 2).ask(game.start).pursue(1 << 20)  # compiles
    for moves, _, _ in from_set("opening-hard", HARD_POSITIONS):
        position, answers = game.start, set()
        for move in moves:
            position = game.play(*position, int(move) - 1)
        for threads in seconds:
            search.forget()
            begin = time.perf_counter()
            answers.add(Question(search, threads).ask(position).answer())
            seconds[threads] += time.perf_counter() - begin
        assert len(answers) == 1, moves
    return {str(threads): spent for threads, spent in seconds.items()}


def empty_board() -> dict:
    """The seconds in which two threads solve connect four from the empty board, without a book."""
    from perfectplay import load
    from perfectplay.solvers.scores import TOP
    from perfectplay.solvers.search.alphabeta import Question, Search

    game = load("connect-four")
    search = Search(game, 24, threads=2)
    Question(search, 2).ask(game.start).pursue(1 << 20)  # compiles
    search.forget()
    question, begin = Question(search, 2), time.perf_counter()
    assert question.ask(game.start).answer() == (TOP - 41, TOP - 41)
    return {"seconds": time.perf_counter() - begin, "nodes": question.nodes}


MEASURES: dict[str, Callable[[], dict]] = {
    "end-medium": lambda: beside_bitbully("end-medium"),
    "opening-short": lambda: beside_bitbully("opening-short"),
    "two-threads": two_threads,
    "empty-board": empty_board,
}


def measured(name: str, home: Path) -> tuple[dict, int]:
    """What one of these measures in a new process, and its peak memory."""
    path = os.pathsep.join([str(BENCH.parent / "src"), os.environ.get("PYTHONPATH", "")])
    ran = run_program([sys.executable, __file__, name], home, {"PERFECTPLAY_HOME": str(home), "PYTHONPATH": path})
    return json.loads(ran.output.splitlines()[-1]), ran.memory


def ratio(name: str) -> Callable[[Path], Found]:
    """Measures our time on a set as a fraction of bitbully's."""

    def measure(home: Path) -> Found:
        found, memory = measured(name, home)
        note = f"{found['ours']:.1f} against {found['theirs']:.1f} microseconds a position"
        return Found(found["ours"] / found["theirs"], memory, note=note)

    return measure


def speed_up(home: Path) -> Found:
    """Measures how many times as fast two threads are."""
    found, memory = measured("two-threads", home)
    return Found(found["1"] / found["2"], memory, note=f"{found['1']:.1f} s on one thread, {found['2']:.1f} s on two")


def from_the_start(home: Path) -> Found:
    """Measures the search from the empty board."""
    found, memory = measured("empty-board", home)
    return Found(found["seconds"], memory, note=f"{found['nodes'] / 1e6:,.0f} million nodes")


ROWS: list[Row] = [
    Row("9", "search, easy endgames, time beside bitbully", "ratio", 1.34, 1.0, ratio("end-medium")),
    Row("10", "search, openings with a near end, time beside bitbully", "ratio", 2.8, 0.3, ratio("opening-short")),
    Row("11a", "search, hard openings, two threads beside one", "times", 1.0, 1.7, speed_up, more_is_better=True),
    Row("11b", "connect four from the empty board, no book, two threads", "s", 30.0, 12.0, from_the_start),
]

if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]]()))
