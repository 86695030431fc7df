"""Templates of a C file by the kind of its game, and an opponent of one level, which chooses as the player `level:N`.

P is the prefix of all names, UP the same in capitals.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from perfectplay.exports.c.static_function import MIXERS
from perfectplay.game import Game
from perfectplay.players.models.game_graph import Graph
from perfectplay.players.models.level_policies import ladder
from perfectplay.players.models.levels import ALL, Level
from perfectplay.players.models.policies import margins_within
from perfectplay.rules.notation import plies_text

CODE = 700
"""Bytes of machine code besides the rules, more than any compiler made of it: choosing, weighing, playing, chance."""
QUICK = 10_000
"""A search that looks at no more positions for one move takes a small chip about a second."""

LEVEL_TITLE = "$game at level $level: the rules, and an opponent of that strength."

LEVEL_USAGE = """ * A move of the opponent, chosen by a random number; -1 when the game is over:
 *     int move = ${P}_choose(p, random);
 * Random numbers, if there is no better source; the state starts with anything, such as the time:
 *     uint32_t state = 1, random = ${P}_random(&state);
 * The weight of each move, 0 if it is not legal, and their sum. A move's probability is its weight by the sum: exactly,
 * if random is uniform below the sum. Pass 0 if only the sum is wanted; it is 0 when the game is over:
 *     uint32_t weights[${UP}_MOVES], sum = ${P}_weights(p, weights);
"""

LEVEL_DECLARED = """${static}int ${P}_choose(${P}_position p, uint32_t random);
${static}uint32_t ${P}_weights(${P}_position p, uint32_t *weights);
${static}uint32_t ${P}_random(uint32_t *state);
"""

BLIND = """
static int ${P}_grade($word mine, $word theirs)
{
    (void)mine;
    (void)theirs;
    return ${UP}_DRAWN; /* all positions look alike */
}
"""

CHOOSE = """
/* The opponent plays any move in $noise of $scale cases, otherwise one of those that look best. With n legal moves, of
 * which c look best, a move weighs $noise * c, and one that looks best $chosen * n more: $scale * n * c in all. */
typedef struct { $mask legal, equal; uint32_t any, more, sum; } ${P}_rated;

static ${P}_rated ${P}_rate(${P}_position p)
{
    const $word mine = ($word)p.mine, theirs = ($word)p.theirs;
    ${P}_rated rated = {0, 0, 0, 0, 0};
    $mask left;
    uint32_t legal = 0, count = 0;
    int best = 0, move = 0;
    if (${P}_ended(mine, theirs))
        return rated;
    rated.legal = ($mask)$moves;
    for (left = rated.legal; left; left >>= 1, move++) {
        if (left & 1) {
            ${P}_pair next = $play;
            int grade = $rated;
            legal++;
${alike}            if (grade > best) {
                best = grade;
                rated.equal = 0;
                count = 0;
            }
            if (grade == best) {
                rated.equal |= ($mask)1 << move;
                count++;
            }
        }
    }
    rated.any = ${noise}U * count;
    rated.more = ${chosen}U * legal;
    rated.sum = ${scale}U * legal * count;
    return rated;
}

static uint32_t ${P}_weight(const ${P}_rated *rated, int move)
{
    return (rated->legal >> move & 1 ? rated->any : 0) + (rated->equal >> move & 1 ? rated->more : 0);
}

${static}int ${P}_choose(${P}_position p, uint32_t random)
{
    const ${P}_rated rated = ${P}_rate(p);
    int move;
    if (rated.sum == 0)
        return -1;
    random %= rated.sum;
    for (move = 0;; move++) {
        const uint32_t weight = ${P}_weight(&rated, move);
        if (random < weight)
            return move;
        random -= weight;
    }
}

${static}uint32_t ${P}_weights(${P}_position p, uint32_t *weights)
{
    const ${P}_rated rated = ${P}_rate(p);
    int move;
    for (move = 0; weights && move < ${UP}_MOVES; move++)
        weights[move] = ${P}_weight(&rated, move);
    return rated.sum;
}

