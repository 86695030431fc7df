"""Games that repeat: two players who throw no dice play the same game again, and that is no new evidence."""

from collections.abc import Iterable

from perfectplay.arena.tournaments.played_game import PlayedGame
from perfectplay.players.named.human_player import PERSON
from perfectplay.players.registry import may_be_served, player_entry
from perfectplay.rules.notation import number_of
from perfectplay.words import Cause

Group = tuple[str, tuple[str, str], str]
"""Games that can repeat each other: same game, same players on the same sides, same position to play from."""
Course = tuple[tuple[str, ...], str, Cause | None]
"""All that two games must have in common to be the same: moves, result, and why it was forfeited."""


def group_of(game: PlayedGame) -> Group:
    """The group of a game."""
    return game.game, game.players, game.position


def course_of(game: PlayedGame) -> Course:
    """How a game went."""
    return game.moves, game.result, game.cause


def evidence_games(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """The games that are evidence, in the order of their numbers, each number once.

    A game in which no dice were thrown is left out if all games of its group went the same way, and it is not the first
    of them. As soon as two games of a group differ, its players do not always repeat, and all its games count.
    """
    numbered = {game.number: game for game in games}
    ordered = [numbered[number] for number in sorted(numbered)]
    courses: dict[Group, set[Course]] = {}
    for game in ordered:
        courses.setdefault(group_of(game), set()).add(course_of(game))
    met: set[Group] = set()
    evidence = []
    for game in ordered:
        group = group_of(game)
        if game.thrown or group not in met or len(courses[group]) > 1:
            evidence.append(game)
        met.add(group)
    return evidence


def would_repeat(game: PlayedGame, both_deterministic: bool) -> bool:
    """Whether the rest of the game's group need not be played, since it would be the same game again.

    `both_deterministic`: both players are known to play the same in the same position unless they throw dice.
    """
    return both_deterministic and not game.thrown and game.cause is None


def is_deterministic(name: str, solved: bool) -> bool:
    """Whether the player of that name plays the same in the same position of a game, unless it throws dice.

    Programs, functions and files of a user's own may do anything; people, too. Players that use up their time depend on
    it, and where the game is not solved, those that search do.
    """
    entry = player_entry(name)
    return solved and entry is not None and may_be_served(name) and entry.kind is not PERSON and not entry.kind.timed


def repeats_text(first: str, second: str, games: int) -> str:
    """A remark on two players so many of whose games were not played, since they would repeat earlier ones."""
    count = "one game" if games == 1 else number_of(games, "game")
    alike = "without dice they play the same game again; give them more openings"
    return f"{first} and {second} did not play {count}: {alike}."
