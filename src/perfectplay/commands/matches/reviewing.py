"""Reviews games: judges each move, and sums up what each side did."""

from collections import Counter
from collections.abc import Iterable, Sequence

from perfectplay.commands.know.best_lines import named_line
from perfectplay.commands.know.positions import reached
from perfectplay.commands.matches.match import match_at, read_position
from perfectplay.commands.matches.reviews import Review, ReviewedMove, ReviewedSide, Reviews
from perfectplay.commands.terminal.arguments import Progress
from perfectplay.game import Game
from perfectplay.insight.game_review import (
    COSTS,
    GameMove,
    JudgedMove,
    reviewing,
    turning_point,
    what_to_practise,
)
from perfectplay.insight.sentences import worth_fields
from perfectplay.rules.game_records import GameRecord
from perfectplay.rules.notation import VALUE_NAMES, entry_text, replay
from perfectplay.solvers.engine import cores
from perfectplay.solvers.oracle import Oracle, oracle_for
from perfectplay.solvers.steps import finished
from perfectplay.solvers.worth import Worth, exact_worth
from perfectplay.words import (
    DRAW,
    FIRST,
    LOSS,
    SECOND,
    WIN,
    BadArgument,
    BadPosition,
    Entry,
    IllegalMove,
    Move,
    Turn,
)

SECONDS = 7.0
"""The time of all searches of a review together, unless another is given."""
BOUNDS = {(LOSS, DRAW): "at most a draw", (DRAW, WIN): "at least a draw"}
"""What is said of a position whose value is not proven, but lies between these."""


def review_of(
    game: Game,
    begin: Turn,
    moves: Sequence[str | Move],
    seconds: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Review:
    """The review of the game with these moves from that position; see `perfectplay.review`."""
    oracle = oracle_for(game, SECONDS if seconds is None else seconds, threads=threads or cores())
    return review_from(oracle, begin, moves, progress=progress)


def review_from(
    oracle: Oracle,
    begin: Turn,
    names: Sequence[str | Move],
    players: tuple[str, str] = ("", ""),
    progress: Progress | None = None,
) -> Review:
    """The review of the game with these moves from that position, as this oracle knows it."""
    made = numbered(oracle.game, begin, names)
    if oracle.proves:
        with reached(oracle.game, *begin):
            oracle.study(begin[0])
    found = finished(reviewing(oracle, made), progress)
    return Review(
        match_at(oracle.game, *begin).play(*(move for _, _, move in made)),
        tuple(reviewed_move(ply, one) for ply, one in enumerate(found, 1)),
        tuple(
            side_summary(name, [one for one in found if one.scene.side == side])
            for side, name in zip((FIRST, SECOND), oracle.game.look.sides, strict=True)
        ),
        turning_point(found),
        oracle.source,
        players,
        tuple(found),
    )


def review_records(
    game: Game,
    records: Iterable[GameRecord],
    seconds: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Reviews:
    """The reviews of recorded games; an error says where the game stands."""
    oracle: Oracle | None = None
    reviews: list[Review] = []
    for record in records:
        if oracle is None or not oracle.proves:  # each game has its own time
            oracle = oracle_for(game, SECONDS if seconds is None else seconds, threads=threads or cores())
        try:
            begin = read_position(game, record.position) if record.position else (game.start, FIRST)
            reviews.append(review_from(oracle, begin, record.moves, record.players, progress))
        except (BadArgument, BadPosition, IllegalMove) as fault:
            where = f"{record.source}: " if record.source else ""
            other = f"; the record is of {record.game}" if record.game not in ("", game.name) else ""
            raise type(fault)(f"{where}{fault}{other}") from None
    return Reviews(tuple(reviews), tuple(totals(reviews)))


def totals(reviews: Sequence[Review]) -> list[ReviewedSide]:
    """The summary of all these games for each player, or for each side where players have no names."""
    made: dict[str, list[JudgedMove]] = {}
    named = all(all(review.players) for review in reviews)
    for review in reviews:
        for one in review.judged:
            made.setdefault(review.players[one.scene.side] if named else one.scene.mover, []).append(one)
    return [side_summary(name, moves) for name, moves in made.items()]


def numbered(game: Game, begin: Turn, names: Sequence[str | Move]) -> list[GameMove]:
    """The moves with the positions in which they are made; an error names the ply."""
    if not names:
        raise BadArgument("there is nothing to review; give the moves of a game, such as b2 a1 c3")
    found: list[GameMove] = []
    try:
        for made in replay(game, *begin, names):
            found.append(made)
    except IllegalMove as fault:
        raise IllegalMove(f"ply {len(found) + 1}: {fault}") from None
    return found


def reviewed_move(ply: int, one: JudgedMove) -> ReviewedMove:
    """A judged move, by name."""
    scene, here, made = one.scene, one.scene.study.here, one.scene.study.moves[one.move]
    points, line = scene.game.margin is not None, named_line(scene.game, scene.position, scene.side, one.line)
    return ReviewedMove(
        ply,
        scene.mover,
        scene.name(one.move),
        fields_of(here, points),
        fields_of(later(made), points),
        one.judgement,
        tuple(map(scene.name, one.better)),
        line.moves,
        one.why.text,
        (scene.position, scene.side),
        (worth_text(here), worth_text(made)),
        str(line),
    )


def later(worth: Worth) -> Worth:
    """What a move is worth, as the worth of the position after it, still for the side that made it."""
    entry = worth.entry
    if entry is None or entry.distance is None:
        return worth
    return exact_worth(Entry(entry.value, entry.distance - 1))


def fields_of(worth: Worth, points: bool) -> dict[str, object]:
    """What is proven, as in JSON: value and distance, and the margin if it is played for points."""
    return {**worth_fields(worth), "margin": worth.margin} if points else worth_fields(worth)


def worth_text(worth: Worth) -> str:
    """What is proven, in words: win in 5 plies, at least a draw, not proven."""
    if worth.entry is not None:
        return entry_text(worth.entry)
    if worth.value is not None:
        return VALUE_NAMES[worth.value]
    return BOUNDS.get((worth.least, worth.most), "not proven")


def side_summary(name: str, made: Sequence[JudgedMove]) -> ReviewedSide:
    """The moves of a side, or of a player, in summary."""
    counts = Counter(one.judgement for one in made)
    costs = [COSTS[one.judgement] for one in made if one.judgement is not None]
    accuracy = round(100 * (1 - sum(costs) / len(costs)), 1) if costs else None
    best, good, inaccuracies, mistakes, blunders = (counts[one] for one in COSTS)
    practise = what_to_practise(made)
    return ReviewedSide(name, len(made), best, good, inaccuracies, mistakes, blunders, accuracy, practise)
