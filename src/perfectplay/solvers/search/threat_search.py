# mypy: ignore-errors
"""Alpha-beta on a board of shapes: looks at promising squares, never past a threat, and for wins by force.

There are three ways to search. EVERY looks at the most promising squares and, where its depth ends, goes on with fours
only, free to stop (QUIET). THREES and FOURS look for a win by force of the side to move: it makes only open threes and
fours, or only fours, and the other side tries all that might help. Such a win is proven, all else is an opinion.

A side that could be beaten at once has few answers, and these are all looked at: the square of the five that
threatens; or, if an open four threatens, the squares where either side could make a four.

It is one loop with a stack in arrays: numba cannot load functions that call themselves from its cache.
"""

import numpy as np

from perfectplay.solvers.search.threat_board import EMPTY, FIVE, FOUR, NOTHING, THREE, WINNING, kernel, put, take

# ---- below this line the text is the same for every game ----

WON = 1 << 40
"""The score of a win, less the plies to it."""
SURE = WON - 10_000
"""From here on a score is a win."""
EVERY, THREES, FOURS, QUIET = range(4)
NODES, LIMIT, STOP = range(3)
"""Places in `work`: nodes so far, how many there may be, and whether to stop at once."""
EXACT, AT_LEAST, AT_MOST = range(3)
MANY = 16
"""The most squares that are tried in a position, the most promising ones."""
QUIET_PLIES = 10
"""The plies for which fours are searched beyond the depth."""
TENSE_PLIES = 3
"""The plies for which answers to open threes are searched beyond the depth."""
DEEPEST = 96
"""The plies that a stack has room for."""
PASS = -1
PASS_PLIES = 2
"""The plies by which the search after a pass is less deep."""
LATE = 4
"""The number of squares after which the others are first searched less deeply."""
SQUARE_BITS = 10
LOW = (1 << SQUARE_BITS) - 1
NEVER = FIVE + 1


DEPTH, ALPHA, BETA, BEST, BEST_MOVE, NEXT, COUNT, MADE, MODE, LESS, TRIAL, PASSED = range(12)
"""Places in `numbers`, for each ply."""
KEY, LOOKED, SCORE, MOVE, BOUND = range(5)
"""Places in a row of `table`."""


def new_stack(size, table_bits):
    """Room for the search: moves and numbers for each ply from the root, and a table of what was found before."""
    moves, numbers = np.zeros((DEEPEST, size), np.int64), np.zeros((DEEPEST, 12), np.int64)
    return moves, numbers, np.zeros((1 << table_bits, 5), np.int64)


@kernel
def squares_of_kind(board, side, mine, theirs, moves):
    """Writes the empty squares of at least these kinds for the side or for the other, with their promise; how many."""
    count, other = 0, 1 - side
    for square in range(board.area):
        if board.marks[square] == EMPTY and (board.kinds[side, square] >= mine or board.kinds[other, square] >= theirs):
            moves[count] = (2 * board.worth[side, square] + board.worth[other, square]) << SQUARE_BITS | square
            count += 1
    return count


@kernel
def candidates(board, side, mode, attacking, tense, moves):
    """Writes the squares to be tried, with their promise; how many."""
    theirs = board.tally[1 - side]
    wanted = THREE if mode == THREES else FOUR
    if theirs[FIVE]:
        count = squares_of_kind(board, side, NEVER, FIVE, moves)
        return 0 if attacking and board.kinds[side, moves[0] & LOW] < wanted else count
    if attacking:
        return squares_of_kind(board, side, wanted, NEVER, moves)
    if theirs[WINNING] and (mode != QUIET or tense):
        return squares_of_kind(board, side, FOUR, FOUR, moves)
    if mode == QUIET:
        return squares_of_kind(board, side, FOUR, NEVER, moves)
    if mode == EVERY:
        return squares_of_kind(board, side, NOTHING, NEVER, moves)
    return 0


@kernel
def judged(board, side, ply):
    """Whether a position needs no search, and its score then."""
    mine, theirs = board.tally[side], board.tally[1 - side]
    if mine[FIVE]:
        return True, np.int64(WON - ply - 1)
    if board.count == board.area:
        return True, np.int64(0)
    if theirs[FIVE] > 1:
        return True, np.int64(ply + 2 - WON)
    if theirs[FIVE] == 0 and mine[WINNING]:
        return True, np.int64(WON - ply - 3)
    return False, np.int64(0)


