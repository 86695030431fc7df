"""The L game: lift your L and put it down elsewhere, then move a neutral piece if you like; whoever cannot, loses."""

from perfectplay.bits import bit_numbers, turns_and_mirrors
from perfectplay.game import NEVER, Game, Look
from perfectplay.words import LOSS, ONGOING, Position, Sides

GROUP = "Blocking"
RULES = """Blue's L begins on b1, c1, c2 and c3, Red's on b2, b3, b4 and c4, the neutral pieces on a1 and d4. Blue \
begins.
Lift your L, which covers four squares, and put it down in another place, turned and flipped as you like.
Then you may move one of the two neutral pieces to any empty square, or let them stay.
Whoever cannot put the L down elsewhere has lost. The game can repeat; if it never ends, it is a draw."""
HISTORY = (
    "Edward de Bono invented it in 1967, to be as simple as possible and still need skill. Karl Scherer proved a draw."
)
LARGER = {"": "Draw, endless: K. Scherer 1979"}
ALIASES = {"l-game": ""}
BOARD, DOWN = 0xFFFF, 1 << 32  # a word: the L; for the side to move also the neutral pieces, and whether its L is down
TURNS = turns_and_mirrors(4, 4)
LS = tuple(sorted({sum(1 << turn[at + to] for at in (0, 4, 8, 9)) for turn in TURNS for to in (0, 1, 2, 4, 5, 6)}))
NAMES = [f"{'abcd'[at % 4]}{at // 4 + 1}" for at in range(16)]


def game() -> Game:
    """The game."""

    def moves(
        mine: int, theirs: int
    ) -> int:  # 48 places of the L; or 16 for each neutral piece, and 32 to let them stay
        neutral, legal = mine >> 16 & BOARD, 0
        if mine & DOWN:
            free = BOARD & ~(mine | theirs | neutral)
            return free | free << 16 | 1 << 32
        for number in range(48):
            legal |= (LS[number] & (theirs | neutral) == 0 and LS[number] != mine & BOARD) << number
        return legal

    def play(mine: int, theirs: int, move: int) -> Position:
        neutral = mine >> 16 & BOARD
        if not mine & DOWN:
            return LS[move] | neutral << 16 | DOWN, theirs
        lower = neutral & -neutral
        if move < 32:
            neutral = neutral & ~lower | 1 << move if move < 16 else lower | 1 << move - 16
        return theirs | neutral << 16, mine & BOARD

    def name(mine: int, theirs: int, move: int) -> str:
        if not mine & DOWN:
            return "".join(NAMES[at] for at in bit_numbers(LS[move]))
        return "stay" if move == 32 else f"{NAMES[bit_numbers(mine >> 16 & BOARD)[move // 16]]}-{NAMES[move % 16]}"

    return Game(
        moves=moves,
        play=play,
        outcome=lambda mine, theirs: ONGOING if moves(mine, theirs) else LOSS,
        again=lambda mine, theirs, move: mine & DOWN == 0,
        bits=33,
        shape=(4, 4),
        start=(0x0446 | 0x8001 << 16, 0x6220),
        symmetries=[(*turn, *(16 + at for at in turn), 32) for turn in TURNS],
        key=lambda mine, theirs: mine | theirs << 33,
        unkey=lambda key: (key & (1 << 33) - 1, key >> 33),
        key_bits=49,
        move_names=name,
        cells=[*(((1 << at, 1 << at), (1 << 16 + at, 1 << 16 + at)) for at in range(16)), (NEVER, NEVER, (DOWN, DOWN))],
        look=Look(
            sides=Sides("Blue", "Red"),
            pieces=Sides(("B", "o", "+"), ("R", "o", "+")),
            shapes=Sides(("block", "man", "text"), ("block", "man", "text")),
            colours=Sides("blue", "red"),
            beside=("L is down",),
            title="The L game",
        ),
    )
