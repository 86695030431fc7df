"""Tests run in the root of the checkout, with tables of their own and compiled code shared by all of them."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def compiled_code(tmp_path_factory):
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path_factory, compiled_code):
    """The folder below which this test's tables are kept."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "cache").symlink_to(compiled_code, target_is_directory=True)
    monkeypatch.setenv("PERFECTPLAY_HOME", str(folder))
    monkeypatch.chdir(ROOT)
    return folder
