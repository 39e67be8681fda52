"""The full-screen program: a board to play on by keys, mouse and typed squares (textual)."""
