from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Game
from othello_lab.game.notation import SIZES
from tests.game.reference import Reference, as_board

sizes = st.sampled_from(SIZES)


@st.composite
def scattered(draw: st.DrawFn) -> Reference:
    """Discs anywhere, also on the edges and corners that a game reaches late."""
    size = draw(sizes)
    cells = draw(st.text(alphabet="XO-", min_size=size * size, max_size=size * size))
    grid = [list(cells[row * size : (row + 1) * size]) for row in range(size)]
    return Reference(grid, draw(st.sampled_from("XO")))


boards = scattered().map(as_board)


@st.composite
def games(draw: st.DrawFn, largest: int = 16) -> Game:
    size = draw(sizes.filter(lambda size: size <= largest))
    plies = draw(st.integers(0, size * size))
    random = draw(st.randoms(use_true_random=False))
    game = Game(Board.start(size))
    while len(game.moves) < plies and not game.board.is_over:
        game.play(random.choice(list(game.board.legal_moves) or [PASS]))
    return game
