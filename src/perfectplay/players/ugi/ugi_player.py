"""`cmd:./mybot --fast`: a program of a user's own that speaks UGI plays."""

import os
import shlex
import shutil
from typing import TYPE_CHECKING

from perfectplay.players.player_kind import PlayerKind, PlayerName, never_served
from perfectplay.words import BadPlayer

if TYPE_CHECKING:
    from perfectplay.players.ugi.ugi_bot import UgiMaker


def ugi_maker(name: PlayerName) -> "UgiMaker":
    """The maker of the players of that command; raises BadPlayer if there is no such program."""
    command = command_in(name)
    from perfectplay.players.ugi.ugi_bot import UgiMaker  # processes: only when they are wanted

    return UgiMaker(name.text, command)


def command_in(name: PlayerName) -> list[str]:
    """The words of the command; raises BadPlayer if it is none, or its program cannot be run."""
    try:
        words = shlex.split(name.parameter)
    except ValueError as fault:
        raise BadPlayer(f"{name.text}: the command cannot be split: {str(fault).lower()}") from None
    if not words or not words[0]:
        raise name.needs("a command")
    program = words[0]
    if shutil.which(program) is None:
        if os.sep not in program:
            raise BadPlayer(f"{name.text}: there is no program {program!r} on the PATH; ./{program} means one here")
        if not os.path.exists(program):
            raise BadPlayer(f"{name.text}: there is no such program {program!r}")
        what = "is a folder" if os.path.isdir(program) else f"is not executable; chmod +x {shlex.quote(program)}"
        raise BadPlayer(f"{name.text}: {program!r} {what}")
    return words


CMD = PlayerKind(
    "cmd",
    "plays by a program of yours that speaks UGI",
    ugi_maker,
    "cmd:./mybot",
    served=never_served,
)