@kernel
def opinion(board, side):
    """What the position seems to be worth to the side to move."""
    return 3 * board.totals[side] // 2 - board.totals[1 - side]


@kernel
def key_of(board, side, mode, attacking):
    """The number under which a position is kept."""
    return board.hash ^ (side + 2 * mode + 8 * attacking) * np.int64(0x1E3779B97F4A7C15)


@kernel
def remembered(table, key, here, ply):
    """Whether the table's score is good enough, the score, and the best move known; -1 if there is none."""
    row = table[key & (table.shape[0] - 1)]
    if row[KEY] != key:
        return False, np.int64(0), np.int64(-1)
    score = row[SCORE] - ply if row[SCORE] > SURE else row[SCORE] + ply if row[SCORE] < -SURE else row[SCORE]
    good = row[LOOKED] >= here[DEPTH] and (
        row[BOUND] == EXACT
        or (row[BOUND] == AT_LEAST and score >= here[BETA])
        or (row[BOUND] == AT_MOST and score <= here[ALPHA])
    )
    return good, score, row[MOVE]


@kernel
def remember(table, key, here, score, ply):
    """Writes a score into the table."""
    row = table[key & (table.shape[0] - 1)]
    row[KEY], row[LOOKED], row[MOVE] = key, here[DEPTH], here[BEST_MOVE]
    row[SCORE] = score + ply if score > SURE else score - ply if score < -SURE else score
    row[BOUND] = AT_LEAST if score >= here[BETA] else AT_MOST if score <= here[ALPHA] else EXACT


@kernel
def is_calm(board, side, mode):
    """Whether the other side threatens nothing that must be answered, so that every promising square is tried."""
    return mode == EVERY and board.tally[1 - side, FIVE] + board.tally[1 - side, WINNING] == 0


@kernel
def may_pass(board, side, ply, numbers):
    """Whether to ask first what comes of not moving at all: if that is good enough, some move is even better."""
    here = numbers[ply]
    calm = is_calm(board, side, here[MODE]) and here[DEPTH] > PASS_PLIES
    once = ply > 0 and numbers[ply - 1, MADE] != PASS
    return calm and once and abs(here[BETA]) < SURE and opinion(board, side) >= here[BETA]


@kernel
def enter(board, side, attacking, tense, ply, all_moves, numbers, table):
    """Prepares the search of a position: whether its score is known already, and the score."""
    here = numbers[ply]
    mode, depth = here[MODE], here[DEPTH]
    known, score = judged(board, side, ply)
    if known:
        return True, score
    if ply == DEEPEST - 1 or (mode == QUIET and depth <= -QUIET_PLIES):
        return True, opinion(board, side) if mode in (EVERY, QUIET) else np.int64(0)
    if attacking and depth <= 0:
        return True, np.int64(0)
    best = np.int64(-1)
    if mode != QUIET:
        known, score, best = remembered(table, key_of(board, side, mode, attacking), here, ply)
        if known:
            here[BEST_MOVE] = best
            return True, score
    moves = all_moves[ply]
    here[COUNT] = candidates(board, side, mode, attacking, tense, moves)
    here[NEXT], here[BEST], here[BEST_MOVE] = 0, -WON, -1
    theirs = board.tally[1 - side]
    here[PASSED] = not may_pass(board, side, ply, numbers)
    if mode == QUIET and theirs[FIVE] == 0 and not (tense and theirs[WINNING]):
        here[BEST] = opinion(board, side)
    elif mode != EVERY and mode != QUIET and (attacking or here[COUNT] == 0):
        here[BEST] = 0
    if best >= 0:
        for i in range(here[COUNT]):
            if moves[i] & LOW == best:
                moves[i] |= np.int64(1) << 62
    return False, np.int64(0)


