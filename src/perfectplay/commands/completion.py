"""`completion`: a script that completes commands, options, games and players in a shell."""

from typing import Annotated

from perfectplay.commands.kinds import Choice
from perfectplay.commands.verb import verb


@verb(
    "keep",
    "print a completion script for bash, zsh or fish",
    "completion bash",
    "completion fish",
    prints=True,
    runs_rules=False,
)
def completion(shell: Annotated[str, Choice("your shell", ("bash", "zsh", "fish"), argument=True)]) -> int:
    """Prints the script."""
    import shtab

    from perfectplay.commands.parser import build_parser

    parser = build_parser()
    commands = next(action.choices for action in parser._actions if action.metavar == "COMMAND")
    assert isinstance(commands, dict)
    for action in (action for command in commands.values() for action in command._actions):
        if (found := completions(str(action.metavar))) is not None:
            action.complete = found
    print(shtab.complete(parser, shell))
    return 0


def completions(metavar: str) -> object:
    """What completes an argument of that kind: names, files or both; None if nothing does."""
    import shtab

    from perfectplay.commands.verbs import FILES
    from perfectplay.players.registry import KINDS
    from perfectplay.rules.families import describe_games
    from perfectplay.rules.plugins import GAMES, PLAYERS, plugin_names

    match metavar:
        case "GAME" | "TABLE":
            bundled = [name for game in describe_games() for name in (game.name, *game.aliases)]
            return names_or_files("games", bundled + plugin_names(GAMES))
        case "PLAYER":
            return names_or_files("players", [kind.name for kind in KINDS] + plugin_names(PLAYERS))
        case "MODEL":
            return names_or_files("models", [kind.name for kind in KINDS if kind.policy is not None])
        case "COMMAND":
            return names_or_files("commands", [*FILES], suffix=None)
        case "FILE" | "FILE:FUNCTION":
            return shtab.FILE
        case "URL":
            return shtab.DIRECTORY
    return None


def names_or_files(kind: str, names: list[str], suffix: str | None = ".py") -> object:
    """Completes one of the names, or else a file with that suffix, in every shell."""
    from shlex import join

    words, function = join(dict.fromkeys(names)), f"_perfectplay_{kind}" + ("_or_files" if suffix else "")
    bash = [f'compgen -W "{words}" -- "$1"']
    zsh = [f"'names:{kind}:({words})'"]
    fish = [f"printf '%s\\n' {words}"]
    if suffix:
        bash += [f"compgen -f -X '!*{suffix}' -- \"$1\"", 'compgen -d -- "$1"']
        zsh += [f"'files:file:_files -g \"*{suffix}\"'"]
        fish += [f"__fish_complete_suffix {suffix}"]
    return {
        "bash": function,
        "zsh": function,
        "fish": f"({'; '.join(fish)})",
        "preamble": {
            "bash": f"{function}() {{\n  {'; '.join(bash)}\n}}",
            "zsh": f"{function}() {{\n  _alternative {' '.join(zsh)}\n}}",
        },
    }
