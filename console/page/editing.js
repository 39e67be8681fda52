"use strict";
// Sets up a position, disc by disc. The server checks whether the position can be played.
const editing = (() => {
  const { find } = page;
  const NEXT = { "-": "X", X: "O", O: "-" };
  const NAMES = { "-": "empty", X: "black", O: "white" };
  const HOW = "A click or Enter on a square turns it from empty to black to white. Then play from here.";
  let isOn = false;
  let cells = "";
  let turn = "X";
  let notice = "";
  let show = () => {};

  const size = () => Math.sqrt(cells.length);
  const count = (disc) => cells.split(disc).length - 1;

  // Return the shown state: the state from the server, with the new position during a set-up.
  function shown(state) {
    if (!isOn) return state;
    const board = { size: size(), cells, legal: [], values: null, best: [], last: null, flips: [], next: -1, is_playable: false };
    const side = (disc) => ({ ...state.sides[NAMES[disc]], discs: count(disc), is_turn: turn === disc, is_thinking: false });
    return { ...state, board, notice, sides: { black: side("X"), white: side("O") } };
  }

  function change(position, message = HOW) {
    cells = position;
    notice = message;
    draw();
  }

  function draw() {
    for (const button of find("turns").children) button.setAttribute("aria-pressed", button.dataset.turn === turn);
    show();
  }

  function put(square) {
    const disc = NEXT[cells[square]];
    const position = cells.slice(0, square) + disc + cells.slice(square + 1);
    change(position, `${drawing.squareName(square, size())}: ${NAMES[disc]}.`);
  }

  function startPosition() {
    const middle = size() / 2;
    const discs = { [(middle - 1) * (size() + 1)]: "O", [middle * (size() + 1)]: "O", [(middle - 1) * size() + middle]: "X", [middle * size() + middle - 1]: "X" };
    return [...cells].map((_, square) => discs[square] ?? "-").join("");
  }

  function switchTo(isNowOn) {
    isOn = isNowOn;
    find("play").classList.toggle("editing", isOn);
    find("editing").hidden = !isOn;
    draw();
    squares.take();
  }

  function begin() {
    const { board, sides } = server.state;
    turn = sides.white.is_turn ? "O" : "X";
    cells = board.cells;
    notice = HOW;
    switchTo(true);
  }

  // A position that the server rejects stays on the board; the notice shows the reason.
  async function play() {
    const wanted = cells;
    await server.tell({ do: "set-up", text: `${wanted} ${turn}` });
    if (!server.state) return;
    if (server.state.board.cells === wanted) return switchTo(false);
    change(wanted, server.state.notice);
  }

  page.onPress("turns", (event) => {
    turn = event.target.closest("button")?.dataset.turn ?? turn;
    draw();
  });
  page.onPress("clear", () => change("-".repeat(cells.length)));
  page.onPress("start", () => change(startPosition()));
  page.onPress("play-on", play);
  page.onPress("cancel", () => switchTo(false));

  return { shown, begin, put, get isOn() { return isOn; }, onShow: (draw) => { show = draw; } };
})();
