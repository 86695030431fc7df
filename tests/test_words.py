"""Packages of extras: imported where they are, named with the way to get them where they are missing."""

import pytest

from perfectplay import MissingPackage
from perfectplay.words import require


def test_a_package_that_is_there_is_imported():
    assert require("json.decoder", "rl", "this").JSONDecoder


def test_a_missing_package_is_named_with_the_extra_that_has_it():
    with pytest.raises(MissingPackage, match=r"a drawing needs nothing_of_that_name.*pip install 'perfectplay\[rl\]'"):
        require("nothing_of_that_name.part", "rl", "a drawing")
    assert issubclass(MissingPackage, ImportError)
