"""Evaluators, the objects that return the value of a position."""
