"""An opponent of one level in C: it chooses with the same move probabilities as the player `level:N`."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from perfectplay.exports.c.static_function import MIXERS
from perfectplay.players.models.game_graph import Graph
from perfectplay.players.models.level_policies import ladder
from perfectplay.players.models.levels import ALL, Level
from perfectplay.players.models.policies import margins_within
from perfectplay.rules.notation import plies_text

CODE = 700
"""Bytes of machine code besides the rules, more than any compiler made of it: choosing, weighing, playing, chance."""
QUICK = 10_000
"""A search that looks at no more positions for one move takes a small chip about a second."""

TITLE = "$game at level $level: the rules, and an opponent of that strength."

USAGE = """ * A move of the opponent, chosen by a random number; -1 when the game is over:
 *     int move = ${P}_choose(p, random);
 * Random numbers, if there is no better source; the state starts with anything, such as the time:
 *     uint32_t state = 1, random = ${P}_random(&state);
 * The weight of each move, 0 if it is not legal, and their sum. A move's probability is its weight by the sum: exactly,
 * if random is uniform below the sum. Pass 0 if only the sum is wanted; it is 0 when the game is over:
 *     uint32_t weights[${UP}_MOVES], sum = ${P}_weights(p, weights);
"""

DECLARED = """${static}int ${P}_choose(${P}_position p, uint32_t random);
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


def texts() -> dict[str, str]:
    """The title, how the opponent's functions are used, and their declarations."""
    return {"title": TITLE, "usage": USAGE, "declared": DECLARED}


class Opponent(NamedTuple):
    """The opponent of a level, by number, in a game."""

    number: int
    level: Level

    @property
    def deepest(self) -> int:
        """The most plies that a search after a move may look ahead, so that it sees no more than the level does."""
        return max(0, self.level.sight - 1)

    @property
    def is_blind(self) -> bool:
        """Whether all positions look alike to it."""
        return self.level.sight == 0

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
