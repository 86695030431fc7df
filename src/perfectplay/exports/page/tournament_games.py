"""The games of a tournament as its page gets them: rows of a list, and boards, values and blunders for the replay.

Boards are short texts: a character for each square of the first, and for each move the squares that it changes.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from perfectplay.arena.referee import fault_line
from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.arena.tournaments.standings_result import Standings
from perfectplay.arena.tournaments.tournament_settings import Tournament
from perfectplay.game import Game, after
from perfectplay.rules.notation import move_name, parse_move, parse_position, pieces_on
from perfectplay.solvers.oracle import TableOracle
from perfectplay.words import (
    DRAW,
    FIRST,
    ONGOING,
    SECOND,
    WIN,
    BadArgument,
    BadPosition,
    Entry,
    IllegalMove,
    Move,
    Turn,
)

Facts = dict[str, Any]
"""A JSON object that the page's script gets."""

EMPTY = "."
PLAIN, GAP = 79, 34
"""Characters from 0 to ~ stand for numbers below 79; larger ones leave the control characters after them out."""
MOST_STEPS = 60_000
"""Different moves that a report replays, at most: some ten seconds; the games after that are only listed."""
NAMED = 4
"""Moves that are named instead of a blunder, at most."""
BLUNDER = 0.0
"""A move that gives away more than this is a blunder."""
REPEATED, LATE = "repeated", "after the test"
"""Why a game does not count: it repeats an earlier one, or ended after the test was decided."""
HALF, WHOLE = 0.5, 1.0


class Step(NamedTuple):
    """A move: what it changes on the board, where it leads, and what it gave away and what would have kept it."""

    changes: str
    turn: Turn
    regret: float | None
    kept: str


def character(number: int) -> str:
    """A character that stands for a small number."""
    return chr(48 + number + (GAP if number >= PLAIN else 0))


class Report(NamedTuple):
    """What the page of a tournament shows: its games in order, and why games are `uncounted`, by their numbers."""

    tournament: Tournament
    standings: Standings
    games: Sequence[PlayedGame]
    uncounted: dict[int, str]

    @property
    def players(self) -> Sequence[str]:
        """The names of the players."""
        return self.tournament.labels

    @property
    def counted(self) -> list[PlayedGame]:
        """The games that count."""
        return [game for game in self.games if game.number not in self.uncounted]


def row(game: PlayedGame, players: Sequence[str]) -> Facts:
    """A game in the list of games: `players` by their places, `winner` by side or null."""
    known = [*judged(game)]
    blunders = [sum(side == mover and regret > BLUNDER for mover, regret in known) for side in (FIRST, SECOND)]
    return {
        "number": game.number,
        "players": [players.index(name) for name in game.players],
        "winner": game.winner,
        "plies": len(game.moves),
        "blunders": blunders if known else None,
        **({} if game.cause is None else {"cause": str(game.cause)}),
        **({"unfinished": True} if game.unfinished else {}),
    }


def judged(game: PlayedGame) -> Iterator[tuple[int, float]]:
    """The side and the regret of each move of a game of which the regret is known; a forfeit is the last."""
    for side, regret in zip(game.movers, game.regret, strict=False):
        if regret is not None and side in (FIRST, SECOND):
            yield side, regret
    if game.forfeit_regret is not None and game.winner is not None:
        yield SECOND - game.winner, game.forfeit_regret