@kernel
def next_move(board, side, here, moves):
    """The most promising square not tried yet; -1 if none is left.

    But for the first, squares are tried: only whether they are better is asked, of later ones by a look less deep.
    """
    number, calm = here[NEXT], is_calm(board, side, here[MODE])
    if number == here[COUNT] or (calm and number == MANY):
        return np.int64(-1)
    best = number
    for i in range(number + 1, here[COUNT]):
        if moves[i] > moves[best]:
            best = i
    moves[number], moves[best] = moves[best], moves[number]
    here[NEXT] = number + 1
    square = moves[number] & LOW
    loud = board.kinds[side, square] + board.kinds[1 - side, square]
    here[TRIAL] = here[MODE] == EVERY and number > 0
    here[LESS] = 1 if calm and number >= LATE and here[DEPTH] >= 3 and loud == 0 else 0
    return square


@kernel
def descend(board, side, ply, numbers):
    """Puts the mark chosen here and opens the window of the position after it."""
    here, child = numbers[ply], numbers[ply + 1]
    answering = board.tally[1 - side, FIVE] > 0
    mode = here[MODE]
    put(board, here[MADE], side)
    cost = 1
    if mode in (THREES, FOURS):
        cost = 1 - (ply & 1)
    elif mode == EVERY and answering:
        cost = 0
    child[DEPTH] = here[DEPTH] - cost - here[LESS]
    child[MODE] = QUIET if mode == EVERY and child[DEPTH] <= 0 else mode
    low = max(here[ALPHA], here[BEST])
    child[ALPHA], child[BETA] = -low - 1 if here[TRIAL] else -here[BETA], -low


@kernel
def pass_on(here, child):
    """Opens the window of the position in which the other side may move again."""
    here[PASSED], here[MADE] = 1, PASS
    child[DEPTH] = here[DEPTH] - 1 - PASS_PLIES
    child[MODE] = QUIET if child[DEPTH] <= 0 else EVERY
    child[ALPHA], child[BETA] = -here[BETA], 1 - here[BETA]


@kernel
def take_back(board, numbers, ply):
    """Takes the mark off again that was put on this ply, unless it was a pass."""
    if numbers[ply, MADE] != PASS:
        take(board, numbers[ply, MADE])


@kernel
def search(board, side, mode, depth, alpha, beta, moves, numbers, table, work):
    """The score of the position for the side to move, which no one has won yet; anything if it was stopped."""
    ply = 0
    numbers[0, DEPTH], numbers[0, ALPHA], numbers[0, BETA] = depth, alpha, beta
    numbers[0, MODE] = QUIET if mode == EVERY and depth <= 0 else mode
    while True:
        # A new position.
        mover, forced = side ^ (ply & 1), mode != EVERY
        attacking = forced and ply & 1 == 0
        work[NODES] += 1
        known, score = enter(board, mover, attacking, numbers[ply, DEPTH] > -TENSE_PLIES, ply, moves, numbers, table)
        # On with the next move, or back with the score.
        while True:
            if work[STOP] != 0 or work[NODES] > work[LIMIT]:
                while ply:
                    ply -= 1
                    take_back(board, numbers, ply)
                return np.int64(0)
            here, mover = numbers[ply], side ^ (ply & 1)
            if not known and not here[PASSED]:
                pass_on(here, numbers[ply + 1])
                ply += 1
                break
            if not known:
                square = np.int64(-1)
                if here[BEST] < here[BETA]:
                    square = next_move(board, mover, here, moves[ply])
                if square >= 0:
                    here[MADE] = square
                    descend(board, mover, ply, numbers)
                    ply += 1
                    break
                score = here[BEST]
                if here[MODE] != QUIET:
                    attacking = forced and ply & 1 == 0
                    remember(table, key_of(board, mover, here[MODE], attacking), here, score, ply)
            if ply == 0:
                return score
            ply -= 1
            here, mover = numbers[ply], side ^ (ply & 1)
            take_back(board, numbers, ply)
            known = here[MADE] == PASS and -score >= here[BETA]
            if here[MADE] == PASS:
                score = here[BETA]
                continue
            low = max(here[ALPHA], here[BEST])
            if here[TRIAL] and -score > low and (here[LESS] or -score < here[BETA]):
                here[LESS] = here[TRIAL] = 0
                descend(board, mover, ply, numbers)
                ply += 1
                break
            if -score > here[BEST]:
                here[BEST], here[BEST_MOVE] = -score, here[MADE]
