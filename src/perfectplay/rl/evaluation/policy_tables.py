"""Policies of every kind as tables: the probability of each move of each position of a solved game, checked."""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.arena.bot_makers import close
from perfectplay.arena.examination import thrown_dice
from perfectplay.arena.referee import fault_line, play_move
from perfectplay.commands.kinds import Choice
from perfectplay.commands.matches.playing import maker_of, name_of
from perfectplay.players.models.game_graph import Numbers as Weights, fractions
from perfectplay.players.registry import in_own_file, player_entry as found_player, policy_named, thinks_by_the_clock
from perfectplay.players.seat import Seat
from perfectplay.rl.solved_positions import Numbers, SolvedPositions
from perfectplay.rules.notation import parse_move, parse_position
from perfectplay.solvers.steps import Step, Steps
from perfectplay.words import FIRST, SECOND, BadArgument, BadPlayer, BotFault, IllegalMove, Position

BATCH = 1 << 14
"""Positions that a function is called with at a time."""
TOLERANCE = 1e-5
"""How far the probabilities of a position may be from 1 in all, and how much may be on illegal moves."""
EXACT = (int, Fraction)
"""Numbers that need no conversion."""
OUTPUTS = Choice("what functions return", ("probabilities", "logits"), wanted="neither 'probabilities' nor 'logits'")


class PolicyTable(NamedTuple):
    """A policy's name, and the probability of each edge when it moves first and when it moves second."""

    name: str
    first: Weights
    second: Weights

    def on(self, side: int) -> Weights:
        """The probabilities when it plays on that side."""
        return self.second if side == SECOND else self.first

    @property
    def by_side(self) -> bool:
        """Whether it plays the same position differently by side."""
        return self.first is not self.second


class Reading(NamedTuple):
    """How policies are read: fractions or decimals, what functions return, positions at a time, and what may be off."""

    exact: bool = False
    outputs: str = OUTPUTS.choices[0]
    batch_size: int = BATCH
    tolerance: float = TOLERANCE
    seconds: float | None = None


class Questions(NamedTuple):
    """Positions that a policy or a value function, which has that name in errors, is called with at a time."""

    positions: SolvedPositions
    name: str
    numbers: Numbers

    def text(self, row: int = 0) -> str:
        """A position as text."""
        return self.positions.text(int(self.numbers[row]))


def tabulating(positions: SolvedPositions, policy: Any, reading: Reading) -> Steps[PolicyTable]:
    """The table of a policy: of a player by name, of a function, of a torch module or of a mapping."""
    if isinstance(policy, PolicyTable):
        return policy
    if isinstance(policy, str):
        return (yield from player_table(positions, policy, reading))
    if isinstance(policy, Mapping):
        return mapping_table(positions, policy, reading)
    if not callable(policy):
        raise BadPlayer(
            f"{policy!r} is no policy: give a player's name, a function of observations, a torch module, "
            "or a mapping from positions to the probabilities of moves"
        )
    name, read = policy_name(policy), partial(checked_rows, reading=reading)
    weights = yield from asking(positions, policy, name, reading.batch_size, read, "policy")
    return PolicyTable(name, weights, weights)


def policy_name(policy: Any) -> str:
    """What a policy is called in results."""
    if isinstance(policy, Mapping):
        return "the table"
    name = "the function" if getattr(policy, "__name__", "") == "<lambda>" else name_of(policy)
    return name if isinstance(name, str) else type(policy).__name__


def player_table(positions: SolvedPositions, name: str, reading: Reading) -> Steps[PolicyTable]:
    """The table of one of our players: its known probabilities, or its answers if it always answers the same."""
    player = found_player(name)
    if (player is None and not in_own_file(name)) or (player is not None and player.kind.policy is not None):
        policy = policy_named(name, positions.game)
        policy.check(reading.exact)
        weights = policy.probabilities(positions.graph, reading.exact)
        return PolicyTable(name, weights, weights)
    tables, graph, met = [], positions.graph, [positions.met_by(side) for side in (FIRST, SECOND)]
    for side in (FIRST, SECOND):
        edges = graph.firsts[:-1].copy()  # the first move, where it is never asked
        edges[met[side]] = yield from player_edges(positions, name, side, reading.seconds)
        choices = np.zeros(graph.children.size, np.int64)
        choices[edges[graph.going]] = 1
        tables.append(graph.normalised(choices, reading.exact))
    if not np.intersect1d(met[FIRST], met[SECOND]).size:
        both = np.where(np.isin(graph.parents, met[FIRST]), *tables)
        return PolicyTable(name, both, both)
    return PolicyTable(name, *tables)


