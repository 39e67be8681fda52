"""Frames, transitions and replay memory, for all learners."""
