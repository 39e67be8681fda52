"""What the package `game` can tell at the command line."""
