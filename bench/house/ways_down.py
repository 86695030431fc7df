# ruff: noqa: D103, E501
"""The ways down of the few imports that ran upwards, once the moves are made."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "perfectplay"


def main() -> None:
    threat_engine()
    searchable()
    oracle()
    exit_code()
    program()


def read(path: str) -> str:
    return (ROOT / path if path.startswith("tests") else SOURCE / path).read_text(encoding="utf-8")


def write(path: str, text: str) -> None:
    (ROOT / path if path.startswith("tests") else SOURCE / path).write_text(text, encoding="utf-8")


def put(path: str, *pairs: tuple[str, str]) -> None:
    text = read(path)
    for old, new in pairs:
        if old not in text:
            print(f"not found in {path}: {old!r}")
        text = text.replace(old, new)
    write(path, text)


def take(path: str, name: str) -> str:
    """Takes a top-level function, class or constant out of a file; its text."""
    text = read(path)
    found = re.search(
        rf"^(?:@[^\n]*\n)*(?:def|class) {name}\b.*?(?=^\S|\Z)|^{name}(?:: [^\n]*?)? = [^\n]*\n(?:\"\"\"[^\n]*\"\"\"\n)?",
        text,
        flags=re.M | re.S,
    )
    assert found, (path, name)
    write(path, text[: found.start()] + text[found.end() :])
    return found[0].rstrip("\n") + "\n"


def threat_engine() -> None:
    player, line, kernels = (
        "players/line_games/threats_player.py",
        "players/line_games/line_position.py",
        "players/line_games/line_kernels.py",
    )
    constants = "".join(
        take(player, name) for name in ("TABLE_BITS", "FORCE_NODES", "SAFE_NODES", "ROOT_MOVES", "DEEPEST", "WIDEST")
    )
    engine = take(player, "Engine")
    fault, length = take(player, "threats_fault"), take(player, "line_length")
    set_up, cannot = take(line, "set_up"), take(line, "cannot_play")
    load = take(kernels, "load_threats").replace(
        'f"{HERE}/threat_board", f"{HERE}/threat_search"',
        '"solvers/search/threat_board", "solvers/search/threat_search"',
    )
    for old, new in (
        (
            "def __init__(self, seat: Seat) -> None:",
            "def __init__(self, game: Game, rng: Random, stop: StopSignal | None = None) -> None:",
        ),
        (
            "        from perfectplay.players.line_games.line_kernels import load_threats  # numba: only when it is wanted\n\n",
            "",
        ),
        ("threats_fault(seat.game)", "threats_fault(game)"),
        ('cannot_play("threats", seat.game, fault)', 'cannot_play("threats", game, fault)'),
        (
            "width, height = seat.game.shape\n        self.seat, self.clock = seat, Clock(seat.stop)",
            "width, height = game.shape\n        self.game, self.rng, self.clock = game, rng, Clock(stop)",
        ),
        ("line_length(seat.game)", "line_length(game)"),
        ("self.seat.game", "self.game"),
        ("self.seat.rng", "self.rng"),
    ):
        assert old in engine, old
        engine = engine.replace(old, new)
    load = load.replace('    """', '    """', 1).replace(
        "    return load_pattern",
        "    from perfectplay.compiler.compiled import NO_RULES, load_pattern  # numba: only when it is wanted\n\n    return load_pattern",
    )
    write(
        "solvers/search/threat_engine.py",
        '"""The search for threats on large boards of lines: near marks, and for wins by fours and open threes."""\n\n'
        "from random import Random\nfrom typing import Any\n\n"
        "from perfectplay.bits import bit_numbers, run_masks, runs\n"
        "from perfectplay.compiler.line_rules import full_line_outcome, lines_fault\n"
        "from perfectplay.game import Game, legal_moves\n"
        "from perfectplay.solvers.search.search_clock import ENDLESS, NODES, Clock, StopSignal\n"
        "from perfectplay.words import LOSS, BadPlayer, Move, Position\n\n"
        f"{constants}\n\n{engine}\n\n{load}\n\n{set_up}\n\n{fault}\n\n{length}\n\n{cannot}",
    )
    put(
        player,
        ("    engine = Engine(seat)\n", "    engine = Engine(seat.game, seat.rng, seat.stop)\n"),
        ("from perfectplay.players.line_games.line_position import cannot_play, set_up\n", ""),
        ("from perfectplay.bits import run_masks, runs\n", ""),
        ("from perfectplay.compiler.line_rules import full_line_outcome, lines_fault\n", ""),
        ("from perfectplay.game import Game, legal_moves\n", ""),
        (
            "from perfectplay.solvers.search.search_clock import ENDLESS, NODES, Clock\n",
            "from perfectplay.solvers.search.threat_engine import Engine, threats_fault\n",
        ),
        (
            "from perfectplay.words import LOSS, Move, Player, Position",
            "from perfectplay.words import Move, Player, Position",
        ),
    )
    put(
        line,
        (
            "from perfectplay.words import LOSS, BadPlayer, Move, Position",
            "from perfectplay.solvers.search.threat_engine import cannot_play, set_up\nfrom perfectplay.words import LOSS, Move, Position",
        ),
    )
    put(
        "solvers/search/threat_proofs.py",
        ("from perfectplay.players.line_games.line_position import set_up\n", ""),
        (
            "from perfectplay.players.line_games.threats_player import Engine\n",
            "from perfectplay.solvers.search.threat_engine import Engine, set_up\n",
        ),
        ("from perfectplay.players.seat import Seat\n", ""),
        ("Engine(Seat(game, FIRST, Random(1)))", "Engine(game, Random(1))"),
        ("from perfectplay.words import FIRST, ONGOING", "from perfectplay.words import ONGOING"),
    )
    put(
        "solvers/search/search_analysis.py",
        (
            "from perfectplay.players.line_games.threats_player import threats_fault",
            "from perfectplay.solvers.search.threat_engine import threats_fault",
        ),
    )
    put(
        "players/line_games/open_lines_player.py",
        (
            "line_position import Field, cannot_play",
            "line_position import Field\nfrom perfectplay.solvers.search.threat_engine import cannot_play",
        ),
    )
    put(
        "players/named/squares.py",
        (
            "from perfectplay.players.line_games.line_position import cannot_play",
            "from perfectplay.solvers.search.threat_engine import cannot_play",
        ),
    )
    put(
        "players/named/level_player.py",
        (
            "from perfectplay.players.line_games.threats_player import Engine, threats_fault",
            "from perfectplay.solvers.search.threat_engine import Engine, threats_fault",
        ),
        ("Engine(seat)", "Engine(seat.game, seat.rng, seat.stop)"),
    )
    put(
        "players/named/perfect.py",
        (
            "from perfectplay.players.line_games.threats_player import threats_fault, threats_player",
            "from perfectplay.players.line_games.threats_player import threats_player\nfrom perfectplay.solvers.search.threat_engine import threats_fault",
        ),
    )
    put(
        "players/monte_carlo/mcts_player.py",
        (
            "from perfectplay.players.line_games.line_position import board_with_lines, set_up",
            "from perfectplay.players.line_games.line_position import board_with_lines\nfrom perfectplay.solvers.search.threat_engine import set_up",
        ),
    )
    put(
        "tests/players/test_line_games.py",
        (
            "from perfectplay.players.line_games.line_position import Field, set_up",
            "from perfectplay.players.line_games.line_position import Field",
        ),
        (
            "from perfectplay.players.line_games.threats_player import Engine, line_length",
            "from perfectplay.solvers.search.threat_engine import Engine, line_length, set_up",
        ),
    )


def searchable() -> None:
    text = take("players/player_kind.py", "is_searchable")
    lines = read("compiler/line_rules.py").rstrip("\n") + "\n\n\n" + text
    write(
        "compiler/line_rules.py",
        re.sub(r"from perfectplay\.game import ", "from perfectplay.game import COMPILED_BITS, WIDE_BITS, ", lines),
    )
    put(
        "players/player_kind.py",
        (
            "from perfectplay.compiler.line_rules import lines_fault",
            "from perfectplay.compiler.line_rules import is_searchable",
        ),
        ("from perfectplay.game import COMPILED_BITS, WIDE_BITS, Game", "from perfectplay.game import Game"),
    )
    put(
        "solvers/search/search_analysis.py",
        (
            "from perfectplay.players.player_kind import is_searchable",
            "from perfectplay.compiler.line_rules import is_searchable",
        ),
    )
    for path in ("players/bots/openspiel_player.py", "players/named/minimax_player.py"):
        put(path, ("PlayerName, is_searchable", "PlayerName"))
        text = read(path)
        write(
            path,
            text.replace(
                "from perfectplay.players.player_kind import",
                "from perfectplay.compiler.line_rules import is_searchable\nfrom perfectplay.players.player_kind import",
                1,
            ),
        )


def oracle() -> None:
    """The oracle of games too large for a table belongs to the oracle."""
    text = take("insight/puzzle_search.py", "NODES") + "\n\n" + take("insight/puzzle_search.py", "searching_oracle")
    write("solvers/oracle.py", read("solvers/oracle.py").rstrip("\n") + "\n\n\n" + text)
    put(
        "insight/puzzle_search.py",
        (
            "from perfectplay.solvers.oracle import Oracle, Study, study_of",
            "from perfectplay.solvers.oracle import Oracle, searching_oracle",
        ),
    )
    put(
        "commands/learn/puzzling.py",
        (
            "    from perfectplay.insight.puzzle_search import searching_oracle\n",
            "    from perfectplay.solvers.oracle import searching_oracle\n",
        ),
    )
    put(
        "arena/tournaments/openings.py",
        ("from perfectplay.insight.puzzle_search import searching_oracle\n", ""),
        ("import Study, exactly, table_oracle", "import Study, exactly, searching_oracle, table_oracle"),
    )


def exit_code() -> None:
    text = take("commands/parser.py", "MISUSED")
    path = "commands/terminal/signals.py"
    signals = read(path)
    at = signals.index("\n\n\n")
    write(path, signals[:at] + "\n\n" + text.rstrip("\n") + signals[at:])
    for file in SOURCE.rglob("*.py"):
        name = str(file.relative_to(SOURCE))
        t = file.read_text(encoding="utf-8")
        if re.search(r"from perfectplay\.commands\.parser import [^\n]*\bMISUSED\b", t):
            t = re.sub(
                r"from perfectplay\.commands\.parser import MISUSED\n",
                "from perfectplay.commands.terminal.signals import MISUSED\n",
                t,
            )
            t = re.sub(
                r"from perfectplay\.commands\.parser import MISUSED, ",
                "from perfectplay.commands.terminal.signals import MISUSED\nfrom perfectplay.commands.parser import ",
                t,
            )
            write(name, t)
    put(
        "commands/parser.py",
        (
            "from perfectplay.version",
            "from perfectplay.commands.terminal.signals import MISUSED\nfrom perfectplay.version",
        ),
    )


def program() -> None:
    """Commands and the server are put together in __main__."""
    table = "commands/command_table.py"
    text = read(table)
    where = {
        file.stem: ".".join(file.relative_to(SOURCE).with_suffix("").parts)
        for file in (SOURCE / "commands").rglob("*_command*.py")
    }
    text = re.sub(r'"(\w+_commands?):(\w+)"', lambda m: f'"{where.get(m[1], m[1])}:{m[2]}"', text)
    serve = re.search(r'    Command\(\n        "serve",.*?\n    \),\n', text, flags=re.S)
    assert serve
    text = text.replace(serve[0], "")
    text = text.replace("COMMANDS = (\n", "COMMANDS = [\n")
    assert text.rstrip().endswith("\n)")
    text = text.rstrip()[:-1] + ']\n"""The commands of this room; `perfectplay.__main__` adds those of others."""\n'
    text = text.replace(
        'import_module(f"perfectplay.front.commands.{module}")', 'import_module(f"perfectplay.{module}")'
    )
    text = text.replace(
        "`function` is MODULE:FUNCTION in `front.commands`; the module",
        "`function` is MODULE:FUNCTION within `perfectplay`; the module",
    )
    write(table, text)
    options = take("commands/play/play_options.py", "serve_options")
    command = (
        serve[0]
        .replace("play_options.serve_options", "serve_options")
        .replace('"serve_command:serve"', '"server.serve_command:serve"')
    )
    command = re.sub(r"^    ", "", command.rstrip().rstrip(","), flags=re.M)
    write(
        "server/serve_options.py",
        '"""The command `serve`, as the help shows it; what it does is imported when it runs."""\n\n'
        "from argparse import ArgumentParser\n\n"
        "from perfectplay.commands.command_table import Command\n"
        "from perfectplay.commands.terminal.option_types import size, whole_number\n\n\n"
        f"{options}\n\nSERVE = {command}\n",
    )
    write(
        "__main__.py",
        '"""The program `perfectplay`: the commands of all rooms, in the order in which the help lists them."""\n\n'
        "from perfectplay.commands.cli import main, program\n"
        "from perfectplay.commands.command_table import COMMANDS\n"
        "from perfectplay.server.serve_options import SERVE\n\n"
        '__all__ = ["main", "program"]\n\n'
        "COMMANDS.insert(3, SERVE)\n\n"
        'if __name__ == "__main__":\n    program()\n',
    )
    put(
        "commands/parser.py",
        ("BY_NAME = {name: command for command in COMMANDS for name in (command.name, *command.aliases)}\n", ""),
        ("if text in BY_NAME)", "if text in commands_by_name())"),
        ("    if name not in BY_NAME:\n", "    named = commands_by_name()\n    if name not in named:\n"),
        (
            "    return BY_NAME[name]\n",
            '    return named[name]\n\n\ndef commands_by_name() -> dict[str, Command]:\n    """Each command under its name and its aliases."""\n    return {name: command for command in COMMANDS for name in (command.name, *command.aliases)}\n',
        ),
    )
    for folder in ("tests", "docs", "bench"):
        for file in (ROOT / folder).rglob("*.py"):
            if "house" in file.parts:
                continue
            old = file.read_text(encoding="utf-8")
            new = re.sub(
                r"from perfectplay\.commands\.cli import (main|program)\b(?!,)",
                r"from perfectplay.__main__ import \1",
                old,
            )
            new = new.replace(
                "from perfectplay.commands.cli import as_flags, main",
                "from perfectplay.__main__ import main\nfrom perfectplay.commands.cli import as_flags",
            )
            if new != old:
                file.write_text(new, encoding="utf-8")
    for path, old, new in (
        (
            "docs/reference_pages.py",
            "from perfectplay.commands.cli import build_parser",
            "import perfectplay.__main__  # noqa: F401 - puts all commands together\nfrom perfectplay.commands.parser import build_parser",
        ),
        ("pyproject.toml", "perfectplay.commands.cli:program", "perfectplay.__main__:program"),
    ):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert old in text, old
        (ROOT / path).write_text(text.replace(old, new), encoding="utf-8")


if __name__ == "__main__":
    main()
