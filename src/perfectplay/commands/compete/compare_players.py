"""The players in a comparison: how their rows are labelled, what was counted, and how often they agree."""

from collections.abc import Iterator, Sequence

from perfectplay.commands.compete.compared_players import ComparedPlayer
from perfectplay.commands.terminal.draw_many import short_text
from perfectplay.rules.loading import split_path
from perfectplay.rules.notation import VALUE_NAMES, number_of
from perfectplay.words import DRAW, Entry


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


def player_lines(players: Sequence[ComparedPlayer]) -> Iterator[str]:
    """What was counted for each player, and how often it agrees with the solution."""
    for name, player in zip(labels(players), players, strict=True):
        if player.fault:
            continue
        yield ""
        yield f"{name}: {counting_text(player)}"
        if player.kept is not None:
            yield f"  {agreement_text(player)}"
        if player.symmetry is not None:
            yield f"  {player.symmetry}"


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
