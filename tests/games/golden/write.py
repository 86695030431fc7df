"""Writes what the rules do today, one file a game: counts of sequences and positions, and a game drawn as text.

Run `make goldens` after a change of rules, and look at the difference before you commit it.
"""

from pathlib import Path
from random import Random

from perfectplay.arena.referee import play_game, winner_of
from perfectplay.game import Game, after, canonical, levels, next_ply
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.rules.families import family_names
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import draw_position, move_name, show_position
from perfectplay.words import FIRST, Position

FOLDER = Path(__file__).parent
MORE_SIZES = {
    "lines": ["lines:3,3,3,misere=true", "lines:4,3,3", "lines:15,15,5"],
    "drop": ["drop:4,3,3", "drop:4,4,4"],
    "fading": ["fading:3,2", "fading:4,4"],
    "kingpawns": ["kingpawns:pawns=4", "kingpawns:1,true"],
    "dots": ["dots:1,1", "dots:2,1", "dots:3,3"],
    "kalah": ["kalah:2,2", "kalah:4,3", "kalah:6,4"],
    "morris": ["morris:3", "morris:9"],
    "notakto": ["notakto:2"],
    "orderchaos": ["orderchaos:4,4,4"],
    "picaria": ["picaria:13", "picaria:9,true"],
    "popout": ["popout:7,6,4"],
    "quixo": ["quixo:5"],
    "teeko": ["teeko:true"],
    "wild": ["wild:3,3,3,true"],
    "hex": ["hex:2"],
    "y": ["y:2"],
    "havannah": ["havannah:2"],
    "ataxx": ["ataxx:3,3", "ataxx:4,2"],
    "capturego": ["capturego:2,2", "capturego:4,2"],
    "oware": ["oware:2,2"],
    "krk": ["krk:4"],
    "kqk": ["kqk:4"],
    "kbnk": ["kbnk:3"],
    "kpk": ["kpk:4"],
    "chomp": ["chomp:3,3"],
    "cram": ["cram:3,2"],
    "domineering": ["domineering:3,5"],
    "isolation": ["isolation:2,3"],
    "kayles": ["kayles:1,11"],
    "nim": ["nim:1,3,5,7", "nim:2,2"],
    "nodekayles": ["nodekayles:9,1"],
}
MOST = 500_000
"""The most moves that are looked at to count positions."""
MOST_AT_ONCE = 30_000
"""The most moves of one ply from which sequences are counted."""
FEWER = dict.fromkeys(("krk", "kqk", "kbnk", "kpk"), 20_000)
"""The same for games whose rules take longer."""


def counts(game: Game, most: int, at_once: int) -> list[str]:
    ways = {(game.start, FIRST): 1}
    sequences, rest = [], ""
    for _ in range(10):
        sequences.append(sum(ways.values()))
        moves = len({position for position, _ in ways}) * game.moves(*game.start).bit_count()
        if not sequences[-1] or moves > at_once:
            rest = " ..." if 0 < moves <= MOST_AT_ONCE else ""
            break
        ways = next_ply(game, ways.items())
    seen: list[Position] = []
    by_ply, looked_at, complete = [], 0, True
    for level in levels(game):
        seen += level
        by_ply.append(len(level))
        looked_at += len(level) * game.moves(*level[0]).bit_count()
        if looked_at > most:
            complete = False
            break
    lines = [f"sequences by ply: {' '.join(map(str, sequences))}{rest}"]
    lines.append(f"positions by first ply: {' '.join(map(str, by_ply))}{'' if complete else ' ...'}")
    if complete:
        classes = len({canonical(game)(*position) for position in seen})
        ends = [game.outcome(*position) for position in seen]
        lines.append(f"positions: {len(seen)}, classes: {classes}")
        lines.append(
            f"finished: lost {ends.count(-1)}, drawn {ends.count(0)}, won {ends.count(1)} for the side to move"
        )
    return lines


def playthrough(game: Game) -> list[str]:
    rng = Random(1)
    players = [player_maker("wins")(Seat(game, side, rng)) for side in (0, 1)]
    record = play_game(game, players[0], players[1], most_plies=12)
    lines, position, side = [], game.start, FIRST
    for move in record.moves:
        lines += [draw_position(game, position, side), ""]
        lines += [f"{game.look.sides[side]} plays {move_name(game, position, side, move)}", ""]
        position, side = after(game, position, side, move)
    lines += [draw_position(game, position, side), show_position(game, position, side)]
    winner = winner_of(game.outcome(*position), side)
    lines.append(f"{game.look.sides[winner]} wins" if winner is not None else "drawn or not finished")
    return lines


def golden(family: str, most: int = MOST) -> str:
    lines = []
    for name in [family, *MORE_SIZES.get(family, [])]:
        game = load_game(name)
        counted = counts(game, min(most, FEWER.get(name, MOST)), min(most, MOST_AT_ONCE))
        lines += [f"== {name}", *counted, "", *playthrough(game), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    for family in family_names():
        (FOLDER / f"{family}.txt").write_text(golden(family), encoding="utf-8")
        print(f"wrote {family}.txt")
