"use strict";
// The dialogs: players, loading and saving.
const dialogs = (() => {
  const LARGEST = 1000000;  // the maximum size of an uploaded file, in bytes
  const SIZES = [4, 6, 8, 10, 12, 14, 16];
  const { find, say } = page;

  // Return the value of the button that closes a dialog; "" for Escape.
  function answerOf(dialog) {
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
  }

  function fill(id, options, value) {
    find(id).replaceChildren(...options.map(([option, label]) => new Option(label, option)));
    if (!options.some(([option]) => String(option) === String(value))) find(id).append(new Option(value, value));
    find(id).value = value;
  }

  async function askForPlayers() {
    const { settings } = server.state;
    const players = Object.entries(server.state.players);
    const advisers = players.filter(([text]) => text !== "human");
    fill("size", SIZES.map((size) => [size, `${size}x${size}`]), settings.size);
    fill("player-black", players, settings.black);
    fill("player-white", players, settings.white);
    fill("adviser", advisers, settings.adviser);
    const answer = await answerOf(find("new-game"));
    if (!answer) return;
    server.tell({
      do: "seat", size: Number(find("size").value), is_new: answer === "new",
      black: find("player-black").value, white: find("player-white").value, adviser: find("adviser").value,
    });
  }

  async function askForGame() {
    find("file").value = "";
    find("number").value = 1;
    if (!(await answerOf(find("load-game")))) return;
    const [file] = find("file").files;
    const text = find("text").value.trim();
    if (!file) return text ? server.tell({ do: "open", text }) : say("notice", "Nothing was chosen and nothing typed.");
    if (file.size > LARGEST) return say("notice", "The file is too large: expected a megabyte at most.");
    const content = await new Promise((resolve) => {
      const reader = new FileReader();
      reader.addEventListener("load", () => resolve(reader.result.split(",")[1] ?? ""));
      reader.readAsDataURL(file);
    });
    server.tell({ do: "load", name: file.name, content, number: Number(find("number").value) || 1 });
  }

  async function askForFile() {
    find("transcript").value = server.state.transcript;
    const answer = await answerOf(find("save-game"));
    if (answer === "copy") copy(find("transcript").value);
    else if (answer) server.tell({ do: "save", suffix: answer });
  }

  function copy(text) {
    const copied = navigator.clipboard.writeText(text);
    copied.then(() => say("notice", "The moves are copied."), () => say("notice", "The browser does not allow copying: select the moves under Save."));
  }

  // Download a file whose content is in base64.
  function keep(name, content) {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  find("transcript").addEventListener("focus", () => find("transcript").select());

  return { askForPlayers, askForGame, askForFile, keep };
})();
