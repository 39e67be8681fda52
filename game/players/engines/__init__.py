"""Programs of other people as players: `engine:gtp-rhino -l 1`."""
