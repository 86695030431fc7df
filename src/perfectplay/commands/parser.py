"""The command line: a sub-parser for each command, errors of one line, options and arguments in any order."""

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from textwrap import fill
from typing import Any, NoReturn

from perfectplay import __version__
from perfectplay.commands.kinds import Choice, Flag, Kind
from perfectplay.commands.terminal.signals import MISUSED
from perfectplay.commands.verb import REQUIRED, Parameter, Verb
from perfectplay.commands.verbs import ALIASES, FILES, headings, verb_named, verbs
from perfectplay.words import BadArgument

PROGRAM = "perfectplay"
ABOUT = "Write the rules of a two-player game once, in plain Python; then play it and solve it."
EPILOG = (
    "examples:",
    f"  {PROGRAM} play tic-tac-toe",
    f"  {PROGRAM} explain tic-tac-toe b2 b1",
    f"  {PROGRAM} certify tic-tac-toe ./bots.py:my_ai     your AI: a function in a file",
    f"  {PROGRAM} check ./mygame.py                       your game: then solve it",
    "",
    "Guides for well-known exercises, such as a tic-tac-toe AI by minimax: docs/guides/index.md in the repository.",
    f"A game is a name ({PROGRAM} games) or your file, a player a name ({PROGRAM} players) or your function.",
    f"{PROGRAM} COMMAND --help tells the options of a command, {PROGRAM} --version the version.",
)
WELCOME = f"""\
  a b c   {PROGRAM} play tic-tac-toe                      play a game
1 X . .   {PROGRAM} serve                                 play in a browser
2 . O .   {PROGRAM} certify tic-tac-toe ./bots.py:my_ai   is your AI perfect?
3 . . X   {PROGRAM} check ./mygame.py                     then solve your game
          {PROGRAM} --help                                all commands; guides
"""
"""What to try first."""
HELP_WIDTH = 100
"""Columns of the program's help, at most."""
TRACEBACK = "--traceback"
RARE = "rarely needed"
"""The heading of the options that few need."""
OF_PROGRAM = {"-h", "--help", "--version"}
"""Options of the program, not of a command."""
FORMER = dict.fromkeys(("--table", "--book", "--report", "--html"), "--to") | {
    "--seconds-each": "--seconds",
    "--bot": "--player",
}
"""What earlier versions called some options, for those who type them still."""
MISSING = "the following arguments are required"
"""How argparse begins an error on what must be given."""
NEGATIVE = re.compile(r"-\.?[0-9]")
"""How a number below 0 begins, or a list of numbers: no option begins so."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that points to the help; lists such as -1,3,5 are values, not options."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._negative_number_matcher = NEGATIVE

    example = ""
    """How the command may be typed."""
    given: Sequence[str] = ()
    """What was typed."""

    def error(self, message: str) -> NoReturn:
        """Exits with one line on what is wrong; if something is missing, an option that is none comes first."""
        if message.startswith(MISSING):
            flags = {flag for action in self._actions for flag in action.option_strings}
            typed = [text for text in self.given if text.startswith("--") and text != "--"]
            self.given = ()
            self.refuse([text for text in typed if text.partition("=")[0] not in flags])
            message += self.example and f"; such as: {self.example}"
        pointer = "" if message.endswith("?") else f"; see {self.prog} --help"
        self.exit(MISUSED, f"{self.prog}: {message}{pointer}\n")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options in these arguments, in any order; exits with one line for what is not understood."""
        self.given = arguments
        options, unknown = self.parse_known_intermixed_args(arguments)
        self.refuse(unknown)
        return options

    def refuse(self, unknown: Sequence[str]) -> None:
        """Exits with one line if something is not understood."""
        for text in unknown:
            if text.startswith("-"):
                there = [flag for action in self._actions for flag in action.option_strings]
                now = FORMER.get(text.partition("=")[0])
                hint = f"; did you mean {now}?" if now in there else did_you_mean(text, there)
                self.error(f"no option is called {text!r}{hint}")
        if unknown:
            self.error(f"unexpected argument {unknown[0]!r}")


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """A hint at the name closest to the text; empty if none is close."""
    from difflib import get_close_matches

    bare, typed = {name.lstrip("-"): name for name in names}, text.lower().lstrip("-")
    close = get_close_matches(typed, bare, 1) or [name for name in bare if typed and name.startswith(typed)]
    return f"; did you mean {bare[close[0]]}?" if close else ""


def texts(verb: Verb) -> dict[str, Any]:
    """The description and the examples in a command's help."""
    examples = "".join(f"\n  {PROGRAM} {example}" for example in verb.examples)
    return {
        "description": verb.summary[0].upper() + verb.summary[1:] + ".",
        "epilog": f"examples:{examples}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "allow_abbrev": False,
    }


