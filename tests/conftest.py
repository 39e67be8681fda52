import torch

# Two test processes share two cores, and the networks here are small: more threads only wait for each other.
torch.set_num_threads(1)
