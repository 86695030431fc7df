"""How fast a card solves, and how far from what its memory allows: python bench/card.py [GAME ...]."""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from perfectplay.engines.cuda import find_card, from_card, load_card_kernels
from perfectplay.loading import load_game
from perfectplay.solve.card_tables import Room
from perfectplay.solve.on_card import on_card, warm_up
from perfectplay.solve.steps import Clock, finished

def main() -> None:
    card = find_card()
    print(card, flush=True)
    for name in sys.argv[1:]:
        again = not name.startswith("+")
        game = load_game(name.lstrip("+"))
        kernels = load_card_kernels(game, card)
        for _ in range(1 + again):
            begin = time.perf_counter()
            with TemporaryDirectory() as folder:
                room = Room(game, card, kernels, 100 << 30, Path(folder))
                warm_up(room)
                clock = Clock()
                steps = clock.timed(on_card(room, None))
                last = begin
                while True:
                    try:
                        step = next(steps)
                    except StopIteration as end:
                        solved, classes = end.value
                        break
                    if "-v" in sys.argv or not again:
                        now=time.perf_counter(); print(step.phase, f"{step.done:,}", f"{now-last:.3f} s card {room.memory.taken/2**30:.1f} GiB host left {room.host_left/2**30:.1f}", flush=True); last=now
                room.close()
            print(f"{name}: {classes:,} classes {sum(solved.counts.values()):,} positions {solved.start} {clock.seconds} {classes/clock.solving()/1e6:.0f} M/s, most {room.memory.most/2**30:.1f} GiB, successors {from_card(room.tallies)[kernels.EDGES]:,} edges {room.edges_kept} total {time.perf_counter()-begin:.3f}", flush=True)
main()
