"""One run, from plan to resume."""
