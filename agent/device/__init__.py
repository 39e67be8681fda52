"""Self-play where torch computes: games, opponents, replay and learning on one device, such as a GPU.

Nothing here imports anything but torch, numpy, safetensors and those files of `agent` that do likewise.
"""
