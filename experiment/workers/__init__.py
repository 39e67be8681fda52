"""Start the processes that a run, a match or a sweep needs, and handle Ctrl-C."""
