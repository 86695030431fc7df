"""Players beside the algorithms of the ladder: the move they play, what it costs, and whether it is right."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.arena.bot_makers import close
from perfectplay.arena.bot_process import BotMaker
from perfectplay.arena.call_counter import CallCounter, Calls
from perfectplay.arena.referee import fault_line, play_move
from perfectplay.commands.matches.match import Match
from perfectplay.commands.matches.playing import Contestant, maker_of, name_of
from perfectplay.commands.terminal.draw_many import short_text
from perfectplay.game import Game, legal_moves, move_entries, symmetric_moves, turn_levels, unequal_scores
from perfectplay.players.seat import Maker, Seat
from perfectplay.rules.loading import split_path
from perfectplay.rules.notation import VALUE_NAMES, move_name, number_of, show_position
from perfectplay.solvers.worth import entry_fields
from perfectplay.views.document import Notes
from perfectplay.views.json_facts import Fact, digits, each, facts_in, json_facts
from perfectplay.views.result import ResultClass
from perfectplay.words import DRAW, BotFault, Entry, IllegalMove, Lookup, Move, Player, Position, Turn

# Whether a player gives symmetric moves the same score: a check of a search that needs no solution.


MOST = 100
"""The most positions in which a player's scores are asked."""


@dataclass(frozen=True)
class ScoreSymmetry(metaclass=ResultClass):
    """In how many positions scores were asked, and the first in which symmetric moves differ, with their scores."""

    asked: int
    position: str | None = None
    scores: tuple[tuple[str, float], ...] = ()

    @property
    def same(self) -> bool:
        """Whether symmetric moves always have the same score."""
        return self.position is None

    def __str__(self) -> str:
        if self.position is None:
            return f"gives symmetric moves the same score in the {number_of(self.asked, 'position')} asked"
        first = ", ".join(f"{move} {score:g}" for move, score in self.scores)
        return f"gives symmetric moves different scores, first in {self.position}: {first}"

    to_dict = json_facts("same", "asked", "position", Fact("scores", encode=dict))


def score_symmetry(game: Game, maker: Maker, turns: Iterable[Turn], seconds: float | None) -> ScoreSymmetry | None:
    """The check in these positions; None for a player that has no scores, or where no moves are symmetric."""
    if not isinstance(maker, BotMaker):
        return None
    asked = 0
    for position, side in turns:
        if not symmetric_moves(game, position):
            continue
        scores = maker.scores(Seat(game, side, Random(0), seconds), position)
        if scores is None:
            return None
        asked += 1
        unequal = unequal_scores(game, position, scores)
        if unequal:
            shown = tuple((move_name(game, position, side, move), scores[move]) for move in unequal)
            return ScoreSymmetry(asked, show_position(game, position, side), shown)
        if asked == MOST:
            break
    return ScoreSymmetry(asked) if asked else None


SAMPLE = 100
"""The most positions in which a player is asked, beside the one compared."""
LISTED = 100_000
"""The most positions among which these are drawn, the nearest."""
LOOKED_AT = 1_000
"""The nearest positions, among which those with symmetric moves show whether a player's scores are symmetric."""
COUNTING = 5
"""How many times as long a move may take while its calls are counted."""


