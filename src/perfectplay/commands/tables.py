"""`tables`: what is kept: tables, opening books, checkpoints, results of sweeps and compiled code."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from perfectplay.commands.kinds import Flag, Named
from perfectplay.commands.verb import Call, on_command_line, verb

if TYPE_CHECKING:
    from perfectplay.commands.prove.kept import Kept


@verb(
    "keep",
    "list or remove saved tables, books, checkpoints, results of sweeps and compiled code",
    "tables",
    "tables --remove checkpoints code",
    name="tables",
)
def kept() -> "list[Kept]":
    """All that is kept in the user's folders: tables, books, checkpoints, results of sweeps and compiled code."""
    from perfectplay.commands.prove.kept import listed

    return listed()


def remove_kept(*names: str, everything: bool = False) -> list[Path]:
    """Removes what is kept for these games, or all "tables", "books", "checkpoints", "sweeps" or "code"."""
    from perfectplay.commands.prove.kept import removed

    return [item.path for item in removed(names, everything)]


@on_command_line("tables")
def show(
    call: Call,
    *,
    remove: Annotated[
        Sequence[str],
        Named(
            "remove what is saved for these games, or all tables, books, checkpoints, sweeps or code",
            metavar="GAME",
            repeats=True,
            least=1,
        ),
    ] = (),
    remove_all: Annotated[bool, Flag("remove everything that is saved")] = False,
) -> int:
    """Lists what is kept, or removes some of it."""
    import json

    from perfectplay.commands.prove.kept import kept_document, listed, removed
    from perfectplay.commands.terminal import streams

    if remove or remove_all:
        gone = removed(remove, remove_all)
        lines = [f"removed {item.path}{f', the {item.kind} of {item.game}' if item.game else ''}" for item in gone]
        found = {"removed": [str(item.path) for item in gone]}
        print(json.dumps(found) if call.options.json else "\n".join(lines) or "nothing to remove")
    elif call.options.json:
        print(json.dumps([item.to_dict() for item in listed()]))
    else:
        streams.show(kept_document(listed()))
    return 0
