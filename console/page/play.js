"use strict";
// A game on a page: shows the state that the server tells, and tells the server what a person does.
// Nothing here knows the rules. Texts are set as text, never as HTML.
{
  const BUSY = 200, IDLE = 2000;
  const LARGEST = 1000000;  // bytes of a file that the server takes
  const SIZES = [4, 6, 8, 10, 12, 14, 16];
  const find = (id) => document.getElementById(id);
  let state = null;
  let since = 0;
  let waiting = Promise.resolve();

  const newName = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // A tab has its game also after a reload; one that is opened beside it has another.
  const name = () => sessionStorage.getItem("game") ?? take(newName());
  function take(game) {
    sessionStorage.setItem("game", game);
    return game;
  }

  async function ask(action) {
    const seen = !state || state.is_busy ? -1 : state.version;
    const body = JSON.stringify({ game: name(), seen, action });
    const answer = await fetch("game", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (answer.status === 204) return;
    if (!answer.ok) return say("notice", "The server does not understand this page: load it again.");
    state = await answer.json();
    since = performance.now();
    show();
    if (state.file) keep(...state.file);
  }

  // One question after another, so that no older answer comes last.
  function tell(action = null) {
    waiting = waiting.then(() => ask(action)).catch(() => {
      state = null;
      say("notice", "othello play does not answer: the game is kept, and goes on here once it is started on this port again.");
    });
    return waiting;
  }

  async function look() {
    if (!document.hidden) await tell();
    setTimeout(look, state && state.is_busy ? BUSY : IDLE);
  }

  function made(tag, text, look) {
    const element = document.createElement(tag);
    element.textContent = text;
    if (look) element.className = look;
    return element;
  }

  function button(text, press) {
    const element = made("button", text);
    element.type = "button";
    element.addEventListener("click", press);
    return element;
  }

  // What a screen reader would read out again is only written when it is new.
  function say(id, text) {
    if (find(id).textContent !== text) find(id).textContent = text;
  }

  const shownBefore = {};
  // Draws a part of the page where what it shows is new: what has the focus there keeps it.
  function renew(part, data, draw) {
    const now = JSON.stringify(data);
    if (shownBefore[part] === now) return;
    shownBefore[part] = now;
    draw();
  }

  function show() {
    renew("board", state.board, () => {
      find("board").replaceChildren(drawing.board(state.board));
      squares.show(state.board);
    });
    say("notice", state.notice);
    renew("unfinished", state.unfinished, showUnfinished);
    find("buttons").toggleAttribute("inert", !state.is_ready);
    if (!state.is_ready) return showFailure();
    showSides();
    showButtons();
    renew("moves", [state.moves, state.ply], showMoves);
    renew("card", state.card, showCard);
    renew("review", [state.review, state.ply], showReview);
    say("opening", state.opening ? `Opening: ${state.opening}` : "");
    say("hint", state.hint.join("\n").replaceAll(" %", "\u00a0%"));
    find("stuck").hidden = !state.stuck;
    say("stuck-says", state.stuck);
    renew("refusal", state.refusal, () => state.refusal && askForPlayers(state.refusal));
  }

  function showFailure() {
    if (!state.failure) return;
    find("card").hidden = false;
    say("card-title", "This game cannot be shown");
    find("choices").replaceChildren(button("Begin a new one", () => open(newName())));
  }

  function open(game) {
    take(game);
    state = null;
    find("card").hidden = true;
    tell();
  }

  function clock(seconds) {
    return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  }

  function showSides() {
    for (const [colour, side] of Object.entries(state.sides)) {
      const line = find(colour);
      line.classList.toggle("turn", side.is_turn);
      line.querySelector(".name").textContent = `${side.name}${side.thinks ? " thinks" : ""}`;
      line.querySelector(".discs").textContent = side.discs;
      line.setAttribute("aria-label", `${colour}: ${side.name}, ${side.discs} discs`);
    }
    tick();
  }

  function tick() {
    if (!state || !state.sides) return;
    const passed = (performance.now() - since) / 1000;
    for (const [colour, side] of Object.entries(state.sides)) {
      find(colour).querySelector(".clock").textContent = clock(side.seconds + (side.is_running ? passed : 0));
    }
  }

  function showButtons() {
    const can = { ...state.can, hint: !state.is_over };
    for (const element of find("buttons").children) {
      const word = element.dataset.word ?? element.id;
      element.disabled = word in can && !can[word];
    }
    find("buttons").querySelector("[data-word=go]").hidden = !state.can.go;
    find("values").setAttribute("aria-pressed", state.shows_values);
  }

  function showMoves() {
    const item = (ply, said, ...content) => {
      const element = button("", () => tell({ do: "goto", ply }));
      element.append(...content);
      element.setAttribute("aria-label", said);
      element.classList.toggle("taken", ply > state.ply);
      if (ply === state.ply) element.setAttribute("aria-current", "step");
      const entry = document.createElement("li");
      entry.append(element);
      return entry;
    };
    const list = find("moves");
    const had = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    const named = state.moves.map((move, ply) => {
      const text = ` ${move.name}${move.lost ? ` ${move.lost}` : ""}`;
      const entry = item(ply + 1, `${ply + 1}. ${move.side}${text}`, `${ply + 1}. `, made("span", "", `disc ${move.side}`), text);
      entry.firstChild.classList.toggle("mistake", Boolean(move.lost));
      return entry;
    });
    list.replaceChildren(item(0, "start", "start"), ...named);
    if (had >= 0) list.children[Math.min(had, state.moves.length)].firstChild.focus({ preventScroll: true });
    const current = list.children[state.ply];
    const top = current.offsetTop - list.offsetTop - list.scrollTop;
    if (top < 0 || top > list.clientHeight - 32) list.scrollTop += top - list.clientHeight / 2;
  }

  function showCard() {
    const card = state.card;
    const wasHidden = find("card").hidden;
    find("card").hidden = !card;
    if (!card) return;
    say("card-title", card.lines[0]);
    find("card-lines").replaceChildren(...card.lines.slice(1).map((line) => made("p", line)));
    const press = { review: startReview, save: askForFile };
    const choices = card.choices.map(({ word, label }) => button(label, press[word] ?? (() => tell({ do: "word", word }))));
    renew("choices", card.choices, () => find("choices").replaceChildren(...choices));
    if (wasHidden && squares.has()) find("choices").firstChild.focus();
  }

  const startReview = () => tell({ do: "review" });

  function showReview() {
    const review = state.review;
    find("reviewed").hidden = !review || (!review.is_opened && !state.is_over);
    if (!review) return;
    graph.show(review, state.ply, state.moves.length);
    say("scale", review.scale);
    find("sums").replaceChildren(...review.lines.map((line) => made("p", line, "says")));
  }

  function showUnfinished() {
    find("unfinished").hidden = !state.unfinished.length;
    find("games").replaceChildren(...state.unfinished.map(({ game, says }) => {
      const entry = document.createElement("li");
      entry.append(button(`Go on: ${says}`, () => open(game)), button("Drop", () => drop(game, says)));
      entry.lastChild.setAttribute("aria-label", `Drop: ${says}`);
      return entry;
    }));
  }

  // A dialog's answer is the value of the button that closes it, "" where it is left.
  function answerOf(dialog) {
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
  }

  function fill(id, options, value) {
    find(id).replaceChildren(...options.map(([each, label]) => new Option(label, each)));
    if (!options.some(([each]) => String(each) === String(value))) find(id).append(new Option(value, value));
    find(id).value = value;
  }

  async function askForPlayers(wish) {
    if (find("new-game").open) return;
    const players = Object.entries(state.players);
    const advisers = players.filter(([text]) => text !== "human");
    fill("size", SIZES.map((size) => [size, `${size}x${size}`]), wish.size);
    fill("player-black", players, wish.black);
    fill("player-white", players, wish.white);
    fill("adviser", advisers, wish.adviser);
    say("refusal", wish.why ?? "");
    const answer = await answerOf(find("new-game"));
    if (!answer) return;
    tell({
      do: "seat", size: Number(find("size").value), is_new: answer === "new",
      black: find("player-black").value, white: find("player-white").value, adviser: find("adviser").value,
    });
  }

  async function askForGame() {
    find("file").value = "";
    if (!(await answerOf(find("load-game")))) return;
    const [file] = find("file").files;
    if (!file) return tell({ do: "open", text: find("text").value });
    if (file.size > LARGEST) return say("notice", "The file is too large: expected a megabyte at most.");
    const content = await new Promise((resolve) => {
      const reader = new FileReader();
      reader.addEventListener("load", () => resolve(reader.result.split(",")[1] ?? ""));
      reader.readAsDataURL(file);
    });
    tell({ do: "load", name: file.name, content, number: Number(find("number").value) });
  }

  async function askForFile() {
    find("link").value = `${location.origin}/#${state.link}`;
    const answer = await answerOf(find("save-game"));
    if (answer === "copy") await navigator.clipboard.writeText(find("link").value);
    else if (answer) tell({ do: "save", suffix: answer });
  }

  function keep(called, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = called;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // Whether a person means what cannot be taken back by a button.
  function agrees(question, yes) {
    say("sure-title", question);
    say("yes", yes);
    return answerOf(find("sure"));
  }

  async function resign() {
    if (await agrees("Resign this game?", "Resign")) tell({ do: "word", word: "resign" });
  }

  async function drop(game, says) {
    if (await agrees(`Drop this game? ${says}`, "Drop")) tell({ do: "drop", other: game });
  }

  // The end of an address says a game: it is opened in this tab.
  function openLink() {
    const text = decodeURIComponent(location.hash.slice(1));
    if (!text || text === "squares") return;
    history.replaceState(null, "", location.pathname);
    whenReady(() => tell({ do: "open", text }));
  }

  function whenReady(act) {
    if (state && state.is_ready) act();
    else setTimeout(whenReady, BUSY, act);
  }

  function nextMistake() {
    const found = state.moves.flatMap((move, ply) => (move.lost ? [ply] : []));
    const ply = found.find((each) => each > state.ply) ?? found[0];
    if (ply !== undefined) tell({ do: "goto", ply });
  }

  const steps = { PageUp: -1, PageDown: 1, Home: -1000, End: 1000 };

  function onKey(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!state || !state.is_ready || event.altKey || event.metaKey || event.target.closest("input, select, dialog")) return;
    if (event.ctrlKey && !"zy".includes(key)) return;
    const letter = event.ctrlKey ? { z: "u", y: "y" }[key] : key;
    const pressed = find("buttons").querySelector(`[data-key="${CSS.escape(letter)}"]`);
    if (pressed && !pressed.disabled && !pressed.hidden) pressed.click();
    else if (letter === "m") nextMistake();
    else if (key in steps) tell({ do: "step", decisions: steps[key] });
    else return;
    event.preventDefault();
  }

  for (const element of document.querySelectorAll("[data-key]")) {
    element.append(" ", made("kbd", element.dataset.key.toUpperCase()));
    element.setAttribute("aria-keyshortcuts", element.dataset.key);
    element.lastChild.setAttribute("aria-hidden", "true");
  }
  for (const element of document.querySelectorAll("#buttons [data-word]")) {
    element.addEventListener("click", () => tell({ do: "word", word: element.dataset.word }));
  }
  find("values").addEventListener("click", () => tell({ do: "values" }));
  find("review").addEventListener("click", startReview);
  find("resign").addEventListener("click", resign);
  find("new").addEventListener("click", () => askForPlayers(state.settings));
  find("others").addEventListener("click", () => askForPlayers(state.settings));
  find("again").addEventListener("click", () => tell({ do: "again" }));
  find("load").addEventListener("click", askForGame);
  find("save").addEventListener("click", askForFile);
  squares.onPlay((square) => tell({ do: "play", square }));
  graph.onLook((ply) => tell({ do: "goto", ply }), (by) => tell({ do: "step", decisions: by }));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", openLink);
  setInterval(tick, 500);
  openLink();
  look();
}
