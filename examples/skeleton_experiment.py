"""A small experiment in the style of rlglue-py3. First start `othello glue`, an agent and an environment."""

from rlglue import RLGlue


def main() -> None:
    """Run three episodes, then one episode that is cut off after two steps."""
    print("task:", RLGlue.RL_init())
    for _ in range(3):
        terminal = RLGlue.RL_episode(0)
        print(f"terminal {terminal}, {RLGlue.RL_num_steps()} steps, return {RLGlue.RL_return()}")
    print("cut off:", RLGlue.RL_episode(2) == 0)
    print("episodes:", RLGlue.RL_num_episodes())
    print("environment:", RLGlue.RL_env_message("hello"))
    RLGlue.RL_cleanup()


if __name__ == "__main__":
    main()
