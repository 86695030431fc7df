"""Every verb: its place in the help, its examples, its parameters, its function, and what its file imports."""

import inspect
import signal
import subprocess
import sys
from shlex import split

import pytest

import perfectplay
from command_line import exit_code, output, started
from perfectplay.commands.parser import command_parser, parse
from perfectplay.commands.verbs import FILES, GROUPS, verbs

VERBS = [*verbs()]
COMMANDS = {"play", "serve", "bot", "mcp", "completion", "help"}
"""Verbs that are only commands: there is no function in Python."""
IN_PYTHON = {"progress", "keep"}
"""Parameters that only Python has: a command shows its progress, and solve keeps its table but with --no-table."""
HEAVY = "numpy numba jinja2 starlette uvicorn rich shtab"
IMPORTS = f"""
import sys
from perfectplay.commands.parser import program_help
program_help()
imported = {{*{HEAVY.split()}}} & {{*sys.modules}}
assert not imported, imported
"""


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty folder, in which commands run."""
    monkeypatch.chdir(tmp_path)


def test_every_verb_has_a_place_in_the_help():
    assert [*FILES] == [*dict.fromkeys(FILES)]
    assert {verb.name for verb in verbs()} == {*FILES}
    for verb in VERBS:
        assert verb.group in GROUPS, verb.name
        assert verb.summary[0].islower(), verb.name
        assert not verb.summary.endswith("."), verb.name


def test_every_verb_has_help_with_examples_that_parse(capsys):
    for verb in VERBS:
        assert exit_code(f"{verb.name} --help") == 0
        shown = capsys.readouterr().out
        assert output(capsys, f"help {verb.name}") == shown
        assert all(f"\n  perfectplay {example}\n" in shown for example in verb.examples)
        assert len(verb.examples) >= 2, verb.name
        for example in verb.examples:
            assert parse(split(example))[0].name == example.partition(" ")[0]
        assert verb.examples[-1].partition(" ")[0] == verb.name


def test_every_parameter_has_a_help_text():
    for verb in VERBS:
        for parameter in (*verb.parameters.values(), *verb.options.values()):
            assert parameter.kind.help, (verb.name, parameter.name)
        assert not {*verb.parameters} & {*verb.options}, verb.name
        flags = [flag for action in command_parser(verb)._actions for flag in action.option_strings]
        assert len(flags) == len({*flags}), verb.name


def test_a_verb_is_a_public_function_with_the_same_parameters():
    for verb in VERBS:
        name = verb.function.__name__
        if verb.name in COMMANDS:
            assert name not in perfectplay.__all__
            continue
        assert getattr(perfectplay, name) is verb.function
        signature = inspect.signature(verb.function)
        assert [one for one in signature.parameters if one not in IN_PYTHON] == [*verb.parameters], verb.name


def test_the_help_of_all_verbs_imports_little():
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_examples_run_as_typed_in_an_empty_folder(verb, empty):
    """One after the other; games end where nobody types, and the server when it is told to."""
    for example in verb.examples:
        process = started(*split(example))
        if verb.name == "serve":
            assert any("Ctrl-C" in line for line in iter(process.stdout.readline, ""))
            process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=300)[1]
        assert process.returncode == 0, said
