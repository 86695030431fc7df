// What a click on a square means: a move, the piece that is about to move, or a choice between several moves.

import { movesFrom, movesTo, squareName } from "./squares.js";
import { ALIKE, alikes, marked, worthText } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Worth} Worth */

/**
 * What a click leads to: a move to play, or the piece that is chosen now, moves to choose one from, and a remark.
 * @typedef {object} Click
 * @property {string} [play]
 * @property {number | null} chosen
 * @property {LegalMove[]} several
 * @property {string} note
 */

/**
 * The moves that a click on a square means, where a piece may have been chosen.
 * @param {GameData} data
 * @param {LegalMove[]} moves
 * @param {number | null} chosen
 * @param {number} square
 */
export function meant(data, moves, chosen, square) {
  const there = movesTo(data, moves, square);
  return chosen === null ? there : there.filter((move) => move.from.includes(chosen));
}

/**
 * Whether a click on a square does something.
 * @param {GameData} data
 * @param {LegalMove[]} moves
 * @param {number | null} chosen
 * @param {number} square
 */
export function reacts(data, moves, chosen, square) {
  return meant(data, moves, chosen, square).length > 0 || movesFrom(moves, square).length > 0;
}

/**
 * What a click on a square leads to.
 * @param {GameData} data
 * @param {LegalMove[]} moves
 * @param {number | null} chosen
 * @param {number} square
 * @returns {Click}
 */
export function clickOn(data, moves, chosen, square) {
  const found = meant(data, moves, chosen, square);
  const origins = [...new Set(found.flatMap((move) => move.from))].filter((from) => movesFrom(moves, from).length);
  /** @type {Click} */
  const nothing = { chosen, several: [], note: "" };
  if (chosen === square) return { ...nothing, chosen: null };
  if (movesFrom(moves, square).length) return { ...nothing, chosen: square };
  if (chosen === null && origins.length === 1) return { ...nothing, chosen: origins[0] ?? null }; // a second click plays
  if (found.length === 1) return { ...nothing, play: found[0]?.move ?? "" };
  if (origins.length > 1) return { ...nothing, note: "Several pieces can go there: choose one first." };
  if (found.length > 1) return { ...nothing, several: found };
  return { ...nothing, chosen: null, note: chosen === null ? `That cannot be played now: ${squareName(data, square)}.` : "" };
}

/**
 * The value of the best move to each square, or of the piece on it.
 * @param {LegalMove[]} moves
 * @param {number | null} chosen
 * @param {Analysis} known
 */
export function hintsOn(moves, chosen, known) {
  /** @type {Map<number, Worth>} */
  const found = new Map();
  const byName = new Map(moves.map((move) => [move.move, move]));
  const told = marked(known);
  const many = alikes(told);
  for (const worth of told) {
    if ((many.get(worthText(worth)) ?? 0) > ALIKE) continue;
    const move = byName.get(worth.move);
    if (!move || (chosen !== null && !move.from.includes(chosen))) continue;
    const origins = move.from.filter((square) => movesFrom(moves, square).length);
    const shown = chosen === null && origins.length ? origins : move.to;
    for (const square of shown) if (!found.has(square)) found.set(square, worth);
  }
  return found;
}
