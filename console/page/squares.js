"use strict";
// The squares as a grid of buttons above the picture of the board: for touch, keys and screen readers.
const squares = (() => {
  const grid = document.getElementById("squares");
  let size = 0;
  let cursor = 0;

  const all = () => [...grid.querySelectorAll("button")];

  // The picture has a border of 0.5 squares at the left and top, and of 0.05 squares at the right and bottom.
  function lay(wanted) {
    size = wanted;
    const end = size + 0.55;
    for (const side of ["left", "top"]) grid.style[side] = `${50 / end}%`;
    for (const side of ["width", "height"]) grid.style[side] = `${(100 * size) / end}%`;
    grid.style.gridTemplate = `repeat(${size}, 1fr) / repeat(${size}, 1fr)`;
    grid.replaceChildren(...Array.from({ length: size }, (_, row) => {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < size; column++) {
        const square = document.createElement("button");
        square.type = "button";
        square.setAttribute("role", "gridcell");
        square.dataset.square = row * size + column;
        line.append(square);
      }
      return line;
    }));
    cursor = (size / 2 - 1) * size + size / 2 - 1;
  }

  function label(board, square) {
    const disc = { X: "black", O: "white", "-": "empty" }[board.cells[square]];
    const place = board.legal.indexOf(square);
    const worth = place >= 0 && board.values ? `, ${board.values[place][0]}` : "";
    const best = board.best.includes(square) ? ", best" : "";
    const last = square === board.last ? ", last move" : "";
    return `${drawing.squareName(square, size)}, ${place < 0 ? disc : "legal move"}${worth}${best}${last}`;
  }

  function show(board) {
    if (board.size !== size) lay(board.size);
    all().forEach((button, square) => {
      button.setAttribute("aria-label", label(board, square));
      button.tabIndex = square === cursor ? 0 : -1;
      button.classList.toggle("legal", board.is_playable && board.legal.includes(square));
    });
  }

  function focus(square) {
    all()[cursor].tabIndex = -1;
    cursor = square;
    all()[cursor].tabIndex = 0;
    all()[cursor].focus({ preventScroll: true });
  }

  // Return the next square in the direction of an arrow key, or the same square at the edge.
  function moved(key) {
    const row = Math.floor(cursor / size), column = cursor % size;
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
    const inside = (place) => Math.max(0, Math.min(size - 1, place));
    return inside(row + down) * size + inside(column + right);
  }

  grid.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow") || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    focus(moved(event.key));
  });

  // Call `play` with each chosen square.
  function onPlay(play) {
    grid.addEventListener("click", (event) => {
      const square = event.target.closest("[data-square]");
      if (!square) return;
      focus(Number(square.dataset.square));
      play(cursor);
    });
  }

  return { show, onPlay, take: () => focus(cursor), has: () => grid.contains(document.activeElement) };
})();
