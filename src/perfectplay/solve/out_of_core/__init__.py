"""Solving over files, by processes of one machine or of many: what does not fit a memory; docs/cluster.md."""
