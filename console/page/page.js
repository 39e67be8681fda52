"use strict";
// What all parts of the page share: finding, making and filling its elements. Texts are set as text, never as HTML.
const page = (() => {
  const shownBefore = {};

  const find = (id) => document.getElementById(id);

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

  // Draws a part of the page where what it shows is new: what has the focus there keeps it.
  function renew(part, data, draw) {
    const now = JSON.stringify(data);
    if (shownBefore[part] === now) return;
    shownBefore[part] = now;
    draw();
  }

  function onPress(id, act) {
    find(id).addEventListener("click", act);
  }

  return { find, made, button, say, renew, onPress };
})();