def with_options(parser: Parser, verb: Verb) -> Parser:
    """The parser with the parameters of the verb, and those that only the command line has."""
    rare: Any = None
    for parameter in (*verb.parameters.values(), *verb.options.values()):
        if parameter.kind.rare and rare is None:
            rare = parser.add_argument_group(RARE)
        add(rare if parameter.kind.rare else parser, parameter)
    if verb.json and not verb.prints:
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return with_traceback(parser)


def add(parser: Any, parameter: Parameter) -> None:
    """Adds the argument or the option of a parameter."""
    kind, default = parameter.kind, parameter.default
    more: dict[str, Any] = {"help": kind.help.replace("%", "%%")}
    if isinstance(kind, Flag):
        action = "store_false" if default is True else "store_true"
        parser.add_argument(parameter.flag, dest=parameter.name, action=action, **more)
        return
    if kind.metavar is not None or isinstance(kind, Choice):
        more["metavar"] = kind.metavar or f"{{{','.join(kind.choices)}}}"  # type: ignore[attr-defined]
    more |= {"type": reader(kind)}
    if isinstance(kind, Choice):
        more["choices"] = kind.choices
    if kind.argument:
        if parameter.many or kind.repeats:
            more |= {"nargs": "+" if kind.least else "*", "default": []}
        elif default is not REQUIRED:
            more |= {"nargs": "?", "default": default}
        parser.add_argument(parameter.name, **more)
        return
    if kind.parts:
        more |= {"nargs": len(kind.parts), "metavar": kind.parts}
    if kind.bare is not None:
        more |= {"nargs": "?", "const": kind.bare}
    if kind.repeats:
        more |= {"action": "extend", "nargs": "+"} if kind.least else {"action": "append"}
        more |= {"default": []}
    else:
        more |= {"required": True} if default is REQUIRED else {"default": default}
    parser.add_argument(parameter.flag, dest=parameter.name, **more)


def reader(kind: Kind) -> Callable[[str], Any]:
    """What reads the text of an option."""

    def read(text: str) -> Any:
        try:
            return kind.read(text)
        except BadArgument as fault:
            raise argparse.ArgumentTypeError(str(fault)) from None

    return read


def with_traceback(parser: Parser) -> Parser:
    """The parser with the option that all commands have."""
    parser.add_argument(TRACEBACK, action="store_true", help="show the Python traceback of an error")
    return parser


def program_help() -> str:
    """The help of the program: what to try first, then the commands group by group."""
    wide = max(map(len, FILES))
    lines = [f"usage: {PROGRAM} COMMAND ...", "", fill(ABOUT, HELP_WIDTH)]
    for heading, below in headings():
        lines += ["", f"{heading}:"]
        for verb in below:
            begin = f"  {verb.name:<{wide}}  "
            lines.append(fill(verb.summary, HELP_WIDTH, initial_indent=begin, subsequent_indent=" " * len(begin)))
    return "\n".join([*lines, "", *EPILOG, ""])


def build_parser() -> Parser:
    """The parser of the whole command line, with a sub-parser for each command."""
    parser = program_parser()
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", prog=PROGRAM)
    for verb in verbs():
        with_options(commands.add_parser(verb.name, help=verb.summary, **texts(verb)), verb)
    return with_traceback(parser)


def command_parser(verb: Verb) -> Parser:
    """The parser of one command alone, which is quicker to build than all."""
    parser = with_options(Parser(prog=f"{PROGRAM} {verb.name}", **texts(verb)), verb)
    parser.example = f"{PROGRAM} {next(one for one in verb.examples if one.startswith(verb.name))}"
    return parser


def parse(arguments: Sequence[str]) -> tuple[Verb | None, argparse.Namespace]:
    """The command, None if there is none, and its options; exits with one line for what is not understood."""
    leading = [*takewhile(lambda text: text.startswith("-"), arguments)]
    if len(leading) == len(arguments) or not OF_PROGRAM.isdisjoint(leading):
        parser = with_traceback(program_parser())
        options, unknown = parser.parse_known_args(leading)
        parser.refuse(unknown)
        return None, options
    first = len(leading)
    if set(leading) - {TRACEBACK}:  # options of the command before it, maybe with values
        first = next((i for i, text in enumerate(arguments) if text in {*FILES, *ALIASES}), first)
    verb = command_named(arguments[first])
    return verb, command_parser(verb).read([*arguments[:first], *arguments[first + 1 :]])


def program_parser() -> Parser:
    """The parser of the options of the program alone."""
    parser = Parser(prog=PROGRAM, description=ABOUT, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    parser.format_help = program_help  # type: ignore[method-assign]
    return parser


def command_named(name: str) -> Verb:
    """The command of that name; exits with one line if there is none."""
    if name not in {*FILES, *ALIASES}:
        from perfectplay.rules.families import known_name

        hint = f"; did you mean play {name}?" if known_name(name) else did_you_mean(name, [*FILES, "--version"])
        program_parser().error(f"no command is called {name!r}{hint}")
    return verb_named(name)