/* Every number comes up once in 2^32 steps. */
${static}uint32_t ${P}_random(uint32_t *state)
{
    uint32_t word = *state += 0x9e3779b9U;
    word = (word ^ (word >> 16)) * ${first}U;
    word = (word ^ (word >> 15)) * ${second}U;
    return word ^ (word >> 16);
}
"""


class Opponent(NamedTuple):
    """The opponent of a level, by number, in a game."""

    number: int
    level: Level

    @property
    def deepest(self) -> int:
        """The most plies that a search after a move may look ahead, so that it sees no more than the level does."""
        return max(0, self.level.sight - 1)

    @property
    def about(self) -> str:
        """Its number and how it chooses, for a person."""
        noise, sight = self.level
        best = "a best move" if sight == ALL else f"the best move within {plies_text(sight)}"
        if noise == 1:
            return f"level {self.number}, any legal move"
        return f"level {self.number}, {best}" + (
            f", but {float(noise):.0%} of the time any legal move" if noise else ""
        )

    @property
    def facts(self) -> dict[str, object]:
        """The same for a script; no sight if it sees everything."""
        noise, sight = self.level
        return {"level": self.number, "noise": float(noise), "sight": None if sight == ALL else sight}

    def view_of(self, graph: Graph) -> Graph:
        """The game as the opponent sees it: what lies too far ahead is a draw, and draws are alike."""
        if graph.margins is not None:
            return replace(graph, margins=margins_within(graph, self.level.sight - 1))
        near = ~graph.going | ((graph.values != 0) & (graph.distances < self.level.sight))
        distances = np.where(near, graph.distances, -1).astype(graph.distances.dtype)
        return replace(graph, values=np.where(near, graph.values, 0).astype(graph.values.dtype), distances=distances)

    def fields(self) -> dict[str, str]:
        """The fields of the templates."""
        noise = self.level.noise
        return {
            "level": str(self.number),
            "noise": str(noise.numerator),
            "scale": str(noise.denominator),
            "chosen": str(noise.denominator - noise.numerator),
            "first": hex(MIXERS[0]),
            "second": hex(MIXERS[1]),
        }


def opponent_of(graph: Graph, number: int) -> Opponent:
    """The opponent of that level, 1 to 10."""
    return Opponent(number, ladder(graph)[number - 1])


# Templates by the kind of the game: grades by plies or by points, and whether a side can move again.


TITLE = "$game, solved: the rules, the value of every position and best moves."

USAGE = """ * One of the best moves: the quickest win, else any draw, else the latest loss. Of several that are as good,
 * the number given chooses; hand over a random one for variety. -1 when the game is over:
 *     int move = ${P}_best(p, random);
 * 1 if the side to move wins, 0 for a draw, -1 if it loses; the plies to the end under best play, -1 for an endless
 * draw, 0 when the game is over; pass 0 for the distance if it is not wanted:
 *     int distance, value = ${P}_value(p, &distance);
"""

DECLARED = """${static}int ${P}_best(${P}_position p, uint32_t random);
${static}int ${P}_value(${P}_position p, int *$worth);
"""

BY_PLIES = """\
/* A position's grade, the greater the better for the side to move: lost in 0, 1, ... plies from 1 on, then endless
 * draws, drawn in ..., 1, 0 plies, won in ..., 1, 0 plies; 0 stands for not known. */
enum { ${UP}_LONGEST = $longest, ${UP}_DRAWN = ${UP}_LONGEST + 2, ${UP}_WON = 2 * ${UP}_LONGEST + 4 };

$before
/* The grade of a position in which the game is over; 0 where it goes on. */
static int ${P}_ended($word mine, $word theirs)
{
    const int outcome = (int)$outcome;
    (void)mine;
    (void)theirs;
    if (outcome == $ongoing)
        return 0;
    return outcome < 0 ? 1 : outcome == 0 ? ${UP}_WON - 1 : ${UP}_WON + ${UP}_LONGEST;
}
"""

EARLIER = """\
/* The grade of the position one ply earlier, for the other side, if it leads to one of this grade. */
static int ${P}_earlier(int grade)
{
    if (grade < ${UP}_DRAWN)
        return ${UP}_WON + ${UP}_LONGEST - grade;
    if (grade == ${UP}_DRAWN)
        return grade;
    return grade < ${UP}_WON ? grade - 1 : ${UP}_WON + ${UP}_LONGEST + 2 - grade;
}
"""

EARLIER_TURN = """\
/* The grade of the position one ply earlier, if it leads to one of this grade: for the other side, or for the same
 * side if that moves again. */
