"""Learning with n-tuple networks."""
