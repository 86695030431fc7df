"""Exact evaluation of policies."""


class PolicyEvaluation:
    """What a policy is worth."""


def evaluate(game: object, policy: object) -> PolicyEvaluation:
    """What a policy is worth."""
    raise NotImplementedError
