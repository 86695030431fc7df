"""Retrograde analysis in memory: layers, cycles, tiers, and small games without numba."""
