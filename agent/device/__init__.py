"""Self-play where torch computes: rules, games, opponents, replay and learning as tensors on one device."""
