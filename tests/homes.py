"""Where tests keep tables, and share compiled code."""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KERNELS = Path(os.environ.get("PERFECTPLAY_TEST_KERNELS", ROOT / "build" / "kernels"))
"""Compiled code, kept from run to run: its name says what it was made of."""


@contextmanager
def shared_home(tmp_path_factory, session):
    """A folder below which tables are kept as long as it is open; what is known of rules is shared by a session."""
    folder = tmp_path_factory.mktemp("home")
    for place, name in ((KERNELS, "kernels"), (session, "known")):
        place.mkdir(parents=True, exist_ok=True)
        (folder / "cache").mkdir(exist_ok=True)
        (folder / "cache" / name).symlink_to(place, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PERFECTPLAY_HOME", str(folder))
        patch.chdir(ROOT)
        yield folder
