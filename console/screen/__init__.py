"""The full-screen program (textual). A person plays with keys, the mouse or typed squares."""
