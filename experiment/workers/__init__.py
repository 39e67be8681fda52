"""Processes that a run, a match or a sweep starts."""
