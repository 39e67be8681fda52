"""Othello for other libraries. The import registers `OthelloLab/Othello-v0` with Gymnasium.

`gymnasium.make("othello_lab.environment.adapters:OthelloLab/Othello-v0")` always imports this package.
`"othello_lab:OthelloLab/Othello-v0"` does so only if Gymnasium was imported before `othello_lab`.
Gymnasium 1.0 and later does not load installed packages by itself.
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
    """Register ID. If it is already registered, do nothing."""
    if ID not in registry:
        register(
            id=ID,
            entry_point="othello_lab.environment.adapters.gymnasium_env:OthelloEnv",
            vector_entry_point="othello_lab.environment.adapters.vector:OthelloVectorEnv",
        )


register_environments()
