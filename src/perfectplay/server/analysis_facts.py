"""The analysis of a position as the page shows it: exact, with win probabilities, or as far as a search proves it."""

from dataclasses import replace
from functools import lru_cache

from perfectplay.commands.know.asked_opponent import move_probabilities_at
from perfectplay.commands.know.probability import Probability
from perfectplay.commands.know.verdicts import verdict, verdict_by_moves
from perfectplay.exports.page.game_data import Fields
from perfectplay.game import Game
from perfectplay.rules.notation import move_name, parse_move, show_position
from perfectplay.solvers.worth import Study
from perfectplay.views.game_pieces import side_names
from perfectplay.words import DRAW, LOSS, WIN, Position, Sides

DIGITS = 9
"""Probabilities that agree to so many digits are the same; the rest is rounding."""


def study_facts(game: Game, position: Position, side: int, study: Study) -> Fields:
    """The analysis of a position that has been studied."""
    best = set(study.leading)
    moves = [
        {"move": move_name(game, position, side, move), **worth.fields(), "text": worth.text, "best": move in best}
        for move, worth in study.moves.items()
    ]
    says = study_verdict(as_seen(game), position, side, study)
    about = {"position": show_position(game, position, side), **study.here.fields()}
    return {**about, "verdict": says, "exact": study.exact, "moves": moves}


def study_verdict(game: Game, position: Position, side: int, study: Study) -> str:
    """Who wins, in a sentence, and by which moves if all of them are known."""
    if study.here.entry is not None and study.exact:
        entries = {move: worth.entry for move, worth in study.moves.items() if worth.entry is not None}
        return verdict_by_moves(game, position, side, study.here.entry, entries)
    says = verdict(
        game, side, study.here, {move_name(game, position, side, move): worth for move, worth in study.moves.items()}
    )
    return says[0].upper() + says[1:]


@lru_cache(maxsize=256)
def as_seen(game: Game) -> Game:
    """The game, its sides named as those who see the board call them; the same object each time, as caches want it."""
    return replace(game, look=replace(game.look, sides=Sides(*side_names(game.look))))


def add_probabilities(facts: Fields, game: Game, position: Position, side: int, model: str) -> Fields:
    """The analysis with win probabilities of the side to move against that model.

    Of the moves with the same value, those that win more often come first.
    """
    found = move_probabilities_at(game, position, model)
    for move in facts["moves"]:
        number = parse_move(game, position, side, move["move"])
        move["chance"] = Probability(*found.moves[number]).to_dict()
        move["streetwise"] = number in found.chosen
    moves = sorted(facts["moves"], key=by_probability, reverse=True)
    return {**facts, "moves": moves, "model": model, "chance": Probability(*found.here).to_dict()}


def by_probability(move: Fields) -> tuple[float, ...]:
    """A sort key, greater is better: the value, then the street-smart choice, then the win probability."""
    chance = move["chance"]
    value = {"win": WIN, "draw": DRAW, "loss": LOSS}[move["value"]]
    return value, move["streetwise"], round(chance["win"], DIGITS), round(chance["draw"], DIGITS)
