"use strict";
// Draws the evaluation of a game as a curve over its moves, with the mistakes. A click or an arrow key chooses a
// move. Requires board.js.
const graph = (() => {
  const WIDTH = 420, HEIGHT = 170, LEFT = 34, RIGHT = 8, TOP = 10, BOTTOM = 20;
  const holder = document.getElementById("graph");
  let moves = 0;

  const x = (ply) => LEFT + (ply / Math.max(1, moves)) * (WIDTH - LEFT - RIGHT);
  function signed(worth) {
    const discs = Math.round(Math.abs(worth));
    return discs ? (worth > 0 ? "+" : "\u2212") + discs : "0";
  }

  function drawn(points, ply) {
    const most = Math.max(4, ...points.map((point) => Math.abs(point.worth)));
    const y = (worth) => TOP + ((most - worth) / (2 * most)) * (HEIGHT - TOP - BOTTOM);
    const picture = drawing.element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
    const add = (...parts) => picture.appendChild(drawing.element(...parts));
    for (const worth of [most, most / 2, 0, -most / 2, -most]) {
      add("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(worth), y2: y(worth), class: worth ? "axis" : "zero" });
      add("text", { x: LEFT - 5, y: y(worth) + 4, "text-anchor": "end" }, signed(worth));
    }
    for (let move = 0; move <= moves; move += moves > 150 ? 20 : 10) {
      add("text", { x: x(move), y: HEIGHT - 5, "text-anchor": "middle" }, move);
    }
    add("line", { x1: x(ply), x2: x(ply), y1: TOP, y2: HEIGHT - BOTTOM, class: "here" });
    const exact = points.findIndex((point) => point.is_exact);
    const from = exact < 0 ? points.length : exact;
    for (const [part, look] of [[points.slice(0, from + 1), "line estimated"], [points.slice(from), "line"]]) {
      const line = part.map((point) => `${x(point.ply).toFixed(1)},${y(point.worth).toFixed(1)}`).join(" ");
      add("polyline", { points: line, class: look });
    }
    for (const point of points.filter((point) => point.lost)) {
      const dot = add("circle", { cx: x(point.ply), cy: y(point.worth), r: 4.5, class: "mistake" });
      dot.append(drawing.element("title", {}, mistake(point)));
    }
    return picture;
  }

  const mistake = (point) => `move ${point.ply + 1} lost ${Number(point.lost.toFixed(1))}`;

  function show(points, ply, count) {
    moves = count;
    holder.replaceChildren(drawn(points, ply));
    const here = points.find((point) => point.ply === ply);
    const worth = here ? `, black ${signed(here.worth)}` : "";
    holder.setAttribute("aria-valuemax", moves);
    holder.setAttribute("aria-valuenow", ply);
    holder.setAttribute("aria-valuetext", `after ${ply} moves${worth}${here && here.lost ? `, ${mistake(here)}` : ""}`);
  }

  // Set the callbacks: `look` with a number of moves after a click, and `step` with 1 or -1 after an arrow key.
  function onLook(look, step) {
    holder.addEventListener("click", (event) => {
      const box = holder.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * WIDTH;
      const ply = Math.round(((at - LEFT) / (WIDTH - LEFT - RIGHT)) * moves);
      look(Math.max(0, Math.min(moves, ply)));
    });
    holder.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(by);
    });
  }

  return { show, onLook };
})();
