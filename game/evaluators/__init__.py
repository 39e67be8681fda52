"""Evaluators: whatever values a position."""
