"""Tests run in the root of the checkout, with tables of their own and compiled code shared by all of them."""

from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def compiled_code(tmp_path_factory):
    return tmp_path_factory.mktemp("compiled")


@contextmanager
def shared_home(tmp_path_factory, compiled_code):
    """A folder below which tables are kept as long as it is open."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "cache").symlink_to(compiled_code, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PERFECTPLAY_HOME", str(folder))
        patch.chdir(ROOT)
        yield folder


@pytest.fixture(autouse=True)
def home(tmp_path_factory, compiled_code):
    """The folder below which this test's tables are kept."""
    with shared_home(tmp_path_factory, compiled_code) as folder:
        yield folder