class Replays:
    """The games of one tournament, move by move; what was found for a position is kept for the next game.

    With an oracle every position has its `value` for the first side: w5, l4 (plies to the end), d, +3 (points), ? (not
    known); without, moves have the regret that the record tells. A `board` has a character for each square.
    """

    def __init__(self, game: Game, oracle: TableOracle | None = None) -> None:
        self.game, self.oracle = game, oracle
        self.steps: dict[tuple[Turn, str], Step] = {}
        self.board, self.value = cache(self._board), cache(self._value)

    @property
    def is_full(self) -> bool:
        """Whether so much was replayed that the rest would take too long."""
        return len(self.steps) > MOST_STEPS

    def replay(self, played: PlayedGame) -> Facts:
        """A game to be replayed; one whose moves the rules do not allow has an `error` instead."""
        try:
            return self.replayed(played)
        except (IllegalMove, BadPosition, BadArgument) as fault:
            return {"error": str(fault).partition("\n")[0]}

    def replayed(self, played: PlayedGame) -> Facts:
        """The same; raises IllegalMove, BadPosition or BadArgument."""
        turn = self.begin(played)
        turns, steps = [turn], []
        for name in played.moves:
            steps.append(self.step(turn, name))
            turn = steps[-1].turn
            turns.append(turn)
        regrets = [
            told if told is not None else step.regret for told, step in zip(told_regrets(played), steps, strict=True)
        ]
        kept = {ply: step.kept for ply, step in enumerate(steps, 1) if step.kept}
        values = [self.value(turn) for turn in turns] if self.oracle is not None else told_values(played)
        rare = {
            "values": values,
            "regret": regrets if any(one is not None for one in regrets) else [],
            "kept": kept,
            "ms": [round(1000 * seconds, 1) for seconds in played.clock],
            "opening": list(played.opening),
            "said": said(played),
            "stderr": list(played.printed) if any(played.printed) else None,
            "margin": played.margin,
        }
        return {
            "moves": list(played.moves),
            "board": self.board(turns[0]),
            "changes": [step.changes for step in steps],
            "sides": "".join(str(side) for _, side in turns),
            **{key: value for key, value in rare.items() if value not in ([], {}, "", None)},
        }

    def begin(self, played: PlayedGame) -> Turn:
        """The turn that a game starts with."""
        return parse_position(self.game, played.position) if played.position else (self.game.start, FIRST)

    def last_step(self, played: PlayedGame) -> tuple[Turn, list[int]]:
        """The turn in which a game ended, and the squares that its last move changed."""
        turn, changes = self.begin(played), ""
        for name in played.moves:
            changes, turn = self.step(turn, name)[:2]
        board = self.board(turn)
        squares = [i for i in range(len(board)) if character(i) in changes[::2] and board[i] != EMPTY]
        return turn, squares

    def step(self, turn: Turn, name: str) -> Step:
        """The move of that name."""
        found = self.steps.get((turn, name))
        if found is None:
            (position, side), game = turn, self.game
            if game.outcome(*position) != ONGOING:
                raise IllegalMove(f"{name!r} cannot be played: the game is over")
            move = parse_move(game, position, side, name)
            following = after(game, position, side, move)
            regret, kept = self.price(turn, move)
            found = Step(changed(self.board(turn), self.board(following)), following, regret, kept)
            self.steps[turn, name] = found
        return found

    def price(self, turn: Turn, move: Move) -> tuple[float | None, str]:
        """What a move gives away, and after a blunder the moves that would have kept the result."""
        (position, side), game = turn, self.game
        if self.oracle is None:
            return None, ""
        try:
            study = self.oracle.study(position)
        except BadPosition:
            return None, ""
        regret = HALF * (study.here.least - study.moves[move].least)
        names = [move_name(game, position, side, one) for one in study.keeping if regret > BLUNDER]
        more = [f"{len(names) - NAMED + 1} others"] if len(names) > NAMED else []
        return regret, ", ".join([*names[: NAMED - len(more)], *more])

    def _value(self, turn: Turn) -> str:
        assert self.oracle is not None
        try:
            return value_text(self.oracle.lookup(turn[0]), turn[1])
        except BadPosition:
            return "?"

    def _board(self, turn: Turn) -> str:
        first = len(self.game.look.pieces[FIRST])
        pieces = pieces_on(self.game, *turn)
        return "".join(EMPTY if at is None else character(at[0] * first + at[1]) for at in pieces)


def value_text(entry: Entry, side: int) -> str:
    """What an entry of this side to move says for the first side."""
    sign = 1 if side == FIRST else -1
    if entry.margin is not None:
        return f"{sign * entry.margin:+}"
    if entry.value == DRAW:
        return "d"
    return f"{'w' if sign * entry.value == WIN else 'l'}{entry.distance}"


def changed(before: str, following: str) -> str:
    """The squares that differ: for each its character and that of what stands there."""
    pairs = enumerate(zip(before, following, strict=True))
    return "".join(character(i) + new for i, (old, new) in pairs if old != new)


def told_regrets(game: PlayedGame) -> Sequence[float | None]:
    """The regret of each move as the record tells it."""
    return game.regret if len(game.regret) == len(game.moves) else [None] * len(game.moves)


def told_values(game: PlayedGame) -> list[str]:
    """The value of each position to the first side as the record tells it: w, d, l or ?; empty if it tells nothing."""
    told, movers, regrets = game.values, game.movers, told_regrets(game)
    if len(told) != len(movers) or not any(value is not None for value in told):
        return []
    last = None if told[-1] is None or regrets[-1] is None else told[-1] - regrets[-1]
    worths = [*zip(movers, told, strict=True), (movers[-1], last)]
    firsts = [worth if worth is None or side == FIRST else 1 - worth for side, worth in worths]
    return ["?" if worth is None else "ldw"[round(2 * worth)] for worth in firsts]


def said(game: PlayedGame) -> str:
    """What the loser of a forfeited game did, in a line."""
    return fault_line(game.fault, "" if game.winner is None else game.players[1 - game.winner])
