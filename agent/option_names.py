"""The names of options in other libraries, for the answer to an unknown option."""

from collections.abc import Mapping
from typing import Final

from othello_lab.game.registry import did_you_mean

# Maps an option to its dissimilar names in other libraries.
ALSO_CALLED: Final[Mapping[str, str]] = {
    "clip": "clip_range clip_coef clip_epsilon",
    "clip_norm": "max_grad_norm max_gradient_norm grad_clip gradient_clip",
    "entropy_weight": "ent_coef entropy_coef",
    "epsilon": "eps exploration exploration_rate",
    "epsilon_start": "epsilon eps_start initial_epsilon exploration_initial_eps",
    "epsilon_end": "epsilon eps_end min_epsilon epsilon_min final_epsilon exploration_final_eps",
    "epsilon_steps": "exploration_fraction epsilon_decay eps_decay epsilon_decay_steps",
    "frames": "frame_stack stack_size n_stack num_stack history",
    "gamma": "discount discount_factor",
    "hidden": "hidden_layers hidden_sizes hidden_size net_arch layers",
    "horizon": "n_steps num_steps rollout_length",
    "lam": "lambda gae_lambda",
    "learning_rate": "lr alpha step_size",
    "memory": "buffer_size replay_size memory_size replay_capacity replay",
    "replay": "buffer_size replay_size memory_size replay_capacity memory",
    "target_every": "target_update_interval target_update target_network_frequency",
    "target_rate": "tau polyak",
    "units": "activation activation_fn",
    "update_every": "train_freq train_frequency update_frequency",
    "value_weight": "vf_coef value_coef",
    "warm_up": "learning_starts min_replay_size",
    "width": "hidden hidden_layers hidden_sizes hidden_size net_arch layers",
}


def instead_of(name: str, key: str, known: list[str]) -> str:
    """Return the end of an error message about an unknown option, with suggested names."""
    names = [ours for ours, others in ALSO_CALLED.items() if ours in known and key in others.split()]
    if names:
        return f"; here it is called {' or '.join(names)}"
    return did_you_mean(key, known) or f"; `othello agent {name} --help` lists its options"
