"""Proximal policy optimisation: a policy that learns from the games that it has just played."""