@dataclass(frozen=True, kw_only=True)
class ComparedPlayer(metaclass=ResultClass):
    """The move that a player makes in one position, what it costs, and how often the player agrees with the solution.

    `calls` counts the calls of its most-called recursive function, `recursive`, and of those that call each other with
    it; of all functions in its files if none is recursive; None if nothing was counted. `fault` is why it has no move.
    `kept` of the `asked` positions keep their value after its move, `quickest` also win as soon and lose as late as
    possible; None if the solution is not known, or the player has no move. In `failed` of them it has no move,
    first for the reason `failure`; `stopped` is why it was not asked in more.
    """

    player: str
    move: str | None
    seconds: float
    leads_to: Entry | None = None
    """What the move is worth to the player, by the solution."""
    best: Entry | None = field(default=None, repr=False)
    """What the best move is worth."""
    calls: int | None = None
    recursive: tuple[str, ...] = ()
    fault: str = ""
    asked: int = 0
    of: int = 0
    """The positions that there are to ask in, from the one compared."""
    kept: int | None = None
    quickest: int | None = None
    failed: int = 0
    failure: str = ""
    stopped: str = ""
    symmetry: ScoreSymmetry | None = None
    """Whether it gives symmetric moves the same score; None if its file has no scores."""

    def __str__(self) -> str:
        return f"{self.player}: {self.fault or self.move}"

    def to_dict(self) -> dict[str, object]:
        """The player as in JSON."""
        return {
            **facts_in(self, "player", "calls", "recursive", Fact("seconds", encode=digits(6)), "move"),
            **leading_to(self.leads_to, self.best),
            "fault": self.fault or None,
            "agreement": self.agreement(),
            **facts_in(self, Fact("symmetry", "symmetric_scores")),
        }

    def agreement(self) -> dict[str, object]:
        """How often it agrees with the solution, as in JSON; with what went wrong if something did."""
        return facts_in(self, "asked", "of", "kept", "quickest", *each("failed", "failure", "stopped", rare=True))


def leading_to(after: Entry | None, best: Entry | None) -> dict[str, object]:
    """What a move leads to, as in JSON, and whether that is as good as the best move."""
    return {
        "leads_to": after and entry_fields(after),
        "keeps_value": None if after is None or best is None else after.value == best.value,
        "quickest": None if after is None or best is None else after.as_good_as(best),
    }


class Asked(NamedTuple):
    """A player's answer: the move or what went wrong, and the time."""

    move: Move | None
    fault: str
    seconds: float


def refuse_unseatable(player: Contestant, match: Match, seconds: float) -> None:
    """Raises BadPlayer if there is no such player for the game, before any search begins."""
    maker = maker_of(player)
    try:
        maker(Seat(match.game, match.turn, Random(0), seconds))
    finally:
        close(maker)


def compared_player(player: Contestant, match: Match, truth: Lookup | None, seconds: float) -> ComparedPlayer:
    """What the player does in the position, and in some that follow it, each move within `seconds`."""
    game, position, side = match.game, match.position, match.turn
    maker = maker_of(player)
    try:
        seated = [maker(Seat(game, number, Random(0), seconds)) for number in (0, 1)]
        answer = asked(game, position, side, seated[side])
        calls, symmetry = None, None
        tally: dict[str, Any] = {}
        if not answer.fault:
            calls = counted(player, maker, Seat(game, side, Random(0), COUNTING * seconds), position)
            if truth is not None:
                tally = agreement(game, position, side, seated, truth, seconds)
            symmetry = score_symmetry(game, maker, islice(unfinished(game, position, side), LOOKED_AT), seconds)
    finally:
        close(maker)
    known = None if truth is None else move_entries(game, position, truth)
    return ComparedPlayer(
        player=name_of(player),
        move=None if answer.move is None else move_name(game, position, side, answer.move),
        seconds=answer.seconds,
        leads_to=None if known is None or answer.move is None else known[answer.move],
        best=None if known is None else best_of(known),
        calls=calls and calls.total,
        recursive=tuple(calls.recursive) if calls else (),
        fault=fault_line(answer.fault, name_of(player)),
        symmetry=symmetry,
        failure=fault_line(tally.pop("failure", ""), name_of(player)),
        **tally,
    )


def asked(game: Game, position: Position, side: int, player: Player) -> Asked:
    """The player's answer; a move that is illegal is a fault."""
    begin = perf_counter()
    try:
        move = player(position)
        seconds = perf_counter() - begin
        play_move(game, position, side, move)
        return Asked(move, "", seconds)
    except (IllegalMove, BotFault) as fault:
        return Asked(None, fault_line(str(fault)), perf_counter() - begin)


def counted(player: Contestant, maker: Maker, seat: Seat, position: Position) -> Calls | None:
    """The calls that one move takes, in a process without memories of earlier moves if the player has its own."""
    if isinstance(maker, BotMaker):
        return maker.calls(seat, position)
    module = getattr(player, "__globals__", None)
    if module is None:
        return None
    with CallCounter(module) as counter, suppress(IllegalMove, BotFault):
        maker(seat)(position)
    return counter.result


