"""Registers the games that come with perfectplay in Gymnasium, when it is imported.

    gymnasium.make("perfectplay.rl.gymnasium_ids:perfectplay/tic-tac-toe-v0", opponent="perfect")

finds them in one line; after `import perfectplay.rl.gymnasium_ids`, `perfectplay/tic-tac-toe-v0` is enough.
"""

from perfectplay.commands.games import list_games
from perfectplay.rl.environments import ENTRY, id_of
from perfectplay.words import require

NAMES = sorted({name for info in list_games() for name in (info.name, *info.aliases)})
"""The games at their usual sizes, and the aliases."""


def register() -> None:
    """Registers an environment for each of the names, once."""
    registration = require("gymnasium.envs.registration", "rl", "perfectplay.rl.gymnasium_ids")
    for name in NAMES:
        if id_of(name) not in registration.registry:
            registration.register(id_of(name), ENTRY, kwargs={"game": name})


register()
