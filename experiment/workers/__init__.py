"""Processes that a run, a match or a sweep starts: pool, programs, the trio; and Ctrl-C."""
