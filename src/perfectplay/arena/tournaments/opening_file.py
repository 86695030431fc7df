"""Openings from a file, one a line: moves by name, the text of a position, or a record of a game that is not over."""

import json
import re
from pathlib import Path
from random import Random

from perfectplay.arena.tournaments.openings import move_names, plies
from perfectplay.arena.tournaments.tournament_settings import Opening
from perfectplay.game import Game, after, legal_moves
from perfectplay.rules.game_records import STDIN, GameRecord, games_in, text_of
from perfectplay.rules.notation import move_name, named_so, parse_position, replay, show_position
from perfectplay.solvers.oracle import TableOracle, table_oracle
from perfectplay.words import DRAW, FIRST, ONGOING, BadArgument, BadPosition, IllegalMove, Move, Position, Turn

MOST_TRIED = 50_000
"""The positions that are looked at to find moves to a position."""
REMARK = re.compile(r"\s#.*")


def opening_file(path: str | Path, game: Game) -> list[Opening]:
    """The openings in a file, no two to the same position; `balanced` are those that the game's table proves equal.

    Raises BadArgument, which names the line, for what is no opening.
    """
    table, openings, met = table_oracle(game), list[Opening](), dict[Turn, str]()
    for record in records_in(path, game):
        try:
            opening = Opening(record.moves, record.position)
            turn = turn_after(game, opening)
        except (BadPosition, IllegalMove) as fault:
            other = f"; the record is of {record.game}" if record.game not in ("", game.name) else ""
            raise BadArgument(f"{record.source}: {fault}{other}") from None
        here = show_position(game, *turn)
        if game.outcome(*turn[0]) != ONGOING:
            raise BadArgument(f"{record.source}: the game is over in {here}; an opening leaves something to play")
        if turn in met:
            raise BadArgument(f"{record.source}: {here} is the opening of {met[turn]} again; leave one of them out")
        met[turn] = record.source
        if opening.position:  # a program may know only games from the start
            opening = moves_to(game, turn) or opening
        openings.append(opening._replace(balanced=table is not None and is_equal(table, turn[0])))
    if not openings:
        raise BadArgument(f"{file_name(path)} has no openings; write one a line, such as: {example(game)}")
    return openings


def moves_to(game: Game, target: Turn) -> Opening | None:
    """Moves from the start that lead to the position, if a short look finds some."""
    start: Turn = (game.start, FIRST)
    ways: dict[Turn, tuple[Turn, Move] | None] = {start: None}
    for turn in (turns := [start]):
        if turn == target or len(ways) > MOST_TRIED:
            break
        if game.outcome(*turn[0]) == ONGOING:
            for move in legal_moves(game, turn[0]):
                child = after(game, *turn, move)
                if child not in ways:
                    ways[child] = turn, move
                    turns.append(child)
    names: list[str] = []
    here = target
    while (way := ways.get(here)) is not None:
        here, move = way
        names.insert(0, move_name(game, *here, move))
    return Opening(tuple(names)) if names else None


def is_equal(table: TableOracle, position: Position) -> bool:
    """Whether the position is a draw by the table; a position that cannot be reached from the start is in none."""
    try:
        return table.lookup(position).value == DRAW
    except BadPosition:
        return False


def turn_after(game: Game, opening: Opening) -> Turn:
    """The position after the opening and the side to move; raises BadPosition or IllegalMove."""
    turn = parse_position(game, opening.position) if opening.position else (game.start, FIRST)
    for position, side, move in replay(game, *turn, opening.moves):
        turn = after(game, position, side, move)
    return turn


def records_in(path: str | Path, game: Game) -> list[GameRecord]:
    """The records of the file, with a record without moves for each line that is the text of a position."""
    name = file_name(path)
    try:
        text = text_of(path)
    except BadArgument as fault:
        why = str(fault).partition(": ")[2]
        raise BadArgument(f"the openings {str(path)!r} cannot be read: {why}; give their number, or a file") from None
    lines = [record_of_line(line.strip(), game, f"{name}, line {n}") for n, line in enumerate(text.splitlines(), 1)]
    if lines != [line.strip() for line in text.splitlines()]:
        text = "\n".join([*lines, "#"])  # which is not JSON as a whole, even if there is only one line
    return [*games_in(text, name)]


def record_of_line(line: str, game: Game, where: str) -> str:
    """The line, or if it is the text of a position, its record; raises BadArgument."""
    side, colon, _ = line.partition(":")
    if not colon or not any(named_so(name, "".join(side.split())) for name in game.look.sides):
        return line
    try:
        turn = parse_position(game, line)  # a piece may be shown as #
    except BadPosition:
        try:
            turn = parse_position(game, REMARK.sub("", line))
        except BadPosition as fault:
            raise BadArgument(f"{where}: {fault}") from None
    return json.dumps({"moves": [], "position": show_position(game, *turn)})


def file_name(path: str | Path) -> str:
    """The file's name in errors."""
    return "standard input" if str(path) == STDIN else str(path)


def example(game: Game) -> str:
    """The moves of some opening."""
    return " ".join(move_names(game, next(next(plies(game, Random(0))).ways)))
