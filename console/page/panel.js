"use strict";
// Shows the state of a game: the board and the panel. The rules are only on the server.
const panel = (() => {
  const { find, make, button, say, renew } = page;
  let state = null;

  function show() {
    if (!server.state) return;
    state = editing.shown(server.state);
    renew("board", state.board, () => {
      find("board").replaceChildren(drawing.board(state.board));
      squares.show(state.board);
    });
    say("notice", state.notice);
    renew("unfinished", state.unfinished, showUnfinished);
    find("buttons").toggleAttribute("inert", !state.is_ready);
    if (!state.is_ready) return renew("card", state.failure, showFailure);
    showSides();
    showButtons();
    renew("moves", [state.moves, state.ply], showMoves);
    renew("card", state.card, showCard);
    renew("review", [state.review, state.ply], showReview);
    say("opening", state.opening ? `Opening: ${state.opening}` : "");
    say("hint", state.hint.join("\n").replaceAll(" %", "\u00a0%"));
  }

  function showFailure() {
    find("card").hidden = !state.failure;
    if (!state.failure) return;
    say("card-title", "This game cannot be shown");
    find("card-lines").replaceChildren();
    renew("choices", "begin", () => find("choices").replaceChildren(button("Begin a new one", () => server.open())));
  }

  function showSides() {
    for (const [colour, side] of Object.entries(state.sides)) {
      const line = find(colour);
      line.classList.toggle("turn", side.is_turn);
      line.querySelector(".name").textContent = `${side.name}${side.is_thinking ? " thinks" : ""}`;
      line.querySelector(".discs").textContent = side.discs;
      line.setAttribute("aria-label", `${colour}: ${side.name}, ${side.discs} discs`);
    }
  }

  function showButtons() {
    const can = { ...state.can, hint: !state.is_over };
    for (const element of find("buttons").children) {
      const name = element.dataset.command ?? element.id;
      element.disabled = name in can && !can[name];
    }
    find("buttons").querySelector("[data-command=go]").hidden = !state.can.go;
    find("values").setAttribute("aria-pressed", state.shows_values);
  }

  function showMoves() {
    const item = (ply, label, ...content) => {
      const element = button("", () => server.tell({ do: "goto", ply }));
      element.append(...content);
      element.setAttribute("aria-label", label);
      element.classList.toggle("taken", ply > state.ply);
      if (ply === state.ply) element.setAttribute("aria-current", "step");
      const entry = document.createElement("li");
      entry.append(element);
      return entry;
    };
    const list = find("moves");
    const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    const named = state.moves.map((move, ply) => {
      const text = ` ${move.name}${move.loss ? ` ${move.loss}` : ""}`;
      const entry = item(ply + 1, `${ply + 1}. ${move.colour}${text}`, `${ply + 1}. `, make("span", "", `disc ${move.colour}`), text);
      entry.firstChild.classList.toggle("mistake", Boolean(move.loss));
      return entry;
    });
    list.replaceChildren(item(0, "start", "start"), ...named);
    if (focused >= 0) list.children[Math.min(focused, state.moves.length)].firstChild.focus({ preventScroll: true });
    const current = list.children[state.ply];
    const top = current.offsetTop - list.offsetTop - list.scrollTop;
    if (top < 0 || top > list.clientHeight - 32) list.scrollTop += top - list.clientHeight / 2;
  }

  function showCard() {
    const card = state.card;
    const wasHidden = find("card").hidden;
    find("card").hidden = !card;
    if (!card) return;
    say("card-title", card[0]);
    find("card-lines").replaceChildren(...card.slice(1).map((line) => make("p", line)));
    const tell = (name) => () => server.tell({ do: "command", name });
    const choices = [["Review", tell("review")], ["Rematch", tell("new")], ["Other players", dialogs.askForPlayers], ["Save", dialogs.askForFile]];
    renew("choices", "end", () => find("choices").replaceChildren(...choices.map((choice) => button(...choice))));
    if (wasHidden && squares.has()) find("choices").firstChild.focus();
  }

  function showReview() {
    const review = state.review;
    find("reviewed").hidden = !review || (!review.is_opened && !state.is_over);
    if (!review) return;
    graph.show(review.points, state.ply, state.moves.length);
    say("scale", review.scale);
    find("sums").replaceChildren(...review.lines.map((line) => make("p", line, "says")));
  }

  function showUnfinished() {
    find("unfinished").hidden = !state.unfinished.length;
    find("games").replaceChildren(...state.unfinished.map(({ game, says: label }) => {
      const entry = document.createElement("li");
      entry.append(button(`Go on: ${label}`, () => server.open(game)));
      return entry;
    }));
  }

  return { show };
})();
