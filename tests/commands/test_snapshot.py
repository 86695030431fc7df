"""A rebuilding changes no answer: what every command says as JSON, on ten games, is what is kept."""

import json

import pytest

from snapshot import KEPT, answers, digests


@pytest.mark.nightly
def test_every_command_answers_as_before(tmp_path):
    """If an answer is meant to differ: python tests/snapshot.py FOLDER --write, and look at what differs."""
    assert digests(answers(tmp_path)) == json.loads(KEPT.read_text(encoding="utf-8"))
