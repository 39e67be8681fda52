"use strict";
// The page of a run: fetches the state of the run each second and shows it. Texts are set as text, never as HTML.
{
  const EVERY = 1000;
  const find = (id) => document.getElementById(id);
  let state = null;
  let paused = false;
  let last = "";

  function node(name, text, look) {
    const element = document.createElement(name);
    element.textContent = text;
    if (look) element.className = look;
    return element;
  }

  // Set only a changed text, because screen readers read a text again after each assignment.
  function say(id, text) {
    if (find(id).textContent !== text) find(id).textContent = text;
  }

  function clock(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
    return (parts[0] ? parts : parts.slice(1)).map((part, i) => (i ? String(part).padStart(2, "0") : part)).join(":");
  }

  function showProgress(phase) {
    say("phase", phase.says);
    find("progress").value = phase.share;
    const total = phase.total ? ` of ${charts.games(phase.total)}` : "";
    const left = phase.seconds_left === null ? "" : `, ${clock(phase.seconds_left)} left`;
    say("done", `${charts.games(phase.done)}${total} training games${left}`);
  }

  // The first cell is the name of the row. On a phone, each cell has its heading above it.
  function rowOf(tag, cells, headings) {
    const line = document.createElement("tr");
    line.setAttribute("role", "row");
    line.append(...cells.map((cell, place) => {
      const isHeading = tag === "th" || !place;
      const element = node(isHeading ? "th" : "td", cell, place ? "number" : "");
      if (isHeading) element.scope = tag === "th" ? "col" : "row";
      element.setAttribute("role", tag === "th" ? "columnheader" : place ? "cell" : "rowheader");
      if (tag !== "th" && place) element.dataset.name = headings[place];
      return element;
    }));
    return line;
  }

  function showResults(table, after) {
    find("results-section").hidden = !table.rows.length;
    say("after", `After ${charts.games(after)} training games`);
    find("headings").replaceChildren(rowOf("th", table.headings));
    find("results").replaceChildren(...table.rows.map((cells) => rowOf("td", cells, table.headings)));
  }

  function showLearner() {
    const facts = Object.entries(state.numbers).map(([name, value]) => {
      const fact = document.createElement("div");
      fact.append(node("dt", name), node("dd", value));
      return fact;
    });
    find("numbers").replaceChildren(...facts);
    find("learner").hidden = !facts.length && !state.charts.length;
    find("charts").replaceChildren(...state.charts.map((chart) => {
      const panel = document.createElement("section");
      panel.append(node("h3", chart.title), node("p", chart.says, "says"), document.createElement("div"));
      return panel;
    }));
    state.charts.forEach((chart, place) =>
      charts.draw(find("charts").children[place].lastChild, chart, state.phase.done, 180));
  }

  function showRates() {
    const holder = find("rates");
    if (!holder.children.length) holder.append(node("p", state.rates.says, "says"), document.createElement("div"));
    say("rates-title", state.rates.title);
    if (state.rates.series.length) charts.draw(holder.lastChild, state.rates, state.phase.done, 320);
  }

  function showGame(game) {
    find("game").hidden = !game;
    say("game-says", game ? game.says : state.game_says);
    if (!game) return;
    find("board").replaceChildren(drawing.board(game));
    const [black, white] = game.discs;
    say("black", `Black: ${game.black}, ${black} discs`);
    say("white", `White: ${game.white}, ${white} discs`);
    say("unit", game.unit ? `On the squares: ${game.unit}.` : "");
    say("moves", game.moves || "none");
  }

  // The game can change while all other data is the same.
  function show() {
    showGame(state.game);
    const { game, ...rest } = state;
    const now = JSON.stringify(rest);
    if (now !== last) showRun();
    last = now;
  }

  function showRun() {
    document.title = `${state.run}: ${state.phase.says}`;
    say("title", state.title);
    say("run", `run ${state.run}, seed ${state.seed}`);
    say("results-say", state.results_say);
    showProgress(state.phase);
    showRates();
    showResults(state.results, state.after);
    showLearner();
  }

  async function look() {
    if (paused || document.hidden) return;
    try {
      const answer = await fetch("state.json", { cache: "no-store" });
      const now = await answer.json();
      if (now.error) return complain(now.error);
      state = now;
    } catch {
      return complain("othello watch has ended: this page shows what it knew last");
    }
    show();
  }

  // Show an error until the next state arrives, even if the next state equals the last state.
  function complain(why) {
    say("phase", why);
    last = "";
  }

  find("pause").addEventListener("click", () => {
    paused = !paused;
    find("pause").setAttribute("aria-pressed", paused);
    look();
  });
  addEventListener("resize", () => state && showRun());
  document.addEventListener("visibilitychange", look);
  setInterval(look, EVERY);
  look();
}
