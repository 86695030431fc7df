"""Certificates: proof that a player is perfect, from every position that it can meet, or a game that refutes it."""

import ast
import fnmatch
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from glob import glob, has_magic
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from perfectplay.arena.bot_makers import close
from perfectplay.arena.bot_process import BotMaker
from perfectplay.arena.examination import Answers, Encounter, choices_of, uniform
from perfectplay.arena.findings import Findings, Mistake as FoundMistake
from perfectplay.arena.project_check import check_project, project_name
from perfectplay.arena.referee import fault_line
from perfectplay.commands.chances.probabilities import estimated, examine, probabilities_of
from perfectplay.commands.compete.certificates import Certificate, Examined
from perfectplay.commands.compete.compared_players import ScoreSymmetry, score_symmetry
from perfectplay.commands.kinds import SIDE_WORDS
from perfectplay.commands.know.probability import Probability
from perfectplay.commands.know.refutations import Counterexample, Failure, Mistake
from perfectplay.commands.matches.playing import Contestant, check_can_travel, maker_of, name_of
from perfectplay.commands.terminal.arguments import Progress, game_of
from perfectplay.game import Game, move_entries
from perfectplay.players.seat import Seat
from perfectplay.processes.child_processes import begin_in_pool
from perfectplay.rules.notation import VALUE_NAMES, move_name, replay, show_position
from perfectplay.solvers.oracle import solved_oracle
from perfectplay.solvers.steps import finished
from perfectplay.words import FIRST, SECOND, BadPlayer, Lookup, Move, Sides

SIDES = {"first": (FIRST,), "second": (SECOND,), "both": (FIRST, SECOND)}
"""The sides that a player is examined on, by the name of the choice."""
ESTIMATE = 1_000
"""The most games that are played to estimate what is not known exactly."""
LISTED = 1_000
"""The most mistakes on a side that a certificate has in detail."""
MOST_SAID = 5
"""The most different remarks of a player that a certificate has."""


def certificate(
    game: Game,
    player: Contestant,
    side: str,
    seconds: float | None,
    repeats: int,
    seed: int,
    progress: Progress | None = None,
) -> Certificate:
    """The certificate of a player of a game that is solved or small.

    It is asked on that side so often, in so many seconds for a move, and from that seed.
    """
    lookup = solved_oracle(game, "certificates").lookup
    known = probabilities_of(game, player)
    printed: list[str] = []
    said: list[str] = []
    answers = examine(game, player, SIDES[side], seconds, repeats, seed, known, printed, said, progress)
    sides = []
    for asked in answers:
        found = examined(game, asked, lookup)
        if found.against_random is None and not found.stopped:
            found = with_estimate(game, player, found, seed, seconds)
        sides.append(found)
    project = project_name(player)
    calls, symmetry = own_functions(game, player, answers, seconds)
    return Certificate(
        game=game.name,
        player=name_of(player),
        sides=tuple(sides),
        known=known is not None,
        functions=check_project(game, project, seconds, printed) if project else (),
        first_move_calls=calls,
        repeats=repeats,
        symmetry=symmetry,
        printed="".join(printed),
        said=tuple(dict.fromkeys(said))[:MOST_SAID],
        rules=game,
    )


def own_functions(
    game: Game, player: Contestant, answers: Sequence[Answers], seconds: float | None
) -> tuple[int | None, ScoreSymmetry | None]:
    """The calls of a bot's own functions for the first move of the game, and whether its scores are symmetric.

    Each is None where it is not known: the bot does not move first, has no scores, or is no function in a file.
    """
    maker = maker_of(player, [])
    if not isinstance(maker, BotMaker):
        return None, None
    try:
        first = any(asked.side == FIRST for asked in answers)
        calls = maker.calls(Seat(game, FIRST, random.Random(0), seconds), game.start) if first else None
        turns = ((position, asked.side) for asked in answers for position in asked.moves)
        return (calls and calls.total) or None, score_symmetry(game, maker, turns, seconds)
    finally:
        close(maker)


# Several players, which may be patterns.


def expanded(players: Sequence[Contestant]) -> list[Contestant]:
    """The players, with all files and functions that a pattern such as submissions/*.py:ai or bots.py:*_ai means."""
    found: list[Contestant] = []
    for player in players:
        found += matching(player) if isinstance(player, str) else [player]
    return found


def matching(player: str) -> list[str]:
    """The players that a pattern means; the player itself if it is none."""
    pattern, colon, function = player.partition(":")
    files = sorted(glob(pattern, recursive=True)) if has_magic(pattern) else [pattern]
    if not files:
        raise BadPlayer(f"no file matches {pattern!r}")
    if not has_magic(function):
        return [file + colon + function for file in files]
    found = [f"{file}:{name}" for file in files for name in matching_functions(file, function)]
    if not found:
        raise BadPlayer(f"no function in {pattern} matches {function!r}")
    return found


