"""Kalah: sow the seeds of a house around the board; a last seed in your own store gives another turn.

A last seed in an own empty house catches the seeds opposite, if there are any. The game ends when a side has no seeds
in its houses; then each side keeps what it still has there. A word is a side's houses and, on top, its store:
    store | house n-1 | ... | house 0
"""

from perfectplay.game import Game
from perfectplay.look import Look
from perfectplay.words import DRAW, LOSS, ONGOING, WIN, BadGame, Position, Sides

ALIASES = {"mancala": "6,4"}


def game(houses: int = 3, seeds: int = 2) -> Game:
    """The game with that many houses a side and seeds in each of them."""
    if not (1 <= houses <= 9 and 1 <= seeds <= 9):
        raise BadGame(f"houses and seeds must be 1 to 9, not {houses} and {seeds}")
    total = 2 * houses * seeds
    wide = total.bit_length()
    pit, store = (1 << wide) - 1, houses * wide
    row = (1 << store) - 1

    def moves(mine: int, theirs: int) -> int:
        legal = 0
        for house in range(houses):
            if mine >> house * wide & pit:
                legal |= 1 << house
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        place, left = move, mine >> move * wide & pit
        mine -= left << move * wide
        while left > 0:
            place = place + 1 if place < 2 * houses else 0
            if place <= houses:
                mine += 1 << place * wide
            else:
                theirs += 1 << (place - houses - 1) * wide
            left -= 1
        if place < houses and mine >> place * wide & pit == 1:
            opposite = (houses - 1 - place) * wide
            caught = theirs >> opposite & pit
            if caught:
                theirs -= caught << opposite
                mine += (caught + 1 << store) - (1 << place * wide)
        return (mine, theirs) if place == houses else (theirs, mine)

    def again(mine: int, theirs: int, move: int) -> bool:
        return (move + (mine >> move * wide & pit)) % (2 * houses + 1) == houses

    def kept(word: int) -> int:
        found = 0
        for place in range(houses + 1):
            found += word >> place * wide & pit
        return found

    def margin(mine: int, theirs: int) -> int:
        return kept(mine) - kept(theirs)

    def outcome(mine: int, theirs: int) -> int:
        if mine & row and theirs & row:
            return ONGOING
        lead = margin(mine, theirs)
        return WIN if lead > 0 else LOSS if lead < 0 else DRAW

    full = sum(seeds << house * wide for house in range(houses))
    places = ((1, range(houses, -1, -1)), (0, range(houses + 1)))
    numbers = tuple(str(n) for n in range(1, total + 1))
    pits = [(side, at * wide) for side, row in places for at in row]
    return Game(
        moves=moves,
        play=play,
        outcome=outcome,
        again=again,
        margin=margin,
        bits=store + wide,
        shape=(houses + 1, 2),
        start=(full, full),
        move_names=tuple(str(house + 1) for house in range(houses)),
        order=range(houses - 1, -1, -1),
        cells=[[(pit << at, int(n) << at, side) for n in numbers] for side, at in pits],
        look=Look(
            sides=Sides("south", "north"),
            pieces=Sides(numbers, numbers),
            title=f"Kalah, {houses} houses of {seeds}",
            summary="Sow seeds around the board; collect more in your store than your opponent.",
            board="pits",
            note="South has the lower row, its store on the right; house 1 is the farthest from it.",
        ),
    )
