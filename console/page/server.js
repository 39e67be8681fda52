"use strict";
// Sends the actions of this tab to the server, and gets the state of its game.
const server = (() => {
  const BUSY = 200, IDLE = 2000;
  let state = null;
  let waiting = Promise.resolve();
  let timer;
  let show = () => {};
  let keep = () => {};

  const newName = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // A tab keeps its game after a reload; a new tab begins a new game.
  const name = () => sessionStorage.getItem("game") ?? take(newName());
  function take(game) {
    sessionStorage.setItem("game", game);
    return game;
  }

  async function ask(action) {
    const body = JSON.stringify({ game: name(), version: state?.version ?? "", action });
    const answer = await fetch("game", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (answer.status === 204) return;
    if (!answer.ok) return page.say("notice", "The server does not understand this page: load it again.");
    state = await answer.json();
    show();
    if (state.file) keep(...state.file);
  }

  // Send one request at a time, so that an older answer never comes last. The last answer says when to ask again.
  function tell(action = null) {
    waiting = waiting.then(() => ask(action)).catch(() => {
      state = null;
      page.say("notice", "othello play does not answer: the game is kept, and goes on here once it is started on this port again.");
    }).finally(schedule);
    return waiting;
  }

  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(look, state?.is_busy ? BUSY : IDLE);
  }

  function look() {
    if (document.hidden) schedule();
    else tell();
  }

  // Show another game in this tab, either a saved game or a new game.
  function open(game = newName()) {
    take(game);
    state = null;
    tell();
  }

  // Start polling. The callback `draw` is called after every new state, `save` with each file to download.
  function begin(draw, save) {
    show = draw;
    keep = save;
    look();
  }

  return {
    get state() { return state; },
    tell, open, begin,
  };
})();