def mapping_table(positions: SolvedPositions, policy: Mapping[Any, Any], reading: Reading) -> PolicyTable:
    """The table of a mapping; one from texts may treat a position differently by side."""
    questions = Questions(positions, policy_name(policy), positions.unfinished)
    plain = reading._replace(outputs=OUTPUTS.choices[0])
    first, second = rows_of(positions, policy)
    weights = checked_rows(questions, first, plain)
    return PolicyTable(questions.name, weights, weights if second is first else checked_rows(questions, second, plain))


def checked_rows(questions: Questions, rows: NDArray[Any], reading: Reading) -> Weights:
    """The probabilities of these positions' edges in a row, from (positions, actions); raises BadArgument."""
    (positions, name, numbers), legal = questions, questions.positions.legal(questions.numbers)
    if rows.shape != legal.shape:
        raise BadArgument(
            f"{name} returned an array of shape {rows.shape}, not {legal.shape} (positions, actions), for a batch from "
            f"{questions.text()} on"
        )
    if rows.dtype == object:
        rows = as_fractions(questions, rows)
    elif rows.dtype.kind not in "fiub":
        raise BadArgument(f"{name} returned {rows.dtype} where probabilities are numbers")
    if reading.outputs == "logits":
        rows = softmax(questions, rows.astype(float), legal)
    refuse(questions, rows, legal, 0 if reading.exact else reading.tolerance)
    edges, places = positions.edges_of(numbers)
    weights: Weights = rows[places, positions.graph.moves[edges]]
    if reading.exact:
        return exact_ones(questions, places, fractions(weights))
    weights = np.maximum(weights.astype(float), 0)
    return weights / np.bincount(places, weights, numbers.size)[places]


def as_fractions(questions: Questions, rows: NDArray[Any]) -> NDArray[Any]:
    """Numbers of any kind as fractions; raises BadArgument at the first that is none, such as NaN."""
    exact = np.empty(rows.shape, object)
    for row, here in enumerate(rows.tolist()):
        try:
            exact[row] = [one if isinstance(one, EXACT) else Fraction(one) for one in here]
        except (ArithmeticError, TypeError, ValueError):
            where = questions.text(row)
            raise BadArgument(f"{questions.name} has a probability that is no number in {where}") from None
    return exact


def softmax(questions: Questions, rows: NDArray[Any], legal: NDArray[np.bool_]) -> NDArray[Any]:
    """Logits as probabilities of the legal moves."""
    rows = np.where(legal, rows, -np.inf)
    most = rows.max(axis=1, keepdims=True)
    bad = ~np.isfinite(most[:, 0]) | np.isnan(rows).any(axis=1)
    if bad.any():
        what = "NaN, infinity, or nothing finite as the logits of legal moves"
        raise BadArgument(f"{questions.name} returned {what} in {questions.text(int(np.argmax(bad)))}")
    weights = np.exp(rows - most)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def refuse(questions: Questions, rows: NDArray[Any], legal: NDArray[np.bool_], tolerance: float) -> None:
    """Raises BadArgument for the first position with something wrong: no number, negative, illegal, not 1 in all."""
    infinite = ~np.isfinite(rows) if rows.dtype.kind == "f" else np.zeros(rows.shape, bool)
    illegal = np.where(legal, 0, rows) > tolerance
    for mask, words in (
        (infinite, "{} has probability {} for action {} in {}"),
        (rows < -tolerance, "{} has the negative probability {} for action {} in {}"),
        (illegal, "{} puts probability {} on action {}, which is illegal in {}; legal are {}"),
    ):
        for row, action in np.argwhere(np.asarray(mask, bool))[:1].tolist():
            some = " ".join(map(str, np.flatnonzero(legal[row]).tolist()[:20]))
            raise BadArgument(words.format(questions.name, rows[row, action], action, questions.text(row), some))
    total = rows.sum(axis=1)
    off = np.asarray(abs(total - 1) > tolerance, bool)
    if tolerance and off.any():
        row, hint = int(np.argmax(off)), "; for logits, write outputs='logits'" if np.mean(off) > 0.5 else ""
        adds = f"add up to {float(total[row]):.6g}, not 1, in {questions.text(row)}"
        raise BadArgument(f"the probabilities of {questions.name} {adds}{hint}")