def agreement(
    game: Game, position: Position, side: int, players: list[Player], truth: Lookup, seconds: float
) -> dict[str, Any]:
    """How often the players agree with the truth in some of the positions that there are, for `seconds` in all.

    The facts are fields of a ComparedPlayer.
    """
    there = list(islice(unfinished(game, position, side), LISTED))
    chosen = there if len(there) <= SAMPLE else Random(0).sample(there, SAMPLE)
    pairs: list[tuple[Entry, Entry]] = []
    faults: list[str] = []
    stopped, end = "", perf_counter() + seconds
    for here, mover in chosen:
        if perf_counter() > end:
            stopped = f"the {seconds:g} s for all positions were over"
            break
        answer = asked(game, here, mover, players[mover])
        if answer.move is None:
            faults.append(answer.fault)
        else:
            known = move_entries(game, here, truth)
            pairs.append((known[answer.move], best_of(known)))
    return {
        "of": len(there),
        "asked": len(pairs) + len(faults),
        "kept": sum(after.value == best.value for after, best in pairs),
        "quickest": sum(after.as_good_as(best) for after, best in pairs),
        "failed": len(faults),
        "failure": next(iter(faults), ""),
        "stopped": stopped,
    }


def unfinished(game: Game, position: Position, side: int) -> Iterator[Turn]:
    """The positions from this one on in which a move is to be made, and by whom, the nearest first."""
    for level in turn_levels(replace(game, start=position), side):
        yield from (turn for turn in level if legal_moves(game, turn[0]))


def best_of(entries: dict[Move, Entry]) -> Entry:
    """The entry of the best move."""
    return max(entries.values(), key=Entry.preference)


# The players in a comparison: how their rows are labelled, what was counted, and how often they agree.


def labels(players: Sequence[ComparedPlayer]) -> list[str]:
    """The names of the players' functions where these tell them apart, else all that was typed."""
    short = [split_path(player.player)[1] or player.player for player in players]
    return short if len(set(short)) == len(short) else [player.player for player in players]


def move_text(move: str, after: Entry | None, best: Entry | None) -> str:
    """The move and what it leads to: `c2: win in 1`, or `b1: win in 3, not 1` where there is a better one."""
    if after is None or best is None:
        return move
    if after.as_good_as(best):
        return f"{move}: {result_text(after)}"
    number = best.distance if best.margin is None else abs(best.margin)
    better = str(number) if after.value == best.value else result_text(best)
    return f"{move}: {result_text(after)}, not {better}"


def result_text(entry: Entry) -> str:
    """The value, and the distance if it matters."""
    return VALUE_NAMES[DRAW] if entry.value == DRAW else short_text(entry)


def player_notes(players: Sequence[ComparedPlayer]) -> list[Notes]:
    """What was counted for each player, and how often it agrees with the solution."""
    return [
        Notes(
            f"{name}: {counting_text(player)}",
            "" if player.kept is None else f"  {agreement_text(player)}",
            "" if player.symmetry is None else f"  {player.symmetry}",
        )
        for name, player in zip(labels(players), players, strict=True)
        if not player.fault
    ]


def counting_text(player: ComparedPlayer) -> str:
    """What the column of nodes has for a player."""
    if player.calls is None:
        return "its calls were not counted"
    if player.recursive:
        return f"the nodes are calls of {' and '.join(player.recursive)}"
    return "no function is recursive; the nodes are calls of all functions in its files"


def agreement_text(player: ComparedPlayer) -> str:
    """In how many positions the player keeps the value, and is as quick as possible; and why it was not asked more."""
    chosen = "all" if player.asked == player.of > 1 else f"{player.asked:,} of"
    stopped = f" ({player.stopped})" if player.stopped else ""
    asked = f"asked in {chosen} {number_of(player.of, 'position')} from here on{stopped}"
    failed = f"; no move in {player.failed:,}, first: {player.failure}" if player.failed else ""
    return f"{asked}: keeps the value in {player.kept:,}, is as quick as possible in {player.quickest:,}{failed}"
