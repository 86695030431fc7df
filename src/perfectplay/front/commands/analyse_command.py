"""`perfectplay analyse`: the truth about a position and its moves, and winning chances against those who err."""

import json
import sys
from argparse import Namespace
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

from perfectplay.front.commands.solve_command import fields, verdict
from perfectplay.front.probability_text import probabilities_text, probability_fields
from perfectplay.game import Game
from perfectplay.loading import load_game
from perfectplay.notation import draw_position, entry_text, move_name, parse_position, played, show_position
from perfectplay.solve.lookup_or_solve import entries_of_moves, lookup_for
from perfectplay.words import FIRST, BadPlayer, BadPosition, Lookup, Position, TooBig

if TYPE_CHECKING:
    from perfectplay.explain.move_probabilities import MoveProbabilities


def show_analyse(options: Namespace) -> int:
    """Plays the moves and prints what the position and each of its moves are worth."""
    if options.exact and options.against is None:
        raise BadPlayer("--exact is for chances; add --chance uniform, or another model")
    game = load_game(options.game)
    position, side = reached(game, options)
    try:
        with redirect_stdout(sys.stderr):
            lookup = lookup_for(game)
    except TooBig:
        if options.against is not None:
            raise TooBig(f"winning chances need a solved game; {how_to_solve(options.game)}") from None
        from perfectplay.front.commands.analyse_by_search import show_searched

        return show_searched(options, game, position, side)
    try:
        lookup(position)
    except BadPosition:
        shown = show_position(game, position, side)
        raise BadPosition(f"{shown} cannot be reached in {options.game} by legal play from the start") from None
    found = None
    if options.against is not None:
        from perfectplay.explain.move_probabilities import (  # numpy: only when it is wanted
            move_probabilities,
            win_probabilities_against,
        )
        from perfectplay.front.progress import watch
        from perfectplay.players import policy_named

        chances = watch(win_probabilities_against(game, policy_named(options.against, game), options.exact))
        found = move_probabilities(game, chances, position)
    show = print_json if options.json else print_text
    show(options, game, lookup, position, side, found)
    return 0


def how_to_solve(name: str) -> str:
    """What to do about a game without a table."""
    return f"perfectplay solve {name} makes the table, if the game is small enough for one"


def reached(game: Game, options: Namespace) -> tuple[Position, int]:
    """The position that the command line means, and the side to move."""
    position, side = (game.start, FIRST) if options.position is None else parse_position(game, options.position)
    for before, mover, move in played(game, position, side, options.moves):
        position, side = game.play(*before, move), 1 - mover
    return position, side


def print_json(
    options: Namespace, game: Game, lookup: Lookup, position: Position, side: int, found: "MoveProbabilities | None"
) -> None:
    """What there is to say, for scripts."""
    moves = []
    for move, entry in entries_of_moves(game, lookup, position).items():
        more = {} if found is None else {"chance": probability_fields(found.moves[move])}
        moves.append({"move": move_name(game, position, side, move), **fields(entry), **more})
    facts = {
        "game": options.game,
        "position": show_position(game, position, side),
        **fields(lookup(position)),
        **({} if found is None else {"chance": probability_fields(found.here)}),
        "moves": moves,
    }
    print(json.dumps(facts))


def print_text(
    options: Namespace, game: Game, lookup: Lookup, position: Position, side: int, found: "MoveProbabilities | None"
) -> None:
    """The same for people."""
    entries = entries_of_moves(game, lookup, position)
    names = {move: move_name(game, position, side, move) for move in entries}
    print(f"{draw_position(game, position, side)}\n\n{verdict(game, side, lookup(position))}")
    if names:
        print()
    wide = max((len(name) for name in names.values()), default=0)
    for move, entry in entries.items():
        text = f"  {names[move]:<{wide}}  {entry_text(entry)}"
        if found is not None:
            text = f"{text:<{wide + 24}}  {probabilities_text(found.moves[move])}{' *' if move in found.chosen else ''}"
        print(text)
    if found is not None and names:
        who = f"{game.look.sides[side]} against {options.against}"
        print(f"\nChances of {who}, if it keeps the result and then wins as often as it can (*).")
