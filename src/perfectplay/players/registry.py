"""All kinds of players in one table, and how a name is found in it."""

import os
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.compiler.line_rules import lines_fault
from perfectplay.game import Game
from perfectplay.players.bots.file_player import maker_in_file
from perfectplay.players.bots.json_player import JSON
from perfectplay.players.bots.openspiel_player import OPENSPIEL
from perfectplay.players.line_games.line_players import ROUTES, SQUARES, THREATS, WAYS, Depth, routes_maker
from perfectplay.players.monte_carlo.mcts_player import MCTS
from perfectplay.players.named.level_player import LEVEL
from perfectplay.players.named.minimax_player import MINIMAX
from perfectplay.players.named.one_ply_players import BLOCKS, RANDOM, WINS
from perfectplay.players.named.perfect import DAWDLING, PERFECT, TRICKY
from perfectplay.players.named.policy_player import (
    LEARNED,
    NOISY,
    SHALLOW,
    SOFTMAX,
    UNIFORM,
    WEIGHTED,
    expecting_kinds,
)
from perfectplay.players.player_kind import PERSON, PlayerKind, PlayerName, suits_searched, suits_solved
from perfectplay.players.seat import THINKING_SECONDS, Maker, Seat
from perfectplay.players.ugi.ugi_player import CMD
from perfectplay.rules.loading import split_player
from perfectplay.rules.plugins import PLAYERS, plugin_named, plugin_names
from perfectplay.solvers.oracle import table_oracle
from perfectplay.words import BadPlayer, Player

if TYPE_CHECKING:
    from perfectplay.players.models.policies import Policy


# `easy`, `medium`, `hard`: three levels of any game; on boards of lines too large for that, `routes`.


def difficulty(name: str, level: int, about: str, depth_of: Depth, seconds: float | None) -> PlayerKind:
    """The kind of players of that level, which search a large board of lines to a depth that depends on the board."""
    as_level = PlayerName(f"{LEVEL.name}:{level}", str(level), LEVEL.example)
    searching = routes_maker(name, depth_of, seconds)

    def make(seat: Seat) -> Player:
        suits = not lines_fault(seat.game) and table_oracle(seat.game) is None
        return searching(seat) if suits else LEVEL.maker(as_level)(seat)

    def maker(_: PlayerName) -> Maker:
        return make

    def policy(_: PlayerName, game: Game) -> "Policy":
        assert LEVEL.policy is not None
        return LEVEL.policy(as_level, game)

    return PlayerKind(name, f"{as_level.text}; on large boards of lines {about}", maker, policy=policy, compiles=True)


