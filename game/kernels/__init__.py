"""The rules of Othello as compiled code."""
