"use strict";
// The keys of the game: they reach it as soon as the page is there, and by buttons where a window has no room for
// their names, or nobody a keyboard.
addEventListener("load", () => {
  const entry = document.querySelector(".xterm-helper-textarea");
  const hasKeyboard = matchMedia("(pointer: fine)").matches; // else the focus would bring one up, over the board

  for (const button of document.querySelectorAll("#keys button")) {
    const { key, code, ctrl } = button.dataset;
    const pressed = { key, keyCode: Number(code), ctrlKey: ctrl !== undefined, bubbles: true, cancelable: true };
    button.addEventListener("click", () => {
      entry.dispatchEvent(new KeyboardEvent("keydown", pressed));
      if (hasKeyboard) entry.focus();
    });
  }
  if (hasKeyboard) entry.focus();
});
