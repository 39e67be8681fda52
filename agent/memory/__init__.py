"""The memory that all learners share: frames, transitions and replay."""
