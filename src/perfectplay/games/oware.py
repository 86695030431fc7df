"""Oware, or awari: sow the seeds of a house around the board and capture twos and threes."""

from perfectplay.game import Game, Look
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """Sow the seeds of one of your houses one by one around the board, leaving out that house.
If the last makes two or three in a house of the opponent, capture these, and those of the houses just before as \
long as they are twos or threes as well; but capture nothing if the opponent would have no seed left.
If the opponent has none, sow some there; if you cannot, the game ends and you keep the seeds that are left.
Whoever has more than half of all seeds wins at once; otherwise the one with more at the end.
Equal numbers are a draw, and so is a game that never ends."""
HISTORY = """A mancala game of West Africa. John Romein and Henri Bal solved awari in 2002. Their rules differ
slightly: when a position repeats, the players share the seeds that are left; here such a game is a draw."""
GROUP, ALIASES, DEFAULTS = "Sowing", {"awari": "6,4", "awale": "6,4"}, lambda houses: (houses, 4 if houses > 5 else 2)
RESULTS, LARGER = {"2,3": "Draw", "3,2": "First player wins in 11"}, {"3,3": "Draw", "4,2": "Draw"}
REPORTED = {"6,4": "Draw: J. Romein, H. Bal, *Solving Awari with Parallel Retrograde Analysis*, 2003"}


def game(houses: int = 3, seeds: int = 2) -> Game:
    """The game with that many houses a side and seeds in each of them."""
    if not (1 <= houses <= 6 and 1 <= seeds <= 5):
        raise BadGame(f"houses must be 1 to 6 and seeds 1 to 5, not {houses} and {seeds}")
    total, wide = 2 * houses * seeds, (2 * houses * seeds).bit_length()
    pit, store, row = (1 << wide) - 1, houses * wide, (1 << houses * wide) - 1  # a word: its store above its houses

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for house in range(houses):
            least = 1 if theirs & row else houses - house  # enough to reach the other side
            legal |= (1 if mine >> house * wide & pit >= least else 0) << house
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        place, seeds = move, mine >> move * wide & pit
        mine -= seeds << move * wide
        for _ in range(seeds):
            place = (place + 1) % (2 * houses)
            place = move + 1 if place == move else place
            if place < houses:
                mine += 1 << place * wide
            else:
                theirs += 1 << (place - houses) * wide
        captures, rest = 0, theirs
        for house in range(place - houses, -1, -1):
            here = rest >> house * wide & pit
            if here not in (2, 3):
                break
            captures, rest = captures + here, rest - (here << house * wide)
        return (rest, mine + (captures << store)) if rest & row else (theirs, mine)

    def margin(mine: int, theirs: int) -> int:
        lead = 0
        for place in range(houses + 1):
            lead += (mine >> place * wide & pit) - (theirs >> place * wide & pit)
        return lead

    def outcome(mine: int, theirs: int) -> int:
        if moves(mine, theirs) and 2 * max(mine >> store, theirs >> store) <= total:
            return ONGOING
        lead = (mine >> store) - (theirs >> store) if moves(mine, theirs) else margin(mine, theirs)
        return WIN if lead > 0 else LOSS if lead < 0 else DRAW

    full, counts, ends = seeds * (row // pit), tuple(map(str, range(total + 1))), ("north", "south")
    names, title = counts[1 : houses + 1], f"Oware, {houses} {'houses' if houses > 1 else 'house'} of {seeds}"
    pits = [(1, at) for at in reversed(range(houses))] + [(0, at) for at in range(houses)] + [(1, houses), (0, houses)]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        tier=lambda mine, theirs: (mine >> store) + (theirs >> store),
        bits=store + wide,
        shape=(houses, 2),
        start=(full, full),
        move_names=Sides(names, names[::-1]),
        cells=[[(pit << at * wide, n << at * wide, side) for n in range(total + 1)] for side, at in pits],
        look=Look(Sides(*ends[::-1]), Sides(counts, counts), names, ends, title=title, board="pits", beside=ends),
    )
