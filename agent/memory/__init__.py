"""The memory of an agent: frames, transitions, replay; for any learner."""
