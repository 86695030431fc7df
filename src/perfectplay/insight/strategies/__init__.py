"""Winning strategies in words: lists of rules that provably keep the result of a solved game."""
