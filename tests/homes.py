"""Where tests keep tables, and share compiled code."""

from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@contextmanager
def shared_home(tmp_path_factory, compiled_code):
    """A folder below which tables are kept as long as it is open."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "cache").symlink_to(compiled_code, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PERFECTPLAY_HOME", str(folder))
        patch.chdir(ROOT)
        yield folder