def exact_ones(questions: Questions, places: Numbers, weights: Weights) -> Weights:
    """The fractions, if those of each position add up to 1 exactly; raises BadArgument else."""
    total = np.zeros(questions.numbers.size, np.int64).astype(object)
    np.add.at(total, places, weights)
    for row in np.flatnonzero(np.asarray(total != 1, bool))[:1].tolist():
        raise BadArgument(
            f"the probabilities of {questions.name} add up to {total[row]}, not exactly 1, in {questions.text(row)}; "
            "give fractions, or leave out exact=True"
        )
    return weights


# Players without known move probabilities: asked in every position of a game, as long as they answer the same.


TIMES = 2
"""How often a player is asked in each position."""


def player_edges(positions: SolvedPositions, name: str, side: int, seconds: float | None) -> Steps[Numbers]:
    """The edges that a player of that name chooses on that side; raises BadPlayer where it fails or varies."""
    if thinks_by_the_clock(name):
        raise BadPlayer(
            f"{name} thinks by the clock, so its answers may differ; evaluate a player that always answers the same"
        )
    graph, maker = positions.graph, maker_of(name)
    there = positions.met_by(side)
    choices = np.full(there.size, -1)
    try:
        with thrown_dice(0) as (dice, throw):
            player = maker(Seat(positions.game, side, dice, seconds))
            for question in range(TIMES * there.size):
                place = question % there.size
                number = int(there[place])
                throw(question)
                try:
                    move = int(player(positions.position(number)))
                    play_move(positions.game, positions.position(number), side, move)
                except (IllegalMove, BotFault) as fault:
                    reason = fault_line(str(fault), name)
                    raise BadPlayer(f"{name} has no move in {positions.text(number, side)}: {reason}") from None
                edges = graph.edges(number)
                edge = edges.start + int(np.flatnonzero(graph.moves[edges] == move)[0])
                if choices[place] not in (-1, edge):
                    raise BadPlayer(
                        f"{name} answers differently from call to call in {positions.text(number, side)}: "
                        "only a player that always answers the same can be evaluated by asking it"
                    )
                choices[place] = edge
                yield Step("questions", question + 1, TIMES * there.size)
    finally:
        close(maker)
    return choices


# Functions and torch modules called with batches of observations, and what they return as checked arrays.


PolicyCall = Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]
"""What a batch of observations and legal moves gives."""
Reader = Callable[[Questions, NDArray[Any]], NDArray[Any]]
"""Checks what a function returns for these positions, and what it means."""
MASKS = ("legal", "legal_moves", "legal_actions", "legal_mask", "mask", "action_mask")
"""Names of a second argument with a default that is the legal mask all the same."""


def is_module(thing: object) -> bool:
    """Whether this is a torch module, which needs torch to be imported already."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.nn.Module)


def takes_mask(function: Callable[..., object]) -> bool:
    """Whether a function takes the legal moves as its second positional argument."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return False
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return True
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return len(places) > 1 and (places[1].default is places[1].empty or places[1].name in MASKS)


@contextmanager
def calling(thing: Any) -> Iterator[PolicyCall]:
    """A function or a torch module as a function of observations and legal moves.

    A module gets tensors of its own device and type, computes no gradients, and is in evaluation mode meanwhile.
    """
    if not is_module(thing):
        masked = takes_mask(thing)
        yield lambda observations, legal: thing(observations, legal) if masked else thing(observations)
        return
    torch = sys.modules["torch"]
    masked, modes = takes_mask(thing.forward), [(part, part.training) for part in thing.modules()]
    weights = next((one for one in (*thing.parameters(), *thing.buffers()) if one.is_floating_point()), None)
    place = {} if weights is None else {"device": weights.device, "dtype": weights.dtype}

    def call(observations: NDArray[np.float32], legal: NDArray[np.bool_]) -> Any:
        inputs = torch.from_numpy(observations).to(**place)
        mask = torch.from_numpy(legal).to(inputs.device)
        return thing(inputs, mask) if masked else thing(inputs)

    thing.eval()
    try:
        with torch.no_grad():
            yield call
    finally:
        for part, training in modes:
            part.training = training


def asking(
    positions: SolvedPositions, thing: Any, name: str, batch_size: int, read: Reader, what: str
) -> Steps[NDArray[Any]]:
    """What a policy or a value function says of all unfinished positions, as read; raises BadPlayer if it raises."""
    parts, done = [], 0
    with calling(thing) as call:
        for numbers in positions.batches(batch_size):
            questions = Questions(positions, name, numbers)
            try:
                rows = as_array(call(positions.observations(numbers), positions.legal(numbers)))
            except Exception as fault:
                reason = (str(fault).strip().splitlines() or [""])[0]
                raise BadPlayer(
                    f"{name} raised {type(fault).__name__}{': ' if reason else ''}{reason}, for a batch of "
                    f"{numbers.size:,} positions from {questions.text()} on"
                ) from fault
            parts.append(read(questions, rows))
            done += numbers.size
            yield Step(what, done, positions.unfinished.size)
    return np.concatenate(parts) if parts else np.zeros(0)


