"""The server keeps what its OpenAPI description promises, for requests that schemathesis makes up."""

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from perfectplay.front.web import app

schema = schemathesis.openapi.from_path(app.HERE / "openapi.json")


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_the_server_keeps_its_description(case, address):
    # no schema tells which texts are positions: that one is refused although it is a text, is right
    case.call_and_validate(base_url=address, excluded_checks=[positive_data_acceptance])
