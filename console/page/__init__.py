"""The web page of a game, in a browser on the local machine."""
