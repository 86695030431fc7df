"""The contract of the rules, and the checks that all ways of running them agree."""