def as_array(array: Any) -> NDArray[Any]:
    """An array, whichever library made it."""
    if hasattr(array, "detach"):
        array = array.detach().cpu()
        array = array.double() if array.is_floating_point() else array
    return np.asarray(array)


# Policies given as a mapping: from a position or its text to a move, or to the probabilities of moves.


Rows = NDArray[Any]
"""A row of the probabilities of actions for each unfinished position."""


def rows_of(positions: SolvedPositions, policy: Mapping[Any, Any]) -> tuple[Rows, Rows]:
    """The rows of the player that moves first and of the one that moves second: one and the same, if they are."""
    either: dict[Position, Any] = {}
    by_text: tuple[dict[Position, Any], dict[Position, Any]] = ({}, {})
    for key, choice in policy.items():
        if isinstance(key, str):
            position, side = parse_position(positions.game, key)
            by_text[side][position] = choice
        else:
            either[position_of(positions, key)] = choice
    sides = positions.plies[:, positions.unfinished] >= 0
    choices: list[list[Any]] = [[], []]
    for place, number in enumerate(positions.unfinished.tolist()):
        position = positions.position(number)
        for side in (FIRST, SECOND):
            # a text stands for both sides, if the other has none
            tables = (by_text[side], either, by_text[1 - side]) if sides[side, place] else ()
            choices[side].append(next((one[position] for one in tables if position in one), None))
    gaps = [(place, side) for place, side in np.argwhere(sides.T).tolist() if choices[side][place] is None]
    if gaps:
        place, side = gaps[0]
        raise BadArgument(
            f"the table has no entry for {positions.text(int(positions.unfinished[place]), side)}; "
            f"{len(gaps):,} of {int(sides.sum()):,} positions are missing"
        )
    pairs = list(zip(*choices, strict=True))
    first = as_rows(positions, [b if a is None else a for a, b in pairs], None)
    if all(a is None or b is None or a is b for a, b in pairs):
        return first, first
    return first, as_rows(positions, [a if b is None else b for a, b in pairs], SECOND)


def position_of(positions: SolvedPositions, key: Any) -> Position:
    """The position that a key means."""
    try:
        mine, theirs = map(index, key)
    except (TypeError, ValueError):
        raise BadArgument(
            f"{key!r} is no position: a mapping has positions (mine, theirs) or texts such as "
            f"{positions.text(positions.graph.number(positions.game.start))!r}"
        ) from None
    return mine, theirs


def as_rows(positions: SolvedPositions, choices: list[Any], side: int | None) -> Rows:
    """The choices as rows: arrays as they are, moves and their probabilities in their places."""
    exact = any(isinstance(one, Fraction) for choice in choices for one in numbers_in(choice))
    rows = np.zeros((len(choices), positions.actions), object if exact else float)
    for place, (number, choice) in enumerate(zip(positions.unfinished.tolist(), choices, strict=True)):
        mover = int(positions.sides[number]) if side is None or positions.plies[side][number] < 0 else side
        rows[place] = row_of(positions, number, mover, choice)
    return rows


def numbers_in(choice: Any) -> Any:
    """The probabilities of a choice."""
    if isinstance(choice, Mapping):
        return choice.values()
    return () if isinstance(choice, (str, int)) else np.ravel(np.asarray(choice)).tolist()


def row_of(positions: SolvedPositions, number: int, side: int, choice: Any) -> Any:
    """The probability of each action by one entry of a mapping; raises BadArgument, naming the position."""
    if isinstance(choice, (str, int, np.integer)):
        choice = {choice: 1}
    if not isinstance(choice, Mapping):
        row = np.asarray(choice)
        if row.shape != (positions.actions,):
            raise BadArgument(
                f"the table has an array of shape {row.shape}, not ({positions.actions},), for "
                f"{positions.text(number, side)}"
            )
        return row
    probabilities: list[Any] = [0] * positions.actions
    for name, probability in choice.items():
        move = name if isinstance(name, str) else int(name)
        try:
            probabilities[parse_move(positions.game, positions.position(number), side, move)] += probability
        except IllegalMove as fault:
            if probability != 0:
                raise BadArgument(f"the table: {fault}, in {positions.text(number, side)}") from None
        except TypeError:
            raise BadArgument(
                f"the table has {probability!r} as a probability in {positions.text(number, side)}"
            ) from None
    return probabilities
