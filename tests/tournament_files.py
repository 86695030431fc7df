"""Records of tournaments for tests: real games of built-in players, with forfeits of every cause among them."""

import json
from itertools import combinations
from random import Random

from perfectplay.arena.referee import margin_of_first, winner_of
from perfectplay.arena.tournaments.played_game import RESULTS, PlayedGame
from perfectplay.arena.tournaments.tournament_settings import Opening, Tournament
from perfectplay.game import after, entries_of_moves
from perfectplay.players.registry import player_maker
from perfectplay.players.seat import Seat
from perfectplay.rules.loading import load_game
from perfectplay.rules.notation import draw_position, move_name, parse_position, replay, show_position
from perfectplay.solvers.oracle import table_oracle
from perfectplay.words import FIRST, ONGOING, Cause

CAUSES = tuple(Cause)


def prices(game, turn, move):
    """What a move gave away, and by how many plies it wasted time; None where that is not known."""
    table = table_oracle(game)
    if table is None:
        return None, None
    entries = entries_of_moves(game, table.lookup, turn[0])
    best, made = next(iter(entries.values())), entries[move]
    regret = (best.value - made.value) / 2
    same = regret == 0 and best.value and best.distance is not None
    return regret, abs(best.distance - made.distance) if same else None


def play_recorded(game, number, names, rng, opening=Opening(), fault=None, most_plies=60):  # noqa: B008 - a value
    """A game between players of these names, as a line of the record; a fault loses it after two moves."""
    turn = parse_position(game, opening.position) if opening.position else (game.start, FIRST)
    for position, side, move in replay(game, *turn, opening.moves):
        turn = after(game, position, side, move)
    begin = show_position(game, *turn) if opening.moves or opening.position else ""
    makers = [player_maker(name.partition("#")[0])(Seat(game, side, rng)) for side, name in enumerate(names)]
    moves, movers, found = [], [], []
    while (outcome := game.outcome(*turn[0])) == ONGOING and len(moves) < most_plies:
        if fault is not None and len(moves) == 2:
            break
        position, side = turn
        move = makers[side](position)
        found.append(prices(game, turn, move))
        moves.append(move_name(game, position, side, move))
        movers.append(side)
        turn = after(game, position, side, move)
    over = outcome != ONGOING
    winner = winner_of(outcome, turn[1]) if over else 1 - turn[1] if fault else None
    text = f"{names[turn[1]]} answered 'z9' in\n{draw_position(game, *turn)}" if fault else ""
    return PlayedGame(
        number,
        game.name,
        tuple(names),
        tuple(moves),
        RESULTS[winner],
        tuple(opening.moves),
        begin,
        tuple(round(rng.uniform(0.0005, 0.02), 6) for _ in moves),
        tuple(movers),
        fault,
        text,
        tuple(regret for regret, _ in found),
        tuple(wasted for _, wasted in found),
        margin_of_first(game, *turn) if over else None,
        ("", "warming up\nready\n" if fault else ""),
        unfinished=not over and fault is None,
        thrown=True,
    )


def tournament_of(name, players, games, openings=(), seed=5):
    """The settings of a tournament."""
    return Tournament(name, tuple(players), seed, games=games, openings=tuple(openings))


def play_tournament(tournament, forfeits=0, seed=1):
    """The games of a round robin; the first of them are forfeited, by one cause after another."""
    game, rng = load_game(tournament.game), Random(seed)
    openings, found = tournament.openings or (Opening(),), []
    for first, second in combinations(tournament.labels, 2):
        for number in range(tournament.games):
            names = (first, second)[:: 1 if number % 2 == 0 else -1]
            fault = CAUSES[len(found) % len(CAUSES)] if len(found) < forfeits else None
            opening = openings[number // 2 % len(openings)]
            found.append(play_recorded(game, len(found), names, rng, opening, fault))
    return found


def write_record(path, tournament, games):
    """Writes a record as a tournament does."""
    lines = [{"tournament": tournament.to_dict()}, *(game.to_dict() for game in games)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def append_game(path, game):
    """Adds a game to a record, as a tournament does when it ends."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(game.to_dict()) + "\n")
