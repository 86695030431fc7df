"""The algorithms of the ladder on one game: what each finds, the move it would play, and what it costs.

In games with cycles plain minimax never ends; then the usual fixes for it, the repairs, are compared with the solution.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from perfectplay.commands.compete.compared_players import (
    ComparedPlayer,
    best_of,
    compared_player,
    labels,
    leading_to,
    move_text,
    player_notes,
    refuse_unseatable,
)
from perfectplay.commands.compete.comparing_cycles import CyclicComparison, Effort, compared_repairs
from perfectplay.commands.matches.match import Match
from perfectplay.commands.matches.playing import Contestant
from perfectplay.commands.terminal.arguments import Progress, told
from perfectplay.commands.terminal.draw_many import drawn_classes, listed, short_text, title_of, valued
from perfectplay.game import Game, canonical, move_entries
from perfectplay.insight.ladder import ALGORITHMS, Algorithm, Measured, Meter, measure
from perfectplay.insight.ladder.algorithms import (
    Trial,
    WrongValue,
    alphabeta,
    symmetric_cache,
    table_lookup,
    try_positions,
    worth,
)
from perfectplay.insight.ladder.bounds import value_entry
from perfectplay.rules.notation import move_name, number_of, show_position, value_name
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.search.tree_size import Cycle, tree_or_cycle
from perfectplay.views.document import (
    Beside,
    Board,
    Cell,
    Code,
    Document,
    Folded,
    Line,
    Notes,
    Part,
    Seen,
    Share,
    Strong,
    Table,
)
from perfectplay.views.numbers import time_text
from perfectplay.views.result import ResultClass
from perfectplay.words import Entry, Lookup, Move, Position

Rows = Mapping[Algorithm, Measured]


@dataclass(frozen=True)
class Comparison(metaclass=ResultClass):
    """What each algorithm of the ladder finds in one position of a game, which move it would play, and what it costs.

    `rows` has what each algorithm found, its nodes and seconds; `boards` is the number of positions in to_dict().
    `moves` has the true entry of each move, empty if it is not known. `trials` has for each unsound algorithm the
    nearest position in which it is wrong; `players` has what players of your own do.
    """

    game: Game = field(repr=False)
    side: int = field(repr=False)
    rows: Rows = field(repr=False)
    boards: int = field(default=0, repr=False)
    moves: Mapping[Move, Entry] = field(default_factory=dict, repr=False)
    trials: Mapping[Algorithm, Trial] = field(default_factory=dict, repr=False)
    players: tuple[ComparedPlayer, ...] = field(default=(), repr=False)

    @property
    def position(self) -> str:
        """The position compared from, as text."""
        return show_position(self.game, self.game.start, self.side)

    @property
    def best(self) -> Entry | None:
        """The true value and distance of the position; None if it is not known."""
        return best_of(dict(self.moves)) if self.moves else None

    def found_by(self, search: object) -> Measured:
        """The row of the algorithm with this search function."""
        return next(row for algorithm, row in self.rows.items() if algorithm.search is search)

    def gain(self, row: Measured) -> dict[str, float] | None:
        """How many times fewer nodes and less time than plain minimax; None if the algorithm found nothing."""
        return None if row.entry is None else self.times_minimax(row.meter.nodes, row.seconds)

    def times_minimax(self, nodes: int, seconds: float) -> dict[str, float]:
        """How many times as many nodes and as much time plain minimax took."""
        plain = self.rows[ALGORITHMS[0]]
        return {"nodes": plain.meter.nodes / nodes, "seconds": plain.seconds / seconds}

    def move_name(self, move: Move) -> str:
        """The name of a move in the position."""
        return move_name(self.game, self.game.start, self.side, move)

    def __repr__(self) -> str:
        nodes = ", ".join(f"{algorithm.name} {row.meter.nodes:,}" for algorithm, row in self.rows.items())
        return f"<Comparison of {self.game.name} from {self.position}: nodes of {nodes}>"

    def document(self) -> Document:
        """What each algorithm finds and costs, where an unsound one is wrong, and how the players do."""
        pruned = self.found_by(alphabeta)
        below = f"; without it alpha-beta has {pruned.meter.nodes - 1:,}" if pruned.entry else ""
        rows = [algorithm_row(self, algorithm) for algorithm in self.rows]
        rows += [player_row(self, *one) for one in zip(labels(self.players), self.players, strict=True)]
        return Document(
            title_of(self.game, self.side),
            Beside(
                Seen(Board(self.game, self.game.start, self.side)),
                [
                    Table(rows, ("algorithm", "nodes", "", "entries", "time", "fewer", "faster", "finds", "plays")),
                    Notes(
                        f"nodes: visits of a position, the root included{below}",
                        "fewer, faster: how many times, against minimax" + (", at least" if stopped(self) else ""),
                        "plays: the move it would make, and the result that follows with best play from there on",
                    ),
                ],
            ),
            Folded("the algorithms", Table([(algorithm.name, algorithm.about) for algorithm in self.rows])),
            *player_notes(self.players),
            *(trial_part(self, *one) for one in self.trials.items()),
            *cache_parts(self),
        )

    def to_dict(self) -> dict[str, object]:
        """The comparison as `perfectplay compare` prints it in JSON."""
        algorithms = [row_as_dict(self, algorithm, row) for algorithm, row in self.rows.items()]
        result: dict[str, object] = {"game": self.game.name, "position": self.position, "algorithms": algorithms}
        if self.players:
            result["players"] = [player.to_dict() for player in self.players]
        if self.boards:
            row = self.found_by(symmetric_cache)
            result["cache"] = row.entry and listed(self.game, self.side, row.meter.cache, self.boards)
        return result


def algorithm_row(found: Comparison, algorithm: Algorithm) -> list[Cell]:
    """What an algorithm costs, what it finds and the move it would play; or why it was stopped."""
    row = found.rows[algorithm]
    nodes, cache, move = row.meter.nodes, row.meter.cache, row.meter.move
    share = Share(nodes / max(one.meter.nodes for one in found.rows.values()), silent=True)
    entries = f"{len(cache):,}" if cache else "-"
    cost: tuple[Cell, ...] = (f"{nodes:,}", share, entries, time_text(row.seconds), *gain_texts(found, found.gain(row)))
    if row.entry is None:
        return [algorithm.name, *cost, "-", row.stopped]
    wrong = found.best is not None and worth(row.entry) != worth(found.best)
    finds = Line(valued(row.entry), " ", Strong("WRONG")) if wrong else valued(row.entry)
    plays = "-" if move is None else move_text(found.move_name(move), found.moves.get(move), found.best)
    return [algorithm.name, *cost, finds, plays]


def player_row(found: Comparison, name: str, player: ComparedPlayer) -> list[Cell]:
    """What a player costs, and the move that it plays; or why it has none."""
    calls, move = player.calls, player.move
    gain = None if player.fault or not calls else found.times_minimax(calls, player.seconds)
    cost: tuple[Cell, ...] = (
        "-" if calls is None else f"{calls:,}",
        None,
        "-",
        time_text(player.seconds),
        *gain_texts(found, gain),
    )
    return [name, *cost, "-", move_text(move, player.leads_to, player.best) if move else player.fault]


def gain_texts(found: Comparison, times: dict[str, float] | None) -> list[str]:
    """The two columns of the speed-up."""
    if times is None:
        return ["-", "-"]
    least = "≥ " if stopped(found) else ""
    return [least + format(factor, ",.1f" if factor < 1000 else ",.0f") for factor in times.values()]


def stopped(found: Comparison) -> bool:
    """Whether plain minimax was stopped."""
    return found.rows[ALGORITHMS[0]].stopped is not None


def trial_part(found: Comparison, algorithm: Algorithm, trial: Trial) -> Part:
    """Where an unsound algorithm is wrong, drawn; or that no such position was found."""
    name, count, game, wrong = algorithm.name, trial.tried, found.game, trial.wrong
    if wrong is None:
        each = "the only unfinished position" if count == 1 else f"any of the {count:,} unfinished positions"
        part = f"the {number_of(count, 'position')} tried; more nodes or seconds may find one"
        return Notes(f"{name}: no wrong value in {f'{each} from here on' if trial.complete else part}")
    side = found.side ^ wrong.turned
    finds, truth = (short_text(value_entry(game, number)) for number in (wrong.value, wrong.true))
    values = f"it finds a {finds}, the truth is a {truth}"
    caption = f"{name} is wrong here, {game.look.sides[side]} to move: {values}"
    return Board(game, wrong.position, side, caption, Code(show_position(game, wrong.position, side)))


def cache_parts(found: Comparison) -> list[Part]:
    """The first positions in the cache by symmetry, drawn, as many as were asked for."""
    row = found.found_by(symmetric_cache)
    if row.entry is None and found.boards:
        return [Notes(f"no cache to show: symmetry {row.stopped}; allow it more nodes or seconds")]
    return drawn_classes(found.game, found.side, row.meter.cache, found.boards) if found.boards else []


def row_as_dict(found: Comparison, algorithm: Algorithm, row: Measured) -> dict[str, object]:
    """What one algorithm found, as in JSON; one that is unsound has the position in which it is wrong."""
    move = None if row.entry is None else row.meter.move
    facts: dict[str, object] = {
        "algorithm": algorithm.name,
        "nodes": row.meter.nodes,
        "entries": len(row.meter.cache),
        "seconds": round(row.seconds, 6),
        "speedup": found.gain(row),
        "value": row.entry and value_name(row.entry),
        "distance": row.entry and row.entry.distance,
        "move": None if move is None else found.move_name(move),
        **leading_to(None if move is None else found.moves.get(move), found.best),
        "sound": algorithm.sound,
        "stopped": row.stopped,
    }
    if row.entry is not None and row.entry.margin is not None:
        facts["margin"] = row.entry.margin
    if (trial := found.trials.get(algorithm)) is not None:
        wrong = trial.wrong and wrong_fields(found.game, found.side, trial.wrong)
        facts["trial"] = {"tried": trial.tried, "complete": trial.complete, "wrong": wrong}
    return facts


def wrong_fields(game: Game, side: int, wrong: WrongValue) -> dict[str, object]:
    """Where an algorithm is wrong, the value that it finds and the true one, as in JSON; with margins, if there are."""
    found, true = value_entry(game, wrong.value), value_entry(game, wrong.true)
    position = show_position(game, wrong.position, side ^ wrong.turned)
    facts: dict[str, object] = {"position": position, "value": value_name(found), "true_value": value_name(true)}
    return facts if game.margin is None else {**facts, "margin": found.margin, "true_margin": true.margin}


def compared(
    match: Match,
    effort: Effort,
    depth: int | None,
    players: Sequence[Contestant],
    boards: int,
    progress: Progress | None,
) -> Comparison | CyclicComparison:
    """What each algorithm, or in a game with cycles each of the usual fixes for minimax, finds where the match is."""
    for player in players:
        refuse_unseatable(player, match, effort.seconds)
    game, side = replace(match.game, start=match.position), match.turn
    cycle = tree_or_cycle(game)
    if isinstance(cycle, Cycle):
        endless = compared_repairs(game, side, cycle, effort, depth, boards, progress)
        lookup = by_class(game, endless.truth)
        found = tuple(compared_player(player, match, lookup, effort.seconds) for player in players)
        return replace(endless, players=found)
    rows = {
        algorithm: measure(algorithm.search, match.game, match.position, Meter(*effort))
        for algorithm in told(ALGORITHMS, len(ALGORITHMS), "algorithms", progress)
    }
    comparison = Comparison(game, side, rows, boards)
    truth = truth_in(match.game, comparison)
    if truth is not None:
        trials = {
            algorithm: try_positions(algorithm.search, match.game, match.position, truth, Meter(*effort))
            for algorithm in rows
            if not algorithm.sound
        }
        comparison = replace(comparison, moves=move_entries(match.game, match.position, truth), trials=trials)
    found = tuple(compared_player(player, match, truth, effort.seconds) for player in players)
    return replace(comparison, players=found)


def truth_in(game: Game, found: Comparison) -> Lookup | None:
    """The true entry of every position from the one compared on, if an algorithm has found them all."""
    row = found.found_by(symmetric_cache)
    if row.entry is not None:
        return by_class(game, row.meter.cache)
    return None if found.found_by(table_lookup).entry is None else solved_oracle(game).lookup


def by_class(game: Game, entries: Mapping[Position, Entry]) -> Lookup:
    """The lookup of positions in the entries of their canonical positions."""
    smallest = canonical(game)
    return lambda position: entries[smallest(*position)]
