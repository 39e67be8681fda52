"use strict";
// Draws three boards side by side, with values on some squares. A slider chooses the turn.
for (const part of document.querySelectorAll(".slider")) {
  const { size, slides } = JSON.parse(part.querySelector("script").textContent);
  const range = part.querySelector("input");

  function figureOf({ title, says, squares, values }) {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.textContent = `${title}: ${says}`;
    const place = document.createElement("div");
    place.className = "board";
    const text = squares.map((square, i) => `${drawing.squareName(square, size)} ${values[i][0]}`).join(", ");
    place.append(drawing.board({
      size, cells: "-".repeat(size * size), legal: squares, values, last: null, next: -1, says: `${title}: ${text}`,
    }));
    figure.append(caption, place);
    return figure;
  }

  function show() {
    const slide = slides[Number(range.value)];
    range.setAttribute("aria-valuetext", slide.label);
    part.querySelector("[role=status]").textContent = slide.label;
    part.querySelector(".pictures").replaceChildren(...slide.boards.map(figureOf));
  }

  range.max = slides.length - 1;
  range.value = Math.floor(slides.length / 2);
  range.addEventListener("input", show);
  part.hidden = false;
  show();
}
