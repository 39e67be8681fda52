"""Matches between two players of the registry: the loop that tournaments and evaluations use too."""
