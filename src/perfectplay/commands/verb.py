"""A verb: a public function whose signature says once what it takes, and how the command line calls it.

From the signature follow the check of arguments, the options and their help, the reference pages, and tools for other
programs. A new verb is a file with a function under `@verb` and a line in `perfectplay.commands.verbs`.
"""

import inspect
import json
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, Protocol, TypeVar, get_args

from perfectplay.commands.kinds import Kind, kind_in
from perfectplay.rules.rule_faults import rule_faults

if TYPE_CHECKING:
    from perfectplay.solvers.steps import Step
    from perfectplay.views.document import Part

P = ParamSpec("P")
R = TypeVar("R")
REQUIRED = inspect.Parameter.empty
"""The default of what must be given."""


class Parameter(NamedTuple):
    """A parameter of a verb: its name, its kind, its default, whether there may be any number of it, or None."""

    name: str
    kind: Kind
    default: Any
    many: bool = False
    optional: bool = False

    @property
    def flag(self) -> str:
        """Its option on the command line."""
        return self.kind.flag or f"--{self.name.replace('_', '-')}"

    def check(self, value: Any) -> None:
        """Raises BadArgument unless the value may be passed."""
        if value is not None or not self.optional:
            self.kind.check(self.name, value)


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The signature; of `**options: Unpack[TypedDict]`, each key is a keyword of its own, with its kind's default."""
    signature, parameters = inspect.signature(function), []
    for one in signature.parameters.values():
        if one.kind is not one.VAR_KEYWORD:
            parameters.append(one)
            continue
        for name, annotation in get_args(one.annotation)[0].__annotations__.items():
            default = getattr(kind_in(annotation), "default", None)
            parameters.append(inspect.Parameter(name, one.KEYWORD_ONLY, default=default, annotation=annotation))
    return signature.replace(parameters=parameters)


def parameters_of(function: Callable[..., Any]) -> dict[str, Parameter]:
    """The parameters that have a kind, in order."""
    found = {}
    for name, one in signature_of(function).parameters.items():
        kind = kind_in(one.annotation)
        if kind is not None:
            optional = one.default is None or type(None) in get_args(one.annotation.__origin__)
            found[name] = Parameter(name, kind, one.default, one.kind is one.VAR_POSITIONAL, optional)
    return found


class ShownResult(Protocol):
    """What the command line prints."""

    def document(self) -> Any:
        """As a document."""

    @property
    def to_dict(self) -> Callable[..., Any]:
        """What gives it as JSON."""


@dataclass
class Verb:
    """A verb: its function, its place in the help, examples that work as typed, and what the command line adds.

    `runs_rules`: rules run in this process, so calls that do not return are reported. `kept` says what an interruption
    leaves. `counted` is what its progress counts; a verb without progress says what it `waits` for. The function of one
    that `prints` is only for the command line: it prints all there is and returns the exit code.
    """

    name: str
    function: Callable[..., Any]
    group: str
    summary: str
    examples: tuple[str, ...]
    runs_rules: bool = True
    kept: str = "nothing is kept"
    counted: str = "positions"
    waits: str = ""
    json: bool = True
    prints: bool = False
    parameters: dict[str, Parameter] = field(default_factory=dict)
    options: dict[str, Parameter] = field(default_factory=dict)
    command: "Callable[..., int] | None" = None

    def run(self, options: Namespace) -> int:
        """Does what the command line asks for and returns the exit code."""
        call = Call(self, options)
        if self.prints:
            given, named = call.arguments()
            printed: int = self.function(*given, **named)
            return printed
        if self.command is None:
            return call.finish(call.result())
        return self.command(call, **{name: getattr(options, name) for name in self.options})


VERBS: dict[str, Verb] = {}
"""The verbs whose files are loaded."""


def verb(group: str, summary: str, *examples: str, **more: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declares the function below it as a verb; its arguments are checked by their kinds."""

    def declare(function: Callable[P, R]) -> Callable[P, R]:
        name = more.pop("name", function.__name__)
        VERBS[name] = Verb(name, function, group, summary, examples, parameters=parameters_of(function), **more)
        VERBS[name].function = checked(function)
        return VERBS[name].function

    return declare


def on_command_line(name: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Declares what the command line does for a verb, and the options that only it has."""

    def declare(command: Callable[..., int]) -> Callable[..., int]:
        VERBS[name].command, VERBS[name].options = command, parameters_of(command)
        return command

    return declare


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which refuses arguments that are not of their kinds, and says where rules of a game are at fault.

    Its signature shows only types. Of `**options: Unpack[TypedDict]` it gets every key: its kind's default where the
    caller gives none.
    """
    signature, parameters = signature_of(function), parameters_of(function)
    own = inspect.signature(function).parameters
    defaults = {name: one.default for name, one in signature.parameters.items() if name not in own}

    @wraps(function)
    @rule_faults
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if name in parameters and not parameters[name].many:
                parameters[name].check(value)
        return function(*args, **{**defaults, **kwargs})

    plain = [
        one.replace(annotation=plain_type(one.annotation)) if name in parameters else one
        for name, one in signature.parameters.items()
    ]
    call.__signature__ = signature.replace(parameters=plain)  # type: ignore[attr-defined]
    return call


def plain_type(annotation: Any) -> Any:
    """The type in an annotation with a kind; of one that is imported for types only, its text."""
    return getattr(annotation.__origin__, "__forward_arg__", annotation.__origin__)


@dataclass
class Call:
    """One call of a verb by the command line."""

    verb: Verb
    options: Namespace

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """What the function is called with."""
        given: list[Any] = []
        named: dict[str, Any] = {}
        places = inspect.signature(self.verb.function).parameters
        for name, parameter in self.verb.parameters.items():
            value = getattr(self.options, name)
            if parameter.many:
                given += value
                continue
            if parameter.kind.repeats and not value:
                value = parameter.default
            if places[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
                given.append(value)
            else:
                named[name] = value
        return given, named

    def result(self, watch: "Callable[[Step], object] | None" = None, **changed: Any) -> Any:
        """What the function returns, with its progress shown; standard output is for results, whatever rules print.

        `watch` sees each step of it, too.
        """
        from perfectplay.commands.terminal.progress import shown_progress, waiting

        given, named = self.arguments()
        named |= changed
        if "progress" not in inspect.signature(self.verb.function).parameters:
            with redirect_stdout(sys.stderr), waiting(self.verb.waits.format(**vars(self.options))):
                return self.verb.function(*given, **named)
        with redirect_stdout(sys.stderr), shown_progress(self.verb.counted) as shown:
            return self.verb.function(*given, **named, progress=shown if watch is None else both(watch, shown))

    def finish(self, found: ShownResult, line: str = "", below: "Part | None" = None, **more: Any) -> int:
        """Prints the result, as JSON if that is wanted, or the line in its place; returns the exit code.

        `below` is what people are shown below the result, and `more` says what the JSON is to have.
        """
        if getattr(self.options, "json", False):
            print(json.dumps(found.to_dict(**more)), flush=True)
        elif line:
            print(line)
        else:
            from perfectplay.commands.terminal.streams import show

            show(found.document().followed_by(below))
        return 0


def both(watch: "Callable[[Step], object]", shown: "Callable[[Step], object] | None") -> "Callable[[Step], None]":
    """What tells both of a step."""

    def tell(step: "Step") -> None:
        watch(step)
        if shown is not None:
            shown(step)

    return tell
