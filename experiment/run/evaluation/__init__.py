"""Games without learning and exploration, and the yardsticks of others."""
