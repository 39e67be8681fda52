"use strict";
// Shared by all scripts: find, make and fill elements. Texts are set as text, never as HTML.
const page = (() => {
  const lastData = {};

  const find = (id) => document.getElementById(id);

  function make(tag, text, look) {
    const element = document.createElement(tag);
    element.textContent = text;
    if (look) element.className = look;
    return element;
  }

  function button(text, press) {
    const element = make("button", text);
    element.type = "button";
    element.addEventListener("click", press);
    return element;
  }

  // Write a text only if it has changed, because a screen reader reads each new text aloud.
  function say(id, text) {
    if (find(id).textContent !== text) find(id).textContent = text;
  }

  // Draw a part of the page only if its data have changed, so that it keeps the focus.
  function renew(part, data, draw) {
    const now = JSON.stringify(data);
    if (lastData[part] === now) return;
    lastData[part] = now;
    draw();
  }

  function onPress(id, act) {
    find(id).addEventListener("click", act);
  }

  return { find, make, button, say, renew, onPress };
})();
