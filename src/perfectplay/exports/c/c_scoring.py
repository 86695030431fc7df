"""Templates of a C file by the kind of its game: grades by plies or by points, and whether a side can move again.

P is the prefix of all names, UP the same in capitals.
"""

from perfectplay.game import Game

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


def texts(game: Game) -> dict[str, str]:
    """The title, how the functions for best moves and values are used, and their declarations."""
    return {"title": TITLE, "usage": USAGE if game.margin is None else POINTS_USAGE, "declared": DECLARED}
