"""The program `perfectplay`: reads the command line, runs the command, catches every error once.

argparse, not a larger library, because it costs a hundredth of a second to import: docs/decisions/0003.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from perfectplay.commands.parser import TRACEBACK, WELCOME, parse
from perfectplay.commands.terminal import signals, streams
from perfectplay.commands.terminal.signals import MISUSED, print_interrupted, prompt_interrupts
from perfectplay.commands.verb import Verb
from perfectplay.commands.verbs import verbs
from perfectplay.processes.folders import check_system
from perfectplay.rules.families import full_name
from perfectplay.rules.loading import describe_fault, line_of, shown_path, split_game, split_player
from perfectplay.rules.rule_faults import rule_faults
from perfectplay.words import PerfectplayError

MENTION = re.compile(r"""(?<![\w:,='"-])(?P<name>[a-z_]+)=(?P<value>True|False|\.\.\.|"[^"]*"|'[^']*'|[\w.]*\w)""")


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of the program: 0, or 2 when the input cannot be used."""
    streams.prepare()
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        check_system()
    except PerfectplayError as error:
        return complain(error, str(error), TRACEBACK in arguments)
    command, options = parse(arguments)
    if command is None:
        print(WELCOME, end="")
        return 0
    options.kept = lambda: command.kept
    with signals.ending_by_signals():
        return run(command, options)


def run(command: Verb, options: argparse.Namespace) -> int:
    """Runs a command and returns the exit code, whatever happens."""
    try:
        with looked_after(command, options), rule_faults:
            try:
                name_sizes(options)
                code = command.run(options)
            except PerfectplayError as error:
                str(error)  # a message may need a forecast, which runs rules
                raise
            if sys.stdout is not None:
                sys.stdout.flush()
        return code
    except PerfectplayError as error:
        return complain(error, str(error), options.traceback, command)
    except KeyboardInterrupt as end:
        print_interrupted(options.kept())
        return signals.exit_code(end)
    except BrokenPipeError:  # the reader has gone, as in `perfectplay games | head -1`
        streams.abandon()
        return 0
    except OSError as error:
        streams.abandon()
        where = f": {error.filename}" if error.filename else ""
        return complain(error, f"cannot continue: {error.strerror}{where}", options.traceback, command)
    except (Exception, SystemExit) as fault:  # a user's own file may do anything, at any time
        files = [path for name in names_in(options) if (path := split_game(name)[0] or split_player(name)[0])]
        if not files:
            raise
        where = next(
            (f"{shown_path(path)}{line}" for path in files if (line := line_of(fault, path))), shown_path(files[0])
        )
        message = f"{where} raised an error: {describe_fault(fault)}; try perfectplay check"
        return complain(fault, message, options.traceback, command)


def name_sizes(options: argparse.Namespace) -> None:
    """Says which board is meant where a game's name leaves sizes out; from here on the game has its full name."""
    fields = vars(options)
    for name in dict.fromkeys(names_in(options)):
        if (full := full_name(name)) != name and not fields.get("json"):
            print(f"{name} is {full}", file=sys.stderr)
    if fields.get("game"):
        options.game = full_name(options.game)


@contextmanager
def looked_after(command: Verb, options: argparse.Namespace) -> Iterator[None]:
    """Ctrl-C ends whatever runs meanwhile, and so does a rule call that does not return."""
    if not command.runs_rules:
        yield
        return
    with prompt_interrupts(lambda: str(options.kept())):
        name = vars(options).get("game") or ""
        if split_game(name)[0] is None:
            yield
            return
        from perfectplay.commands.terminal.rule_limit import rule_limit

        with rule_limit(name):
            yield


def program() -> NoReturn:
    """Runs the program and exits."""
    code = main()
    if code > 128:
        signals.exit_interrupted(code)
    sys.exit(code)


def complain(fault: BaseException, line: str, with_traceback: bool, verb: Verb | None = None) -> int:
    """Prints what is wrong, behind its traceback if that is wanted, and returns the exit code."""
    if with_traceback:
        import traceback

        traceback.print_exception(fault)
    print(f"perfectplay: {as_flags(line, flags_of(verb))}", file=sys.stderr)
    return MISUSED


def flags_of(verb: Verb | None) -> dict[str, str]:
    """The parameters that messages of the library name, and their options; those of the verb before others."""
    found: dict[str, str] = {}
    for one in (*verbs(), *([] if verb is None else [verb])):
        for parameter in (*one.parameters.values(), *one.options.values()):
            if not parameter.kind.argument:
                name = f"{parameter.name}=False" if parameter.default is True else parameter.name
                found[name] = parameter.flag
    return found


def as_flags(message: str, flags: dict[str, str]) -> str:
    """The message with parameters written as options: `engine="numba"` as `--engine numba`."""

    def flag(found: re.Match[str]) -> str:
        if found[0] in flags:
            return flags[found[0]]
        if found["name"] not in flags:
            return found[0]
        value = found["value"].strip("\"'")
        return flags[found["name"]] + ("" if value in ("True", "...") else f" {value}")

    return MENTION.sub(flag, message)


def names_in(options: argparse.Namespace) -> list[str]:
    """The names of games and players on the command line."""
    names: list[str] = []
    for place in ("game", "games", "variants", "a", "b", "first", "second", "player", "players"):
        value = vars(options).get(place)
        names += [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return names
