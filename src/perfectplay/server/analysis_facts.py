"""The analysis of a position as the page shows it: exact, with win probabilities, or as far as a search proves it."""

from dataclasses import replace
from functools import lru_cache

from perfectplay.commands.know.solved_games import move_probabilities_at
from perfectplay.commands.know.verdicts import verdict, verdict_by_moves
from perfectplay.exports.page.game_data import Fields
from perfectplay.game import Game, legal_moves
from perfectplay.rules.notation import entry_text, move_name, parse_move, show_position
from perfectplay.solvers.lookup_or_solve import best_moves, entries_of_moves
from perfectplay.solvers.table.table import Table
from perfectplay.solvers.worth import entry_fields as fields
from perfectplay.views.game_pieces import side_names
from perfectplay.words import DRAW, LOSS, WIN, Entry, Move, Position, Sides

DIGITS = 9
"""Probabilities that agree to so many digits are the same; the rest is rounding."""


def exact_facts(game: Game, position: Position, side: int, entry: Entry, entries: dict[Move, Entry]) -> Fields:
    """The analysis of a solved position."""
    best = set(best_moves(entries)) if entries else set()
    moves = [
        {
            "move": move_name(game, position, side, move),
            **fields(found),
            "text": entry_text(found),
            "best": move in best,
        }
        for move, found in entries.items()
    ]
    return {
        "position": show_position(game, position, side),
        **fields(entry),
        "verdict": verdict_by_moves(as_seen(game), position, side, entry, entries),
        "exact": True,
        "moves": moves,
    }


def book_facts(game: Game, position: Position, side: int, book: Table) -> Fields | None:
    """The analysis of a position whose moves are all in the opening book, None for others."""
    here = book.find(position)
    found = {move: book.find(game.play(*position, move)) for move in legal_moves(game, position)}
    if here is None or None in found.values():
        return None
    entries = entries_of_moves(game, book.lookup, position)
    return {**exact_facts(game, position, side, here, entries), "source": "book", "book": book.header.plies}


@lru_cache(maxsize=256)
def as_seen(game: Game) -> Game:
    """The game, its sides named as those who see the board call them; the same object each time, as caches want it."""
    return replace(game, look=replace(game.look, sides=Sides(*side_names(game.look))))


def add_probabilities(facts: Fields, game: Game, position: Position, side: int, model: str) -> Fields:
    """The analysis with win probabilities of the side to move against that model.

    Of the moves with the same value, those that win more often come first.
    """
    from perfectplay.commands.odds.probability_text import probability_fields

    found = move_probabilities_at(game, position, model)
    for move in facts["moves"]:
        number = parse_move(game, position, side, move["move"])
        move["chance"] = probability_fields(found.moves[number])
        move["streetwise"] = number in found.chosen
    moves = sorted(facts["moves"], key=by_probability, reverse=True)
    return {**facts, "moves": moves, "model": model, "chance": probability_fields(found.here)}


def by_probability(move: Fields) -> tuple[float, ...]:
    """A sort key, greater is better: the value, then the street-smart choice, then the win probability."""
    chance = move["chance"]
    value = {"win": WIN, "draw": DRAW, "loss": LOSS}[move["value"]]
    return value, move["streetwise"], round(chance["win"], DIGITS), round(chance["draw"], DIGITS)


def searched_facts(game: Game, position: Position, side: int, seconds: float) -> Fields:
    """What a search, threats or a look-ahead prove in the time given."""
    from perfectplay.solvers.search.alphabeta import Limits
    from perfectplay.solvers.search.studies import studying  # numba: only when it is wanted
    from perfectplay.solvers.steps import finished

    study = finished(studying(game, position, Limits(seconds)))
    about: Fields = {"position": show_position(game, position, side), "source": "search", "nodes": study.nodes}
    entries = {move: worth.entry for move, worth in study.moves.items() if worth.entry is not None}
    if study.here.entry is not None and study.exact:
        return {**about, **exact_facts(game, position, side, study.here.entry, entries)}
    after = {move_name(game, position, side, move): worth for move, worth in study.moves.items()}
    best = {move_name(game, position, side, move) for move in study.leading}
    moves = [
        {"move": name, **worth.fields(), "text": worth.text, "best": name in best} for name, worth in after.items()
    ]
    says = verdict(as_seen(game), side, study.here, after)
    about |= {**study.here.fields(), "verdict": says[0].upper() + says[1:], "exact": False}
    return {**about, "moves": moves}
