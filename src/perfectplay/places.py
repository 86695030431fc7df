"""Where files are kept: tables under the user's data directory, compiled code under the cache directory.

PERFECTPLAY_HOME puts both below a folder of one's choice.
"""

import os
from pathlib import Path


def data_folder() -> Path:
    """The folder for what was expensive to compute."""
    home = os.environ.get("PERFECTPLAY_HOME")
    if home:
        return Path(home) / "data"
    from platformdirs import user_data_path

    return user_data_path("perfectplay", appauthor=False)


def cache_folder() -> Path:
    """The folder for what can be made anew."""
    home = os.environ.get("PERFECTPLAY_HOME")
    if home:
        return Path(home) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("perfectplay", appauthor=False)
