"""The parts of a C file that are the same for every game; P is the prefix of all its names, UP the same in capitals."""

HEAD = """/* $title Written by perfectplay $version.
 *
$about
 *
 * A position is that of the side to move, the first side at the start:
 *     ${P}_position p = ${UP}_START;
$usage$playing * Positions come from the start and from play; others have no meaning. To start again:
 *     p = (${P}_position)${UP}_START;
 * No memory is allocated, nothing is kept.
 *
$names
 */
#ifndef ${UP}_H
#define ${UP}_H

#include <stdint.h>

typedef struct { uint${bits}_t mine, theirs; } ${P}_position;

#define ${UP}_START {$mine, $theirs}
#define ${UP}_MOVES $count /* moves have the numbers from 0 to one less */

${declared}${static}int ${P}_play(${P}_position *p, int move);

/* The rules, translated from Python; `pair` is a position, the side to move first. */
$rules

$grading"""

ONE_VALUE = """/* All that is not found otherwise is worth the same. */
static int ${P}_looked_up($word mine, $word theirs)
{
    (void)mine;
    (void)theirs;
    return $value;
}
"""

FLASH = """/* On AVR chips constants stay in flash only if they are asked to. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define ${UP}_FLASH PROGMEM
#define ${UP}_BYTE(at) pgm_read_byte(at)
#define ${UP}_OFFSET(at) pgm_read_${offset}(at)
#else
#define ${UP}_FLASH
#define ${UP}_BYTE(at) (*(at))
#define ${UP}_OFFSET(at) (*(at))
#endif
"""

LOOK_UP = """
static uint32_t ${P}_mixed(uint32_t word)
{
    word = (word ^ (word >> 16)) * ${first}U;
    word = (word ^ (word >> 15)) * ${second}U;
    return word ^ (word >> 16);
}

static uint32_t ${P}_hashed(${P}_pair least, uint32_t seed)
{
$mixing
    return seed;
}

/* The stored grade. Each bit of its code word is the parity of some bits of the position's bucket; a generator
 * that starts with the position's hash picks them. counts[i] words have i + 1 bits; values stand in their order. */
static int ${P}_looked_up($word mine, $word theirs)
{
    const ${P}_pair least = $smallest;
    const uint32_t bucket = ((${P}_hashed(least, 0) >> 16) * ${buckets}U) >> 16;
    const uint32_t begin = ${UP}_OFFSET(${P}_offsets + bucket), end = ${UP}_OFFSET(${P}_offsets + bucket + 1);
    uint32_t state = ${P}_hashed(least, ${UP}_BYTE(${P}_seeds + bucket) + 1U);
    int word = 0, first = 0, at = 0, length;
    for (length = 0;; length++) {
        uint32_t sum = 0, i;
        for (i = begin; i < end; i++) {
            state = state * ${multiplier}U + ${increment}U;
            sum ^= ${UP}_BYTE(${P}_data + i) & (state >> 24);
        }
        sum ^= sum >> 4;
        sum ^= sum >> 2;
        sum ^= sum >> 1;
        word = word * 2 + (int)(sum & 1);
        if (word - first < ${P}_counts[length])
            return ${P}_values[at + word - first];
        at += ${P}_counts[length];
        first = (first + ${P}_counts[length]) * 2;
    }
}
"""

SEARCH = """
/* The grade of a position as a search of so many plies finds it; 0 if it does not. */
static int ${P}_searched($word mine, $word theirs, int plies)
{
    int best = ${P}_ended(mine, theirs), unknown = 0, move = 0;
    $mask left;
    if (best || plies == 0)
        return best;
    for (left = ($mask)$moves; left; left >>= 1, move++) {
        if (left & 1) {
            ${P}_pair next = $play;
            int grade = ${P}_searched(next.a, next.b, plies - 1);
            unknown |= grade == 0;
            if (grade && $earlier > best)
                best = $earlier;
        }
    }
    return unknown && best < ${UP}_WON ? 0 : best;
}
"""

GRADE = """
static int ${P}_grade($word mine, $word theirs)
{
    int grade = $found;
    return grade ? grade : $looked;
}
"""

BEST = """
${static}int ${P}_best(${P}_position p, uint32_t random)
{
    const $word mine = ($word)p.mine, theirs = ($word)p.theirs;
    $mask left, equal = 0;
    uint32_t count = 0;
    int best = 0, move = 0;
    if (${P}_ended(mine, theirs))
        return -1;
    for (left = ($mask)$moves; left; left >>= 1, move++) {
        if (left & 1) {
            ${P}_pair next = $play;
            int grade = $rated;
${alike}            if (grade > best) {
                best = grade;
                equal = 0;
                count = 0;
            }
            if (grade == best) {
                equal |= ($mask)1 << move;
                count++;
            }
        }
    }
    random %= count;
    for (move = 0;; move++)
        if (equal >> move & 1 && random-- == 0)
            return move;
}

$valuing"""

PLAY = """
${static}int ${P}_play(${P}_position *p, int move)
{
    const $word mine = ($word)p->mine, theirs = ($word)p->theirs;
    ${P}_pair next;
    if (move < 0 || move >= ${UP}_MOVES || !((($mask)$moves) >> move & 1) || ${P}_ended(mine, theirs))
        return 0;
    next = $play;
    p->mine = (uint${bits}_t)next.a;
    p->theirs = (uint${bits}_t)next.b;
    return $turn;
}
"""

HELPERS = {
    "floor_div": """static int64_t {0}_floor_div(int64_t a, int64_t b)
{{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}}
""",
    "floor_mod": """static int64_t {0}_floor_mod(int64_t a, int64_t b)
{{
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}}
""",
    "bit_count": """static int32_t {0}_bit_count(int64_t word)
{{
    uint64_t left = (uint64_t)(word < 0 ? -word : word);
    int32_t count = 0;
    for (; left; left &= left - 1)
        count++;
    return count;
}}
""",
    "bit_length": """static int32_t {0}_bit_length(int64_t word)
{{
    uint64_t left = (uint64_t)(word < 0 ? -word : word);
    int32_t length = 0;
    for (; left; left >>= 1)
        length++;
    return length;
}}
""",
}
"""Functions that rules may need besides, by name; {0} stands for the prefix."""
