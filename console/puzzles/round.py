"""The puzzles of a day in lines of text: one after another is asked, and each answer is judged."""

from collections import deque
from datetime import date

from othello_lab.console import reviewing, wording
from othello_lab.console.entry import Command, help_text, parse_entry
from othello_lab.console.puzzles.collection import Collection
from othello_lab.console.puzzles.puzzle import A_DAY, Puzzle
from othello_lab.console.terminal import Left, Terminal
from othello_lab.game import Board, IllegalMoveError, NotationError
from othello_lab.game.notation import brief, square_name
from othello_lab.game.review import Reviewed
from othello_lab.game.solver.solver import empties

COMMANDS = (Command.HINT, Command.MOVES, Command.BOARD, Command.HELP, Command.QUIT)
"""What can be typed besides squares; a hint gives a puzzle up."""


class Round:
    """What a person answers on a day. Each answer is kept at once."""

    interrupted = False
    """Whether Ctrl-C ended it."""

    def __init__(self, collection: Collection, terminal: Terminal, today: date) -> None:
        self._collection, self._terminal, self._today = collection, terminal, today
        self._say = terminal.say
        self._asked = self._right = 0

    def ask(self) -> None:
        """Ask all that is due, and what was missed again until it is known, or until the person leaves.

        Raises OSError where an answer cannot be kept.
        """
        try:
            self._ask_all()
        except Left as how:
            self._say(str(how))
        except KeyboardInterrupt:
            self.interrupted = True
            self._say("\nInterrupted: your answers are kept.")
        self._say(f"Answered {self._asked}, {self._right} right; {self._next()}.")

    def _ask_all(self) -> None:
        waiting = deque(self._collection.due(self._today))
        if waiting:
            self._say(
                f"Due today: {len(waiting)}. Type a square such as d3; `hint` gives up, `help` says more."
            )
        while waiting:
            puzzle = waiting.popleft()
            self._show(puzzle)
            self._say(f"{about(puzzle)}; {len(waiting)} more")
            answer = self._answer(puzzle)
            is_right = answer is not None and not puzzle.judged(answer).is_mistake
            if puzzle.answered != self._today:
                self._asked, self._right = self._asked + 1, self._right + is_right
            puzzle = puzzle.after(is_right, self._today)
            self._collection.put(puzzle)
            if not is_right:
                waiting.append(puzzle)
            self._judge(puzzle, answer, is_right)

    def _answer(self, puzzle: Puzzle) -> int | None:
        """Return the legal move that the person types, None for one who gives up; raise Left."""
        board = puzzle.board
        prompt = f"your move ({self._terminal.symbols.disc(board.turn)} {board.turn.value}): "
        while True:
            try:
                entry = parse_entry(
                    self._terminal.ask(prompt, "\nEnd of input: your answers are kept."), board.size
                )
                if isinstance(entry, int):
                    return _legal(board, entry)
                if entry.command is Command.HINT:
                    return None
                self._obey(entry.command, puzzle)
            except (NotationError, IllegalMoveError) as error:
                self._terminal.complain(error)
                self._say(wording.legal_line(board))

    def _obey(self, command: Command, puzzle: Puzzle) -> None:
        match command:
            case Command.MOVES:
                self._say(wording.legal_line(puzzle.board))
            case Command.BOARD:
                self._show(puzzle)
            case Command.HELP:
                self._say(help_text(COMMANDS))
            case Command.QUIT:
                raise Left("You left: your answers are kept.")
            case _:
                raise NotationError(f"`{command.word}` means nothing here: there is one move to find")

    def _show(self, puzzle: Puzzle) -> None:
        self._terminal.show(puzzle.record.game, legal=True)
        turn = puzzle.board.turn
        called = {turn: wording.YOU, turn.other: "opponent"}
        self._say(wording.score_line(puzzle.board, self._terminal.symbols, called))

    def _judge(self, puzzle: Puzzle, answer: int | None, is_right: bool) -> None:
        """Say how good an answer was, what all moves are worth, and when the puzzle is asked next."""
        if answer is not None:
            self._say(_verdict(puzzle.judged(answer)))
        for line in wording.advice_lines(reviewing.as_advice(puzzle.found)):
            self._say(line)
        if puzzle.found.is_mistake:
            self._say(reviewing.judged(puzzle.found))
        again = f"on {puzzle.due}" if is_right else f"later today and on {self._today + A_DAY}"
        self._say(f"Asked again {again}.")

    def _next(self) -> str:
        """Return what is still due today, or when the next puzzle is."""
        left = len(self._collection.due(self._today))
        return f"{left} still due" if left else f"the next is due on {self._collection.due()[0].due}"


def _legal(board: Board, move: int) -> int:
    """Return a move; raise IllegalMoveError for one that is not legal."""
    board.play(move)
    return move


def about(puzzle: Puzzle) -> str:
    """Return where a puzzle comes from and who is to move, in a line."""
    record, left = puzzle.record, empties(puzzle.board)
    names = f"{brief(record.black) or '?'} - {brief(record.white) or '?'}"
    where = [names] if record.black or record.white else []
    where += [brief(text) for text in (record.event, record.date) if text]
    where += wording.opening_lines(record.game)
    return ", ".join(
        [*where, f"{left} empty squares, {puzzle.board.turn.value} to move{_goal(puzzle.found)}"]
    )


def _goal(found: Reviewed) -> str:
    """Return what the one best move of an endgame does; nothing of a mistake, which may have several."""
    return "" if found.is_mistake else " and win" if found.decision.value > 0 else " and draw"


def _verdict(found: Reviewed) -> str:
    name = square_name(found.decision.move, found.decision.board.size)
    turned = f" ({reviewing.turned_text(found)})" if found.turned else ""
    if found.is_mistake:
        return f"Wrong: {name} loses {reviewing.lost_text(found)}{turned}."
    return f"Right: {name} is {'as good as the best' if found.lost else 'best'}."
