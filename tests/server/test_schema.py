"""The server keeps what its OpenAPI description promises, for requests that schemathesis makes up."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from perfectplay.server.api_tasks import description
from web_server import dispatcher_here, serving_here


@pytest.fixture(scope="module")
def address(home):
    with serving_here(dispatcher=dispatcher_here(["examples/hexapawn.py"], ["examples/bots.py:my_ai"])) as where:
        yield where


@pytest.mark.nightly  # requests made up of wrong and right parts are quick, in test_safe
def test_the_server_keeps_its_description(address):
    import schemathesis  # takes a second, and its plugin, which is off, would take it in every worker
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    schema = schemathesis.openapi.from_dict(description())
    operations = [found.ok() for found in schema.get_all_operations()]
    assert operations
    for operation in operations:

        @settings(max_examples=60, suppress_health_check=list(HealthCheck), derandomize=True, phases=[Phase.generate])
        @given(operation.as_strategy())
        def answers(case):
            # no schema tells which texts are positions: that one is refused although it is a text, is right
            case.call_and_validate(base_url=address, timeout=60, excluded_checks=[positive_data_acceptance])

        answers()
