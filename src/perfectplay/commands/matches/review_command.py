"""`perfectplay review`: judges each move of a game, or of recorded games."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from perfectplay.commands.matches.reviewing import review_records, totals
from perfectplay.commands.matches.reviews import MOST_DRAWN, Review, reviews_html, summary_parts
from perfectplay.commands.terminal.progress import shown_progress, waiting
from perfectplay.commands.terminal.streams import show
from perfectplay.game import Game
from perfectplay.rules.game_records import STDIN, GameRecord, games_in, read_games
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import number_of, plies_text
from perfectplay.rules.outputs import HTML, output_by_ending
from perfectplay.solvers.oracle import oracle_for
from perfectplay.views.document import Document, Notes, Table, Toned
from perfectplay.words import BadArgument


def show_review(options: Namespace) -> int:
    """Reviews the games and prints what was found, or writes it to a page."""
    target = None if options.html is None else output_by_ending(options.html, [HTML], options.force)
    game, records = load_game(options.game), records_of(options)
    warm_up(game)
    with shown_progress("plies") as progress:
        reviews = review_records(game, records, options.seconds, progress, options.threads)
    if options.json:
        facts = [review.to_dict() for review in reviews]
        print(json.dumps(facts if len(facts) > 1 else facts[0]))
    elif len(reviews) == 1:
        many = len(reviews[0].faulty) > MOST_DRAWN and target is None
        show(reviews[0].document().followed_by(remark("--html draws every move.") if many else None))
    else:
        show(games_document(game, reviews))
    if target is not None:
        target.write(reviews_html(reviews).encode())
        if not options.json:
            print(f"\n{options.html} has the boards.")
    return 0


def games_document(game: Game, reviews: Sequence[Review]) -> Document:
    """Several games: a line for each, then the summary over all."""
    rows = [
        (f"{number}", review.result, plies_text(len(review.plies)), accuracies(review), turning(review))
        for number, review in enumerate(reviews, 1)
    ]
    unproven = sum(review.unproven for review in reviews)
    return Document(
        f"{game.name}: {number_of(len(reviews), 'game')}",
        Table(rows),
        *summary_parts(totals(reviews)),
        Notes(f"{number_of(unproven, 'move')} not proven in the time of the searches." if unproven else ""),
        remark("--game-number 1 shows the first game in full."),
    )


def accuracies(review: Review) -> str:
    """How accurate the two sides of a game were, by player if the record tells them."""
    pairs = zip(review.players, review.summary, strict=True)
    return ", ".join(
        f"{player} ({one.side}) {rate(one.accuracy)}" if player else f"{one.side} {rate(one.accuracy)}"
        for player, one in pairs
    )


def rate(accuracy: float | None) -> str:
    """An accuracy in per cent."""
    return "not judged" if accuracy is None else f"{accuracy:.0f}%"


def turning(review: Review) -> str:
    """The move that decided a game."""
    if review.turning_point is None:
        return ""
    made = review.plies[review.turning_point - 1]
    return f"decided by {made.ply}. {made.side} {made.move} ({made.judgement})"


def remark(text: str) -> Notes:
    """What other options show."""
    return Notes(Toned(text, "faint"))


def warm_up(game: Game) -> None:
    """Solves a small game or loads the search of a large one, which takes no time from the review."""
    with waiting(f"loading what is known of {game.name}; the first time some code is compiled, some seconds"):
        oracle_for(game).ready()


def records_of(options: Namespace) -> list[GameRecord]:
    """The games that the command line names: one by its moves, or those of a file."""
    names = options.moves
    if not names:
        raise BadArgument("there is nothing to review; name the moves of a game, or a file with recorded games")
    records = records_in(names[0]) if len(names) == 1 else None
    if records is None:
        moves = names[0].split() if len(names) == 1 else names
        records = [GameRecord(tuple(moves), position=options.position or "")]
    elif options.position:
        raise BadArgument("--position is for moves on the command line; in a file write: # position: TEXT")
    elif not records:
        raise BadArgument(f"the record {names[0]!r} has no moves; write a game a line, such as: b2 a1 c3")
    number = options.game_number
    if number is None:
        return records
    if number > len(records):
        raise BadArgument(f"--game-number {number} is too large: the record has {number_of(len(records), 'game')}")
    return records[number - 1 : number]


def records_in(name: str) -> list[GameRecord] | None:
    """The games of the file or link of this name; None if it looks like a move."""
    if "://" in name:
        return list(games_in(name, "the link"))
    if name == STDIN or Path(name).is_file():
        return read_games(name)
    if "/" in name or Path(name).suffix in (".txt", ".json", ".jsonl"):
        raise BadArgument(f"the record {name!r} cannot be read: there is no such file")
    return None
