"use strict";
// The keys and buttons of the page.
{
  const { find, make, onPress } = page;

  function nextMistake() {
    const { review, ply: here } = server.state;
    const mistakes = find("reviewed").hidden ? [] : review.points.filter((point) => point.lost);
    const next = mistakes.find((point) => point.ply > here) ?? mistakes[0];
    if (next) server.tell({ do: "goto", ply: next.ply });
  }

  const steps = { PageUp: -1, PageDown: 1, Home: -1000, End: 1000 };

  function onKey(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!server.state || !server.state.is_ready || event.altKey || event.metaKey || event.target.closest("input, select, dialog")) return;
    if (event.ctrlKey && !"zy".includes(key)) return;
    const letter = event.ctrlKey ? { z: "u", y: "y" }[key] : key;
    const pressed = find(editing.isOn ? "editing" : "buttons").querySelector(`[data-key="${CSS.escape(letter)}"]`);
    if (pressed && !pressed.disabled && !pressed.hidden) pressed.click();
    else if (editing.isOn) return;
    else if (letter === "m") nextMistake();
    else if (key in steps) server.tell({ do: "step", decisions: steps[key] });
    else return;
    event.preventDefault();
  }

  for (const element of document.querySelectorAll("[data-key]")) {
    element.append(" ", make("kbd", element.dataset.key.slice(0, 3).toUpperCase()));
    element.setAttribute("aria-keyshortcuts", element.dataset.key);
    element.lastChild.setAttribute("aria-hidden", "true");
  }
  for (const element of document.querySelectorAll("#buttons [data-command]")) {
    element.addEventListener("click", () => server.tell({ do: "command", name: element.dataset.command }));
  }
  onPress("values", () => server.tell({ do: "command", name: "values" }));
  onPress("review", () => server.tell({ do: "command", name: "review" }));
  onPress("new", dialogs.askForPlayers);
  onPress("load", dialogs.askForGame);
  onPress("save", dialogs.askForFile);
  onPress("edit", editing.begin);
  squares.onPlay((square) => (editing.isOn ? editing.put(square) : server.tell({ do: "play", square })));
  graph.onLook((ply) => server.tell({ do: "goto", ply }), (by) => server.tell({ do: "step", decisions: by }));
  editing.onShow(panel.show);
  document.addEventListener("keydown", onKey);
  server.begin(panel.show, dialogs.keep);
}