static int ${P}_earlier(int grade, int again)
{
    if (grade == ${UP}_DRAWN)
        return grade;
    if (again)
        return grade < ${UP}_DRAWN ? grade + 1 : grade - 1;
    if (grade < ${UP}_DRAWN)
        return ${UP}_WON + ${UP}_LONGEST - grade;
    return grade < ${UP}_WON ? grade - 1 : ${UP}_WON + ${UP}_LONGEST + 2 - grade;
}
"""

VALUE = """${static}int ${P}_value(${P}_position p, int *distance)
{
    const int grade = ${P}_grade(($word)p.mine, ($word)p.theirs);
    int plies = ${UP}_WON + ${UP}_LONGEST - grade, value = 1;
    if (grade < ${UP}_DRAWN) {
        plies = grade - 1;
        value = -1;
    } else if (grade < ${UP}_WON) {
        plies = grade == ${UP}_DRAWN ? -1 : ${UP}_WON - 1 - grade;
        value = 0;
    }
    if (distance)
        *distance = plies;
    return value;
}
"""

ALIKE = """            if (grade > ${UP}_DRAWN && grade < ${UP}_WON)
                grade = ${UP}_DRAWN; /* draws are alike */
"""

POINTS_USAGE = """\
 * One of the best moves, which brings the most points. Of several that are as good, the number given chooses; hand
 * over a random one for variety. -1 when the game is over:
 *     int move = ${P}_best(p, random);
 * 1 if the side to move wins, 0 for a draw, -1 if it loses; the points by which it is ahead at the end under best play,
 * negative if it is behind; pass 0 for the margin if it is not wanted:
 *     int margin, value = ${P}_value(p, &margin);
"""

BY_POINTS = """\
/* A position's grade: the points by which the side to move is ahead at the end, and ${UP}_DRAWN more, so that the
 * grades are 1, 2, ...; 0 stands for not known. */
enum { ${UP}_MOST = $most, ${UP}_DRAWN = ${UP}_MOST + 1, ${UP}_WON = 2 * ${UP}_MOST + 2 };

$before
/* The grade of a position in which the game is over; 0 where it goes on. */
static int ${P}_ended($word mine, $word theirs)
{
    (void)mine;
    (void)theirs;
    return $outcome == $ongoing ? 0 : (int)$margin + ${UP}_DRAWN;
}
"""

EARLIER_POINTS = """\
/* The grade of the position one ply earlier, for the other side, if it leads to one of this grade. */
static int ${P}_earlier(int grade)
{
    return ${UP}_WON - grade;
}
"""

EARLIER_POINTS_TURN = """\
/* The grade of the position one ply earlier, if it leads to one of this grade: for the other side, or for the same
 * side if that moves again. */
static int ${P}_earlier(int grade, int again)
{
    return again ? grade : ${UP}_WON - grade;
}
"""

POINTS = """${static}int ${P}_value(${P}_position p, int *margin)
{
    const int points = ${P}_grade(($word)p.mine, ($word)p.theirs) - ${UP}_DRAWN;
    if (margin)
        *margin = points;
    return (points > 0) - (points < 0);
}
"""

PLAYING = """\
 * The position after a move, then seen by the other side; 0, and nothing happens, if the move is not legal:
 *     int legal = ${P}_play(&p, move);
"""

PLAYING_TURN = """\
 * The position after a move, seen by who moves next: 1 if that is the other side, 2 if the same side moves again;
 * 0, and nothing happens, if the move is not legal. At the end it is seen in the same way:
 *     int turn = ${P}_play(&p, move);
"""


def scoring(game: Game) -> dict[str, str]:
    """The parts of templates that depend on the kind of game, still to be filled in, in this order."""
    turns, points = game.again is not None, game.margin is not None
    again = ", (int)$again" if turns else ""
    before = {(0, 0): EARLIER, (1, 0): EARLIER_TURN, (0, 1): EARLIER_POINTS, (1, 1): EARLIER_POINTS_TURN}
    return {
        "before": before[turns, points],
        "earlier": f"${{P}}_earlier(grade{again})",
        "rated": f"${{P}}_earlier(${{P}}_grade(next.a, next.b){again})",
        "turn": "$again ? 2 : 1" if turns else "1",
        "alike": "" if points else ALIKE,
        "worth": "margin" if points else "distance",
        "grading": BY_POINTS if points else BY_PLIES,
        "valuing": POINTS if points else VALUE,
        "playing": PLAYING_TURN if turns else PLAYING,
    }


def texts(game: Game, opponent: Opponent | None) -> dict[str, str]:
    """The title, how the functions for moves and values are used, and their declarations."""
    usage = LEVEL_USAGE if opponent else USAGE if game.margin is None else POINTS_USAGE
    title, declared = (LEVEL_TITLE, LEVEL_DECLARED) if opponent else (TITLE, DECLARED)
    return {"title": title, "usage": usage, "declared": declared}
