"""The state of randomness in words."""

import numpy as np
import pytest

from othello_lab.game.players.engine.protocol import restore, state_of


def test_a_generator_goes_on_where_the_words_say() -> None:
    first, second = np.random.default_rng(1), np.random.default_rng(2)
    first.integers(10, size=3, dtype=np.uint32)  # the half of a word is left over
    words = state_of(first)
    assert words
    restore(second, words)
    assert first.integers(1000, size=5, dtype=np.uint32).tolist() == (
        second.integers(1000, size=5, dtype=np.uint32).tolist()
    )


def test_a_generator_of_another_kind_has_no_words() -> None:
    assert state_of(np.random.Generator(np.random.MT19937(1))) is None


@pytest.mark.parametrize(
    "words", ["", "1 2 3", "1 2 0 x", "1 2 2 0", "1 2 0 4294967296", f"{1 << 128} 1 0 0"]
)
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="is no state of randomness: expected four numbers"):
        restore(np.random.default_rng(0), words)
