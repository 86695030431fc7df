"""Openings from a file, one a line: moves by name, the text of a position, or a record of a game that is not over."""

from pathlib import Path

from perfectplay.arena.openings import lookup_or_none
from perfectplay.arena.tournament_settings import Opening
from perfectplay.game import Game, after
from perfectplay.game_records import GameRecord, read_games
from perfectplay.notation import parse_position, played, show_position
from perfectplay.words import DRAW, FIRST, ONGOING, BadArgument, BadPosition, IllegalMove, Lookup, PerfectplayError, Turn


def opening_file(path: str | Path, game: Game) -> list[Opening]:
    """The openings in a file, no two to the same position; `balanced` are those that the game's table proves equal.

    Raises BadArgument, which names the line, for what is no opening.
    """
    lookup, openings, met = lookup_or_none(game), list[Opening](), dict[Turn, str]()
    for record in read_games(path):
        try:
            opening = recorded(game, record)
            turn = turn_of(game, opening)
        except (BadPosition, IllegalMove) as fault:
            raise BadArgument(f"{record.source}: {fault}{other_game(game, record)}") from None
        here = show_position(game, *turn)
        if game.outcome(*turn[0]) != ONGOING:
            raise BadArgument(f"{record.source}: the game is over in {here}; an opening leaves something to play")
        if turn in met:
            raise BadArgument(f"{record.source}: {here} is the opening of {met[turn]} again; leave one of them out")
        met[turn] = record.source
        openings.append(opening._replace(balanced=is_equal(lookup, turn)))
    if not openings:
        raise BadArgument(f"{path} has no openings; write one a line, such as {example(game)}")
    return openings


def recorded(game: Game, record: GameRecord) -> Opening:
    """The opening of a record; a line that is no moves but the text of a position is that position."""
    text = " ".join(record.moves)
    if not record.position and ":" in text:
        try:
            parse_position(game, text)
        except BadPosition:
            if is_side(game, text.partition(":")[0]):
                raise
        else:
            return Opening((), text)
    return Opening(record.moves, record.position)
