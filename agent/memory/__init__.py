"""What an agent remembers of its games, for any learner."""
