# ruff: noqa: D103, E501
"""What no rule of moves.py finds: docstrings of new packages, paths of data, names made of parts."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "perfectplay"
PACKAGES = {
    "processes": "Work elsewhere: supervised programs, child processes, and files that are written whole.",
    "rules": "From a file to a game: loading, families, source, fingerprint, notation, and what games share.",
    "views": "How it looks: boards and games as text, SVG, PNG and GIF.",
    "compiler": "Rules as machine code: guarded, compiled with loops for the CPU and the GPU, translated to C and WebAssembly.",
    "compiler/checks": "The contract of the rules, and the checks that all ways of running them agree.",
    "compiler/kernels": "Loops that are compiled with the rules of a game; text below a line is the same for every game.",
    "compiler/integers": "Numbers of the rules as machine words: guards where they might not fit, and words wider than 63 bits.",
    "compiler/c": "Rules translated to C.",
    "solvers": "What is true: tables, engines, search, books, and the oracle.",
    "solvers/search": "Values without a table: alpha-beta with bounds, threats, opening books.",
    "solvers/memory": "Retrograde analysis in memory: layers, cycles, tiers, and small games without numba.",
    "solvers/validity": "Checks of rules before a solve, and of tables after it.",
    "players/named": "Players by name, a file each.",
    "players/bots": "Players from outside: functions in files, programs, other libraries.",
    "players/models": "Models of imperfect opponents, and exact odds against them.",
    "insight/trees": "Search trees as text, SVG and HTML.",
    "insight/sweeps": "Sweeps over variants of rules: which there are, what is found out about each, what is kept, how it looks.",
    "insight/ladder": "The ladder of algorithms, to read: each adds one idea to the one before.",
    "exports": "What leaves: JSON, Parquet, C, and the page.",
    "bridges": "Other people's libraries and programs.",
    "server": "The page's requests.",
    "commands": "One file a verb: its function in Python and its command.",
    "commands/know": "What is known of a position.",
    "commands/play": "Games: played, drawn, reviewed, and played many times.",
    "commands/prove": "Tables and books: solved, counted, checked, kept.",
    "commands/odds": "Exact odds between players.",
    "commands/learn": "Explanations, puzzles, strategies, trees and sweeps.",
    "commands/compete": "Tournaments, certificates and comparisons.",
    "commands/publish": "Solutions and pages for others.",
    "commands/terminal": "The terminal: streams, signals, progress, arguments, boards side by side.",
}


def main() -> None:
    for folder, text in PACKAGES.items():
        file = SOURCE / folder / "__init__.py"
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(
            re.sub(r'\A(""".*?"""\n)?', lambda _, text=text: f'"""{text}"""\n', old, count=1, flags=re.S),
            encoding="utf-8",
        )
    put("src/perfectplay/exports/page/__init__.py", "perfectplay.pictures", "perfectplay.views")
    put("src/perfectplay/bridges/notebook", "../page/static", "../../exports/page/static")
    put("src/perfectplay/rules/families.py", 'Path(__file__).parent / "games"', 'Path(__file__).parents[1] / "games"')
    put("src/perfectplay/solvers/table/opening_books.py", "Path(__file__).parent.parent", "Path(__file__).parents[2]")
    put(
        "src/perfectplay/compiler/compiled.py",
        'f"engines/int{rules.bits}_guards"',
        'f"compiler/integers/int{rules.bits}_guards"',
    )
    put("src/perfectplay/compiler/cuda.py", 'f"engines/gpu/{name}"', 'f"compiler/gpu/{name}"')
    put("src/perfectplay/exports/page/script_bundle.py", "(?:\\./|\\.\\./(?:", "(?:\\./|(?:\\.\\./)+(?:")
    put("tsconfig.json", "perfectplay/page/", "perfectplay/exports/page/")
    put("tsconfig.json", "perfectplay/notebook/", "perfectplay/bridges/notebook/")
    put("tests/bridges/notebook/test_board_picture.py", '"perfectplay" / "page"', '"perfectplay" / "exports" / "page"')


def put(path: str, old: str, new: str) -> None:
    place = ROOT / path
    hit = False
    for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
        if file.is_file() and file.suffix not in (".pyc", ".png"):
            text = file.read_text(encoding="utf-8")
            if old in text:
                hit = True
                file.write_text(text.replace(old, new), encoding="utf-8")
    if not hit:
        print(f"not found in {path}: {old}")


if __name__ == "__main__":
    main()
