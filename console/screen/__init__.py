"""The full-screen program, which uses the package textual."""
