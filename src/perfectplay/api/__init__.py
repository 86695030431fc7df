"""The public Python API, a file for each task; the package `perfectplay` re-exports all of it."""
