"use strict";
// Draws a position as SVG, for every page with a board, without rules of the game. The fields of a position:
//   size; cells: one letter for each square (X black, O white, - empty); legal: the legal moves;
//   values: null, or the text and the shade of each legal move; last: the last move, or null;
//   flips: the squares that the last move turned over; next: a move with a frame, or -1;
//   says: the text for screen readers, by default the position.
const drawing = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LETTERS = "abcdefghijklmnop";

  function element(name, attributes, text) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  const side = (disc) => (disc === "X" ? "black" : "white");

  const squareName = (square, size) =>
    square < 0 ? "pass" : LETTERS[square % size] + (Math.floor(square / size) + 1);

  function described({ cells, size }) {
    const squares = (disc) =>
      [...cells].flatMap((cell, square) => (cell === disc ? [squareName(square, size)] : [])).join(" ");
    return `Board. Black: ${squares("X")}. White: ${squares("O")}.`;
  }

  function board(position) {
    const { size, cells } = position;
    const end = size + 0.55;
    const picture = element("svg", { viewBox: `0 0 ${end} ${end}`, role: "img", "aria-label": position.says ?? described(position) });
    const centre = (square) => ({ x: (square % size) + 1, y: Math.floor(square / size) + 1 });
    const circle = (square, radius, look) => {
      const { x, y } = centre(square);
      picture.append(element("circle", { cx: x, cy: y, r: radius, class: look }));
    };
    const tile = (square, width, look) => {
      const { x, y } = centre(square);
      picture.append(element("rect", { x: x - width / 2, y: y - width / 2, width, height: width, class: look }));
    };
    for (let i = 0; i < size; i++) {
      picture.append(element("text", { x: i + 1, y: 0.25 }, LETTERS[i]));
      picture.append(element("text", { x: 0.25, y: i + 1 }, i + 1));
    }
    for (let square = 0; square < cells.length; square++) tile(square, 1, "square");
    for (let square = 0; square < cells.length; square++) {
      if (cells[square] !== "-") circle(square, 0.42, side(cells[square]));
    }
    if (position.last !== null) {
      for (const square of position.flips) circle(square, 0.2, "turned");
      circle(position.last, 0.14, "last");
    }
    position.legal.forEach((square, i) => {
      if (!position.values) return circle(square, 0.11, "legal");
      const [text, shade] = position.values[i];
      tile(square, 0.86, `shade-${shade}`);
      picture.append(element("text", { ...centre(square), class: `on-shade-${shade}` }, text));
    });
    if (position.next >= 0) tile(position.next, 0.92, "next");
    return picture;
  }

  return { board, element, side, squareName };
})();
