// Files that the browser saves.

import { html } from "./dom.js";

/**
 * Lets the browser save something under a name.
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A game's name as the name of a file. @param {string} game */
export function fileName(game) {
  return game.replace(/[^a-z0-9]+/gi, "-");
}
