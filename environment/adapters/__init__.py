"""Othello for the libraries of others. To import it registers `OthelloLab/Othello-v0` with Gymnasium.

`gymnasium.make("othello_lab:OthelloLab/Othello-v0")` imports it if Gymnasium was imported before us;
`"othello_lab.environment.adapters:OthelloLab/Othello-v0"` does so in any order. Since its version 1.0
Gymnasium loads no installed package by itself.
"""

try:
    from gymnasium.envs.registration import register, registry
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "othello_lab.environment.adapters needs Gymnasium: python -m pip install 'othello-lab[gymnasium]'",
        name="gymnasium",
    ) from None

ID = "OthelloLab/Othello-v0"


def register_environments() -> None:
    """Register ID, if that has not been done."""
    if ID not in registry:
        register(
            id=ID,
            entry_point="othello_lab.environment.adapters.gymnasium_env:OthelloEnv",
            vector_entry_point="othello_lab.environment.adapters.vector:OthelloVectorEnv",
        )


register_environments()
