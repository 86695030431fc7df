"""Games as observations: the two games of an opening, from both sides, are one."""

from collections.abc import Iterable

from perfectplay.arena.tournaments.played_game import PlayedGame

Observation = tuple[PlayedGame, ...]
"""Two games of a pairing in a row, of the same opening from both sides; or a single game."""


def observations(games: Iterable[PlayedGame]) -> list[Observation]:
    """The games as observations, in the order of the numbers of their last games."""
    waiting: dict[frozenset[str], PlayedGame] = {}
    found: list[Observation] = []
    for game in sorted(games, key=lambda game: game.number):
        pairing = frozenset(game.players)
        before = waiting.pop(pairing, None)
        if before is not None and is_partner(before, game):
            found.append((before, game))
            continue
        if before is not None:
            found.append((before,))
        waiting[pairing] = game
    found += [(game,) for game in waiting.values()]
    return sorted(found, key=lambda seen: seen[-1].number)


def is_partner(one: PlayedGame, other: PlayedGame) -> bool:
    """Whether both have the same opening, from both sides."""
    return one.players == other.players[::-1] and (one.opening, one.position) == (other.opening, other.position)
