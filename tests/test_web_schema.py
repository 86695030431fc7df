"""The server keeps what its OpenAPI description promises, for requests that schemathesis makes up."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from perfectplay.front.web import app
from web_server import serving


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory, compiled_code):
    from conftest import shared_home

    with shared_home(tmp_path_factory, compiled_code) as folder:
        yield folder


@pytest.fixture(scope="module")
def address(home):
    with serving("tic-tac-toe", "examples/hexapawn.py") as where:
        yield where


schema = schemathesis.openapi.from_path(app.HERE / "openapi.json")


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_the_server_keeps_its_description(case, address):
    # no schema tells which texts are positions: that one is refused although it is a text, is right
    case.call_and_validate(base_url=address, excluded_checks=[positive_data_acceptance])
