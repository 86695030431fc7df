"""What a UGI program has written: the move that a text means, or what is wrong with it."""

import re

from perfectplay.game import Game, legal_moves
from perfectplay.players.bots.bot_fault import as_written
from perfectplay.processes.running_program import ProgramFault
from perfectplay.rules.notation import illegal_move, move_name, parse_move
from perfectplay.words import Cause, IllegalMove, Move, Position, Sides

NODES = re.compile(rb"(?:^|\s)nodes\s+(\d{1,18})(?:\s|$)")
CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
KNOWN = (b"id", b"option", b"info", b"response", b"ugiok", b"uciok", b"readyok", b"bestmove")


def chosen_move(game: Game, position: Position, side: int, answer: bytes) -> Move:
    """The move in what follows `bestmove`; raises IllegalMove, or ProgramFault for what is no move of the game."""
    text = answer.decode(errors="backslashreplace").strip()
    for words in dict.fromkeys((text, text.partition(" ")[0])):
        try:
            return parse_move(game, position, side, words)
        except IllegalMove:
            if is_a_name(game, position, side, words):
                raise illegal_move(game, position, side, as_written(words)) from None
    raise ProgramFault(Cause.NONSENSE, f"answered {as_written(f'bestmove {text}'.strip())}, which is no move")


def is_a_name(game: Game, position: Position, side: int, text: str) -> bool:
    """Whether the text names some move of the game, or where names depend on the position, looks like one."""
    names = game.move_names[side] if isinstance(game.move_names, Sides) else game.move_names
    if not callable(names):
        return text.lower() in (name.lower() for name in names)
    return shape(text) in {shape(move_name(game, position, side, move)) for move in legal_moves(game, position)}


def shape(text: str) -> str:
    """The text with all letters and all numbers made the same."""
    return re.sub(r"\d+", "0", re.sub(r"[a-z]", "a", text.lower()))


def nodes_in(info: bytes) -> int | None:
    """The nodes that an info line tells, None if it does not."""
    found = NODES.search(info)
    return None if found is None else int(found[1])


def check_text(line: bytes) -> None:
    """Raises ProgramFault if a line is neither known nor text."""
    if line.split(b" ", 1)[0] in KNOWN:
        return
    text = line.decode(errors="backslashreplace")
    if CONTROLS.search(line) or (not line.isascii() and text.encode() != line):
        raise ProgramFault(Cause.NONSENSE, f"wrote {as_written(text)}")
