"""Players, the objects that choose moves."""
