"use strict";
// What the page asks: who is to play, which game to load, how to save this one, and whether a person is sure.
const dialogs = (() => {
  const LARGEST = 1000000;  // bytes of a file that the server takes
  const SIZES = [4, 6, 8, 10, 12, 14, 16];
  const { find, say } = page;

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

  async function askForPlayers(wish = server.state.settings) {
    if (find("new-game").open) return;
    const players = Object.entries(server.state.players);
    const advisers = players.filter(([text]) => text !== "human");
    fill("size", SIZES.map((size) => [size, `${size}x${size}`]), wish.size);
    fill("player-black", players, wish.black);
    fill("player-white", players, wish.white);
    fill("adviser", advisers, wish.adviser);
    say("refusal", wish.why ?? "");
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
    find("link").value = `${location.origin}/#${server.state.link}`;
    const answer = await answerOf(find("save-game"));
    if (answer === "copy") copy(find("transcript").value);
    else if (answer) server.tell({ do: "save", suffix: answer });
  }

  function copy(text) {
    const copied = navigator.clipboard.writeText(text);
    copied.then(() => say("notice", "The moves are copied."), () => say("notice", "The browser does not allow copying: select the moves under Save."));
  }

  // Has the browser keep a file, whose bytes are told in base64.
  function keep(called, content) {
    const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
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
    if (await agrees("Resign this game?", "Resign")) server.tell({ do: "word", word: "resign" });
  }

  async function drop(game, says) {
    if (await agrees(`Drop this game? ${says}`, "Drop")) server.tell({ do: "drop", other: game });
  }

  for (const id of ["transcript", "link"]) find(id).addEventListener("focus", () => find(id).select());

  return { askForPlayers, askForGame, askForFile, keep, resign, drop };
})();
