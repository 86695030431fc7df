"""The user's own players that a server was started with: what the page calls them, and the files that they run."""

import os
import shlex
import shutil
from pathlib import Path

from perfectplay.players.registry import in_own_file, in_own_process, player_entry
from perfectplay.rules.loading import split_path
from perfectplay.words import BadPlayer


def named_bots(players: list[str]) -> dict[str, str]:
    """The user's own players by the names that requests use; raises BadPlayer for what is no such player."""
    bots: dict[str, str] = {}
    for name in players:
        short = short_name(name)
        if in_own_file(name):
            if bots.setdefault(short, name) != name:
                raise BadPlayer(f"two players are called {short!r}; rename one of the files")
        elif name not in bots.values():
            others = (f"{short}-{number}" for number in range(2, len(players) + 2))
            bots[short if short not in bots else next(other for other in others if other not in bots)] = name
    return bots


def short_name(name: str) -> str:
    """What the page calls a player: `bots.py:my_ai`, or of a program the file that is run."""
    if not in_own_process(name) or (in_own_file(name) and not split_path(name)[1]):
        raise BadPlayer(f"{name!r} is not a player of your own; write ./bots.py:my_ai or cmd:./mybot")
    file = file_of(name).name
    if in_own_file(name):
        return f"{file}:{split_path(name)[1]}"
    return file if player_entry(file) is None else f"./{file}"  # no program hides a player that comes with the package


def file_of(name: str) -> Path:
    """The file of a player of the user's own: that of its function, its program, or the script that this runs."""
    path, _ = split_path(name)
    if in_own_file(name) and path is not None:
        return path
    program, *words = command_of(name)
    scripts = [word for word in words if not word.startswith("-") and Path(word).is_file()]
    if os.sep not in program and scripts:
        return Path(scripts[0])  # python3 mybot.py
    return Path(shutil.which(program) or program)


def command_of(name: str) -> list[str]:
    """The words of a program's command."""
    try:
        words = shlex.split(name.partition(":")[2])
    except ValueError:
        words = []
    if not words:
        raise BadPlayer(f"{name!r} is not a command; write cmd:./mybot")
    return words