def matching_functions(file: str, pattern: str) -> list[str]:
    """The functions of a file that match, in order, without running it; the pattern itself if the file is no Python."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except OSError as fault:
        raise BadPlayer(f"{file} cannot be read: {fault.strerror}") from fault
    except (ValueError, SyntaxError):
        return [pattern]
    return fnmatch.filter([node.name for node in tree.body if isinstance(node, ast.FunctionDef)], pattern)


def certificates(game: Game, players: Sequence[Contestant], jobs: int, *terms: Any) -> Iterator[Certificate]:
    """The certificates on these terms, as they are ready; one of a player that cannot be loaded says so."""
    solved_oracle(game, "certificates")
    if jobs == 1:
        yield from (certified_or_unusable(game, player, *terms) for player in players)
        return
    check_can_travel(game, players)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin_in_pool) as pool:
        futures = [pool.submit(certified_elsewhere, game.name, player, *terms) for player in players]
        try:
            yield from (replace(future.result(), rules=game) for future in as_completed(futures))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def certified_elsewhere(game: str, player: Contestant, *terms: Any) -> Certificate:
    """The certificate without the rules, which do not travel."""
    return replace(certified_or_unusable(game_of(game), player, *terms), rules=None)


def certified_or_unusable(game: Game, player: Contestant, *terms: Any) -> Certificate:
    """The certificate of a player, or one that says why the player could not be examined."""
    try:
        return certificate(game, player, *terms)
    except BadPlayer as fault:
        return Certificate(game=game.name, player=name_of(player), sides=(), unusable=str(fault), rules=game)


def examined(game: Game, answers: Answers, lookup: Lookup) -> Examined:
    """The answers of a player on one side as a result."""
    found = Findings(game, answers, lookup)
    return Examined(
        side=SIDE_WORDS[answers.side],
        asked=len(answers.moves),
        calls=answers.calls,
        seconds=answers.seconds,
        perfect=found.perfect,
        loses=found.loses,
        worst=VALUE_NAMES[found.worst],
        value=VALUE_NAMES[found.value((game.start, FIRST))],
        varying=answers.varying,
        slow_wins=len({slow.position for slow in found.slow_wins}),
        faults=len(answers.faults),
        failures=failures(found)[:LISTED],
        stopped=answers.stopped,
        mistake_count=len(found.mistakes),
        mistakes=tuple(mistake_at(found, mistake) for mistake in found.mistakes[:LISTED]),
        counterexample=counterexample(found),
        against_random=odds_against_random(game, answers),
    )


def failures(found: Findings) -> tuple[Failure, ...]:
    """The positions in which the player fails, those that are reached soonest first, with everything by name."""
    game, side = found.game, found.answers.side
    return tuple(
        Failure(show_position(game, position, side), fault_line(fault), names_of(game, found.path_to(position)))
        for position, turn in found.paths
        if (fault := found.fault((position, turn)))
    )


def mistake_at(found: Findings, mistake: FoundMistake) -> Mistake:
    """The mistake with everything by name."""
    game, side, position = found.game, found.answers.side, mistake.position
    entries = move_entries(game, position, found.lookup)
    keep = [move for move, entry in entries.items() if entry.value == mistake.before]
    return Mistake(
        show_position(game, position, side),
        move_name(game, position, side, mistake.move),
        VALUE_NAMES[mistake.before],
        VALUE_NAMES[mistake.after],
        tuple(move_name(game, position, side, move) for move in keep),
        names_of(game, found.path_to(position)),
    )


def counterexample(found: Findings) -> Counterexample | None:
    """The game that refutes the player, with everything by name."""
    game = found.refutation
    if game is None:
        return None
    return Counterexample(
        SIDE_WORDS[found.answers.side],
        names_of(found.game, game.moves),
        tuple(VALUE_NAMES[value] for value in game.values),
        VALUE_NAMES[game.result],
        game.repeats,
        game.fault,
    )


def names_of(game: Game, moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The names of moves that are played from the start."""
    return tuple(
        move_name(game, position, side, move) for position, side, move in replay(game, game.start, FIRST, moves)
    )


def odds_against_random(game: Game, answers: Answers) -> Probability | None:
    """The probabilities against an opponent who plays at random, exact if cycles are small; None if they are unknown.

    They are known if the player was asked everywhere, and its answers never differ or have known probabilities.
    """
    from perfectplay.players.models.odds import SMALL_CYCLES, computing_chain_odds  # numpy: only when it is wanted

    if answers.stopped or (answers.varying and not answers.has_chances):
        return None
    both = choices_of(answers), uniform(game)
    chain = Encounter(game, Sides(*(both if answers.side == FIRST else both[::-1])), answers.side)
    return Probability(*finished(computing_chain_odds(chain, (game.start, FIRST), SMALL_CYCLES)))


def with_estimate(game: Game, player: Contestant, found: Examined, seed: int, seconds: float | None) -> Examined:
    """The result with probabilities against a random opponent from games, about as many calls as there were."""
    games = min(ESTIMATE, max(10, found.calls // 5))
    players = (player, "random") if found.side == "first" else ("random", player)
    chances = estimated(game, players, games, seed, seconds).probability
    if found.side == "second":
        chances = Probability(chances.loss, chances.draw, chances.win)
    return replace(found, against_random=chances, estimated_from=games)