EASY = difficulty("easy", 3, "routes:3", lambda squares: min(3, squares), None)
MEDIUM = difficulty(
    "medium",
    6,
    "routes, half as deep as there are open squares, as far as its time allows",
    lambda squares: max(1, squares // 2),
    THINKING_SECONDS,
)
HARD = difficulty(
    "hard",
    9,
    "routes, one ply less deep than there are open squares, as far as its time allows",
    lambda squares: max(1, squares - 1),
    THINKING_SECONDS,
)


class PlayerEntry(NamedTuple):
    """The kind of player that a name means, and the name."""

    kind: PlayerKind
    name: PlayerName


def player_entry(text: str) -> PlayerEntry | None:
    """The kind that the name means, None if no kind does: it may still be a function in a user's file."""
    head, colon, parameter = text.partition(":")
    for kind in KINDS:
        if head in kind.names and (kind.example or not colon):
            return PlayerEntry(kind, PlayerName(text, parameter, kind.example))
    return None


def player_maker(text: str) -> Maker:
    """The maker of the players of that name: `wins`, `noisy:0.1`, `./bots.py:my_ai`; raises BadPlayer."""
    entry = player_entry(text)
    if entry is not None:
        return entry.kind.maker(entry.name)
    path, function = split_player(text)
    if path is not None:
        return maker_in_file(text, path, function)
    if (plugin := plugin_named(PLAYERS, text)) is not None:
        raise BadPlayer(plugin.fault)
    if os.access(text.partition(" ")[0], os.X_OK) and os.sep in text:
        raise BadPlayer(f"no player is called {text!r}; a program is written cmd:{text}")
    there = ", ".join([*(kind.example or kind.name for kind in KINDS), *plugin_names(PLAYERS)])
    raise unknown(text, "player", KINDS, f"there are {there}, or ./bots.py:my_ai", plugin_names(PLAYERS))


def policy_named(text: str, game: Game) -> "Policy":
    """The policy of the player of that name in that game; raises BadPlayer if there is none."""
    entry = player_entry(text)
    if entry is not None and entry.kind.policy is not None:
        return entry.kind.policy(entry.name, game)
    if entry is not None or in_own_file(text):
        instead = "" if entry is not None and entry.kind is PERSON else "; perfectplay battle plays it"
        raise BadPlayer(f"{text} has no known move probabilities{instead}")
    kinds = tuple(kind for kind in KINDS if kind.policy is not None)
    there = ", ".join(kind.example or kind.name for kind in kinds)
    raise unknown(text, "model or player with known move probabilities", kinds, f"there are {there}")


def unknown(
    text: str, what: str, kinds: tuple[PlayerKind, ...], otherwise: str, others: Sequence[str] = ()
) -> BadPlayer:
    """The error that nothing has this name, with the name that was probably meant."""
    close = get_close_matches(text, [*(name for kind in kinds for name in (kind.name, *kind.aliases)), *others], 1)
    return BadPlayer(f"no {what} is called {text!r}; {f'did you mean {close[0]}?' if close else otherwise}")


def may_be_served(text: str) -> bool:
    """Whether a request from anywhere may ask for the player: it reads no file and ends in time."""
    entry = player_entry(text)
    return entry is not None and entry.kind.served(entry.name)


def knows_values(text: str) -> bool:
    """Whether the player looks values up where the game is solved."""
    entry = player_entry(text)
    return entry is not None and entry.kind.fault in (suits_solved, suits_searched)


def thinks_by_the_clock(text: str) -> bool:
    """Whether the player thinks for all of its time, so that its answers may differ from call to call."""
    entry = player_entry(text)
    return entry is not None and entry.kind.timed


def menu_kinds(game: Game, solved: bool) -> list[PlayerKind]:
    """The players that a menu offers for the game, the strongest first."""
    return [
        kind for kind in reversed(KINDS) if kind.label and not (kind.timed and solved) and not kind.fault(game, solved)
    ]


def in_own_file(text: str) -> bool:
    """Whether the name means a function in a user's file, or one of a plug-in."""
    return player_entry(text) is None and split_player(text)[0] is not None


def in_own_process(text: str) -> bool:
    """Whether the name means a bot of a user's own: a function in a file, or a program."""
    entry = player_entry(text)
    return in_own_file(text) if entry is None else entry.kind is CMD


def plain_name(text: str) -> str:
    """The name with the kind's own name for an alias of it."""
    entry = player_entry(text)
    return text if entry is None else entry.kind.name + text[len(text.partition(":")[0]) :]


KINDS: tuple[PlayerKind, ...] = (
    PERSON,
    RANDOM,
    UNIFORM,
    WEIGHTED,
    LEARNED,
    SOFTMAX,
    SHALLOW,
    NOISY,
    SQUARES,
    WINS,
    BLOCKS,
    EASY,
    WAYS,
    ROUTES,
    MEDIUM,
    HARD,
    MCTS,
    THREATS,
    MINIMAX,
    OPENSPIEL,
    JSON,
    CMD,
    DAWDLING,
    PERFECT,
    TRICKY,
    *expecting_kinds(policy_named, may_be_served),
    LEVEL,
)
"""From the weakest to the strongest, about; the last plays at any strength."""


# Which player plays a game best.


def by_strength(game: Game, solved: bool) -> list[str]:
    """The players for the game, the strongest first, as far as its sizes tell: its rules may still not compile.

    A solved game is played perfectly. A game whose words compile is searched, and `perfect` thinks like the next in the
    list where it finds no proof. On a board of straight lines the threat search is stronger than random games.
    """
    on_lines = () if lines_fault(game) else (THREATS, HARD)
    return [kind.name for kind in (PERFECT, *on_lines, MCTS, BLOCKS) if not kind.fault(game, solved)]


def strongest(seat: Seat) -> tuple[str, Player]:
    """The strongest player that can sit down there, and its name: one whose rules must compile may not."""
    *names, last = by_strength(seat.game, table_oracle(seat.game) is not None)
    for name in names:
        with suppress(Exception):  # what a compiler says of rules that it cannot take
            return name, player_maker(name)(seat)
    return last, player_maker(last)(seat)
