"use strict";
// Steps through the games of the page, without rules of the game: the page has the discs that each move turns over.
{
  const find = (id) => document.getElementById(id);
  const games = JSON.parse(find("games-data").textContent);
  let game = games[0];
  let boards = [];
  let place = 0;

  // Return the board before each move and the last board. A board has one letter (X, O or -) for each square.
  function replayed({ start, moves, flips, turns }) {
    const cells = start.split("");
    const all = [cells.join("")];
    moves.forEach((move, ply) => {
      if (move >= 0) for (const square of [move, ...flips[ply]]) cells[square] = turns[ply];
      all.push(cells.join(""));
    });
    return all;
  }

  const count = (cells, disc) => cells.split(disc).length - 1;
  const squareName = (square) => drawing.squareName(square, game.size);

  function drawBoard() {
    const values = find("values").checked && game.values ? game.values[place] : null;
    const before = game.moves[place - 1] ?? -1;
    find("board").replaceChildren(drawing.board({
      size: game.size, cells: boards[place], legal: game.legal[place], values,
      last: before < 0 ? null : before, flips: game.flips[place - 1], next: values ? game.moves[place] : -1,
    }));
  }

  // Return the text beside the board, which screen readers read aloud.
  function description() {
    const cells = boards[place];
    const before = place
      ? `Move ${place} of ${game.moves.length}: ${drawing.side(game.turns[place - 1])} ` +
        (game.moves[place - 1] < 0 ? "passes" : squareName(game.moves[place - 1])) + "."
      : `Start, ${game.moves.length} moves follow.`;
    const counts = `${count(cells, "X")} black, ${count(cells, "-")} empty, ${count(cells, "O")} white.`;
    const name = game.names.filter(([moves]) => moves <= place).pop();
    return `${before} ${name ? `Opening: ${name[1]}. ` : ""}${counts} ${ahead()}`;
  }

  function ahead() {
    if (place === game.moves.length) return game.result;
    const mover = game.turns[place] === "X" ? "Black" : "White";
    const legal = game.legal[place];
    return legal.length ? `${mover} to move: ${legal.map(squareName).join(" ")}.` : `${mover} must pass.`;
  }

  function listMoves() {
    const item = (number, label, ...content) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-label", label);
      button.append(...content);
      button.addEventListener("click", () => show(number));
      const entry = document.createElement("li");
      entry.append(button);
      return entry;
    };
    const named = game.moves.map((move, ply) => {
      const colour = drawing.side(game.turns[ply]);
      const disc = document.createElement("span");
      disc.className = `disc ${colour}`;
      const name = squareName(move) + (ply < game.opening ? " *" : "");
      return item(ply + 1, `${ply + 1}. ${colour} ${name}`, `${ply + 1}. `, disc, ` ${name}`);
    });
    find("moves").replaceChildren(item(0, "start", "start"), ...named);
  }

  function markMove() {
    const list = find("moves");
    [...list.querySelectorAll("button")].forEach((button, number) => {
      button.tabIndex = number === place ? 0 : -1;
      if (number === place) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    // Not scrollIntoView, because it would also scroll the page.
    const top = list.children[place].offsetTop - list.offsetTop - list.scrollTop;
    if (top < 0 || top > list.clientHeight - 32) list.scrollTop += top - list.clientHeight / 2;
  }

  function show(number) {
    place = Math.max(0, Math.min(game.moves.length, number));
    drawBoard();
    markMove();
    find("status").textContent = description();
    if (game.graph.length) graph.show(game.graph, place, game.moves.length);
    find("place").value = place;
    find("place").setAttribute("aria-valuetext", place ? `move ${place}` : "start");
  }

  function choose(number) {
    game = games[number];
    boards = replayed(game);
    find("place").max = game.moves.length;
    find("with-values").hidden = !game.values;
    find("graphed").hidden = !game.graph.length;
    find("values-say").textContent = game.says || "";
    listMoves();
    show(0);
  }

  const steps = {
    first: () => show(0), back: () => show(place - 1),
    forward: () => show(place + 1), last: () => show(game.moves.length),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

  // If the viewer has the focus, all four keys step. Otherwise only the arrow keys step, and the viewer gets the focus:
  // Home and End must scroll the page.
  function onKey(event) {
    const step = keys[event.key];
    const within = find("viewer").contains(event.target);
    const arrow = event.key.startsWith("Arrow");
    const taken = event.target.closest(arrow ? "[type=range], .box" : "select, [type=range]");
    if (!step || taken || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (!within && !arrow) return;
    event.preventDefault();
    if (!within) find("viewer").focus({ preventScroll: true });
    steps[step]();
    const current = find("moves").querySelector("[aria-current]");
    if (find("moves").contains(document.activeElement)) current.focus({ preventScroll: true });
  }

  games.forEach(({ label }, number) => find("game").append(new Option(label, number)));
  find("game").addEventListener("change", (event) => choose(Number(event.target.value)));
  find("place").addEventListener("input", (event) => show(Number(event.target.value)));
  find("values").addEventListener("change", () => show(place));
  for (const [id, step] of Object.entries(steps)) find(id).addEventListener("click", step);
  graph.onLook(show, (by) => show(place + by));
  document.addEventListener("keydown", onKey);
  find("viewer").hidden = false;
  choose(0);
}
