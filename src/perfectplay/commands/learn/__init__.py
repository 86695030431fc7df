"""Explanations, puzzles, strategies, trees and sweeps."""
