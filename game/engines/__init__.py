"""Programs of other people as players: a child process, the GTP protocol, the way to a position."""
