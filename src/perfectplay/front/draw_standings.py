"""Temporary."""
import json
def standings_lines(result):
    """x"""
    return [json.dumps(p) for p in result.to_dict()["players"]]
