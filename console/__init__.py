"""Let a person play in a plain terminal, a full screen or a browser. Run players as GTP or NBoard engines."""
