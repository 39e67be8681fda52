"""Processes that a run, a match or a sweep starts: pool, programs and the trio. Handling of Ctrl-C."""
