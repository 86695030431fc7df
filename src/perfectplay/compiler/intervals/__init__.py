"""Interval analysis of rules: how large their numbers can get, found without running them."""
