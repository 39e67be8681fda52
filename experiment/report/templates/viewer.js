"use strict";
// The games of the page, to step through. Each position was computed before: nothing here knows the rules.
{
  const SVG = "http://www.w3.org/2000/svg";
  const LETTERS = "abcdefghijklmnop";
  const find = (id) => document.getElementById(id);
  const games = JSON.parse(find("games-data").textContent);
  let game = games[0];
  let boards = [];
  let place = 0;

  function element(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const squareName = (square) =>
    square < 0 ? "pass" : LETTERS[square % game.size] + (Math.floor(square / game.size) + 1);

  const centre = (square) => ({
    x: (square % game.size) + 1, y: Math.floor(square / game.size) + 1,
  });

  function circle(square, radius, look) {
    const { x, y } = centre(square);
    return element("circle", { cx: x, cy: y, r: radius, class: look });
  }

  function tile(square, size, look) {
    const { x, y } = centre(square);
    return element("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, class: look });
  }

  // The board before each move, and the last: a letter a square, X, O or -.
  function replayed(found) {
    const cells = found.start.split("");
    const all = [cells.join("")];
    found.moves.forEach((move, ply) => {
      if (move >= 0) for (const square of [move, ...found.flips[ply]]) cells[square] = found.turns[ply];
      all.push(cells.join(""));
    });
    return all;
  }

  const count = (cells, disc) => cells.split(disc).length - 1;
  const side = (turn) => (turn === "X" ? "black" : "white");

  function drawBoard() {
    const cells = boards[place];
    const end = game.size + 0.55;
    const picture = element("svg", { viewBox: `0 0 ${end} ${end}`, role: "img", "aria-label": described(cells) });
    for (let i = 0; i < game.size; i++) {
      picture.append(element("text", { x: i + 1, y: 0.25 }, LETTERS[i]));
      picture.append(element("text", { x: 0.25, y: i + 1 }, i + 1));
    }
    for (let square = 0; square < cells.length; square++) picture.append(tile(square, 1, "square"));
    for (let square = 0; square < cells.length; square++) {
      if (cells[square] !== "-") picture.append(circle(square, 0.42, side(cells[square])));
    }
    drawLast(picture);
    drawChoices(picture);
    find("board").replaceChildren(picture);
  }

  function drawLast(picture) {
    const move = game.moves[place - 1];
    if (place === 0 || move < 0) return;
    for (const square of game.flips[place - 1]) picture.append(circle(square, 0.2, "turned"));
    picture.append(circle(move, 0.14, "last"));
  }

  function drawChoices(picture) {
    const legal = game.legal[place];
    const values = find("values").checked && game.values && game.values[place];
    legal.forEach((square, i) => {
      if (values) {
        const [text, shade] = values[i];
        const { x, y } = centre(square);
        picture.append(tile(square, 0.86, `shade-${shade}`));
        picture.append(element("text", { x, y, class: `on-shade-${shade}` }, text));
      } else {
        picture.append(circle(square, 0.11, "legal"));
      }
    });
    const next = game.moves[place];
    if (values && next >= 0) picture.append(tile(next, 0.92, "next"));
  }

  function described(cells) {
    const squares = (disc) =>
      [...cells].flatMap((cell, square) => (cell === disc ? [squareName(square)] : [])).join(" ");
    return `Board. Black: ${squares("X")}. White: ${squares("O")}.`;
  }

  // What stands beside the board, and is read out.
  function said() {
    const cells = boards[place];
    const before = place
      ? `Move ${place} of ${game.moves.length}: ${side(game.turns[place - 1])} ` +
        (game.moves[place - 1] < 0 ? "passes" : squareName(game.moves[place - 1])) + "."
      : `Start, ${game.moves.length} moves follow.`;
    const counts = `${count(cells, "X")} black, ${count(cells, "-")} empty, ${count(cells, "O")} white.`;
    return `${before} ${counts} ${ahead()}`;
  }

  function ahead() {
    if (place === game.moves.length) return game.result;
    const mover = side(game.turns[place]);
    const legal = game.legal[place];
    return legal.length ? `${mover} to move: ${legal.map(squareName).join(" ")}.` : `${mover} must pass.`;
  }

  function listMoves() {
    const item = (text, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => show(number));
      const entry = document.createElement("li");
      entry.append(button);
      return entry;
    };
    const named = game.moves.map((move, ply) => {
      const opening = ply < game.opening ? " *" : "";
      return item(`${ply + 1}. ${game.turns[ply] === "X" ? "●" : "○"} ${squareName(move)}${opening}`, ply + 1);
    });
    find("moves").replaceChildren(item("start", 0), ...named);
  }

  function markMove() {
    const list = find("moves");
    [...list.querySelectorAll("button")].forEach((button, number) => {
      button.tabIndex = number === place ? 0 : -1;
      if (number === place) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    // Not scrollIntoView: that would scroll the page too.
    const top = list.children[place].offsetTop - list.offsetTop - list.scrollTop;
    if (top < 0 || top > list.clientHeight - 32) list.scrollTop += top - list.clientHeight / 2;
  }

  function show(number) {
    place = Math.max(0, Math.min(game.moves.length, number));
    drawBoard();
    markMove();
    find("status").textContent = said();
    find("place").value = place;
    find("place").setAttribute("aria-valuetext", place ? `move ${place}` : "start");
    // Not `disabled`: the focus would be lost at either end.
    for (const id of ["first", "back"]) find(id).setAttribute("aria-disabled", place === 0);
    for (const id of ["forward", "last"]) find(id).setAttribute("aria-disabled", place === game.moves.length);
  }

  function choose(number) {
    game = games[number];
    boards = replayed(game);
    find("place").max = game.moves.length;
    find("with-values").hidden = !game.values;
    find("values-say").textContent = game.says || "";
    listMoves();
    show(0);
  }

  const steps = {
    first: () => show(0), back: () => show(place - 1),
    forward: () => show(place + 1), last: () => show(game.moves.length),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

  // In the viewer all four keys step; elsewhere on the page the arrows alone: Home and End scroll there.
  function onKey(event) {
    const step = keys[event.key];
    const within = find("viewer").contains(event.target);
    const taken = event.target.closest("select, input, .box, figure");
    if (!step || taken || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (!within && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    steps[step]();
    const current = find("moves").querySelector("[aria-current]");
    if (find("moves").contains(document.activeElement)) current.focus({ preventScroll: true });
  }

  games.forEach((each, number) => find("game").append(new Option(each.label, number)));
  find("game").addEventListener("change", (event) => choose(Number(event.target.value)));
  find("place").addEventListener("input", (event) => show(Number(event.target.value)));
  find("values").addEventListener("change", () => show(place));
  for (const [id, step] of Object.entries(steps)) find(id).addEventListener("click", step);
  document.addEventListener("keydown", onKey);
  find("viewer").hidden = false;
  choose(0);
}
