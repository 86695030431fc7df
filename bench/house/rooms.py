# ruff: noqa: D103, E501
"""Imports that run upwards and circles among siblings, as they will be after a plan: python bench/house/rooms.py PLAN."""

import sys
from collections import defaultdict
from pathlib import Path

import grimp
from moves import modules_of, read_plan

ORDER = [
    "hall",
    "processes",
    "rules",
    "games",
    "views",
    "compiler",
    "solvers",
    "players",
    "arena",
    "insight",
    "exports",
    "commands",
    "server",
    "classic rl bridges",
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names.split()}


def main(plan: str) -> None:
    moves, merges = read_plan(Path(plan).read_text(encoding="utf-8"))
    renamed = modules_of(moves) | {f"perfectplay.{old}": f"perfectplay.{new}" for old, new in merges.items()}
    graph = grimp.build_graph("perfectplay", exclude_type_checking_imports=True)
    up: list[tuple[str, str]] = []
    siblings: dict[str, dict[tuple[str, str], list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for module in graph.modules:
        for target in graph.find_modules_directly_imported_by(module):
            a, b = final(module, renamed), final(target, renamed)
            if a == "perfectplay" or a == b:
                continue
            pa, pb = a.split("."), b.split(".")
            ra, rb = RANK.get(pa[1], 0), RANK.get(pb[1] if len(pb) > 1 else "", 0)
            if rb > ra:
                up.append((a, b))
            n = 0
            while n < min(len(pa), len(pb)) and pa[n] == pb[n]:
                n += 1
            if n < len(pa) and n < len(pb):
                siblings[".".join(pa[:n])][(pa[n], pb[n])].append((a, b))
    print(len(up), "upwards")
    for a, b in sorted(up):
        print("  ", a.removeprefix("perfectplay."), "->", b.removeprefix("perfectplay."))
    for parent, edges in sorted(siblings.items()):
        for circle in circles(edges):
            print("circle in", parent, sorted(circle))
            few = sorted((len(v), k, v) for k, v in edges.items() if k[0] in circle and k[1] in circle)
            for n, k, v in few[:30]:
                print("   ", n, k, [(a.removeprefix("perfectplay."), b.removeprefix("perfectplay.")) for a, b in v][:4])
    sizes: dict[str, int] = defaultdict(int)
    for module in graph.modules:
        f = final(module, renamed)
        sizes[f.rsplit(".", 1)[0]] += 1
    print({k: v for k, v in sorted(sizes.items()) if v > 20})


def final(name: str, renamed: dict[str, str]) -> str:
    seen = set()
    while name in renamed and name not in seen:
        seen.add(name)
        new = renamed[name]
        if new == name:
            break
        return new
    return name


def circles(edges: dict[tuple[str, str], list[tuple[str, str]]]) -> list[set[str]]:
    nodes = {n for e in edges for n in e}
    after = {n: {b for a, b in edges if a == n} for n in nodes}
    reach = {}
    for n in nodes:
        seen, stack = set(), [n]
        while stack:
            for m in after[stack.pop()]:
                if m not in seen:
                    seen.add(m)
                    stack.append(m)
        reach[n] = seen
    found, done = [], set()
    for n in nodes:
        if n in reach[n] and n not in done:
            circle = {m for m in nodes if m in reach[n] and n in reach[m]}
            done |= circle
            found.append(circle)
    return found


if __name__ == "__main__":
    main(sys.argv[1])
