"""Kalah: sow the seeds of a house around the board; a last seed in your own store gives another turn."""

from perfectplay.game import Game, Look
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides

RULES = """Every house begins with the same number of seeds. \
Sow the seeds of one of your houses one by one, counter-clockwise, from the next house on: into your store as well, \
but not into the opponent's, and on a whole lap also into the house that they come from.
If the last one falls into your store, you move again.
If it is then alone in one of your houses, and there are seeds in the house opposite, it and these go to your store.
When a side has no seeds left in its houses, the game ends; the other side keeps those in its own.
Whoever has more seeds wins; equal numbers are a draw."""
GROUP, ALIASES, DEFAULTS = "Sowing", {"mancala": "6,4"}, lambda houses: (houses, 4 if houses > 5 else 2)
HISTORY = """Geoffrey Irving, Jeroen Donkers and Jos Uiterwijk solved it up to six houses of five seeds in 2000, with \
empty capture: a last seed alone in a house goes to the store even if the house opposite is empty. The same side wins \
the sizes below, but the margins differ: 4,3 is won by 8 there, by 6 here. Mark Rawlings solved six houses by both \
rules in 2015. With empty capture the first player wins four seeds by 10 and six by 2; without it, as here, four by 8, \
five by 10 and six by at least 4."""
WON = "First player wins: G. Irving, J. Donkers, J. Uiterwijk, *Solving Kalah*, 2000"
LOST = WON.replace("First", "Second")
RESULTS = {"2,2": LOST, "2,3": LOST, "3,2": WON, "3,3": WON}
REPORTED = {
    "6,4": "First player wins by 8: M. Rawlings 2015",
    "6,5": "First player wins by 10: M. Rawlings 2015",
    "6,6": "First player wins: M. Rawlings 2015",
}
LARGER = {"4,2": WON, "4,3": WON}


def game(houses: int = 3, seeds: int = 2) -> Game:
    """The game with that many houses a side and seeds in each of them."""
    if not (1 <= houses <= 9 and 1 <= seeds <= 9):
        raise BadGame(f"houses and seeds must be 1 to 9, not {houses} and {seeds}")
    total, wide = 2 * houses * seeds, (2 * houses * seeds).bit_length()
    pit, store, row = (1 << wide) - 1, houses * wide, (1 << houses * wide) - 1  # a word: its store above its houses

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for house in range(houses):
            legal |= min(mine >> house * wide & pit, 1) << house
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        place, seeds = move, mine >> move * wide & pit
        mine -= seeds << move * wide
        for _ in range(seeds):
            place = place + 1 if place < 2 * houses else 0
            if place <= houses:
                mine += 1 << place * wide
            else:
                theirs += 1 << (place - houses - 1) * wide
        caught = theirs >> (houses - 1 - place) * wide & pit if place < houses else 0
        if caught and mine >> place * wide & pit == 1:
            return theirs - (caught << (houses - 1 - place) * wide), mine + (caught + 1 << store) - (1 << place * wide)
        return (mine, theirs) if place == houses else (theirs, mine)

    def again(mine: int, theirs: int, move: int) -> bool:
        return (move + (mine >> move * wide & pit)) % (2 * houses + 1) == houses

    def margin(mine: int, theirs: int) -> int:
        lead = 0
        for place in range(houses + 1):
            lead += (mine >> place * wide & pit) - (theirs >> place * wide & pit)
        return lead

    def outcome(mine: int, theirs: int) -> int:
        lead = margin(mine, theirs)
        return ONGOING if mine & row and theirs & row else WIN if lead > 0 else LOSS if lead < 0 else DRAW

    full, counts, ends = seeds * (row // pit), tuple(map(str, range(total + 1))), ("north", "south")
    names, title = counts[1 : houses + 1], f"Kalah, {houses} {'houses' if houses > 1 else 'house'} of {seeds}"
    pits = [(1, at) for at in reversed(range(houses))] + [(0, at) for at in range(houses)] + [(1, houses), (0, houses)]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again,
        margin=margin,
        bits=store + wide,
        shape=(houses, 2),
        start=(full, full),
        move_names=Sides(names, names[::-1]),
        order=range(houses - 1, -1, -1),
        cells=[[(pit << at * wide, n << at * wide, side) for n in range(total + 1)] for side, at in pits],
        look=Look(Sides(*ends[::-1]), Sides(counts, counts), names, ends, title=title, board="pits", beside=ends),
    )
