"""The page: a game in a browser on this machine."""
