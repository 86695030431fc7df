"""What an agent observes: the planes of a position, and which actions are legal."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.compilable import count_moves
from perfectplay.game import Game
from perfectplay.rl.episode import Episode
from perfectplay.views.planes import planes_of
from perfectplay.words import Position, require

Observation = dict[str, NDArray[np.int8]]


def observation_planes(game: Game, position: Position) -> NDArray[np.int8]:
    """The planes of one position, as `planes` gives them for many."""
    shape, tests = planes_of(game)
    planes = np.zeros(planes_of(game).size, np.int8)
    planes[places(game)] = [(position[word] & mask) == value for _, word, mask, value in tests]
    return planes.reshape(shape)


@lru_cache(maxsize=64)
def places(game: Game) -> NDArray[np.intp]:
    """Where each test of the planes writes."""
    return np.array([test.place for test in planes_of(game).tests], np.intp)


def observation_of(episode: Episode, side: int) -> Observation:
    """What this side sees: its own pieces in the first planes; it has legal actions if it is to move."""
    game, (mine, theirs), turn = episode.game, episode.position, side == episode.side
    mask = np.zeros(count_moves(game), np.int8)
    if turn:
        mask[[move for move in range(episode.legal.bit_length()) if episode.legal >> move & 1]] = 1
    words = (mine, theirs) if turn or game.impartial else (theirs, mine)
    return {"observation": observation_planes(game, words), "action_mask": mask}


def observation_space(game: Game) -> object:
    """Gymnasium's space of these observations."""
    spaces = require("gymnasium.spaces", "rl", "an environment")
    mask = spaces.Box(0, 1, (count_moves(game),), np.int8)
    return spaces.Dict({"observation": spaces.Box(0, 1, planes_of(game).shape, np.int8), "action_mask": mask})


def action_space(game: Game) -> object:
    """Gymnasium's space of the actions, which are the numbers of moves."""
    return require("gymnasium.spaces", "rl", "an environment").Discrete(count_moves(game))
