"""The full-screen program (textual): a person plays with keys, the mouse or typed squares."""
