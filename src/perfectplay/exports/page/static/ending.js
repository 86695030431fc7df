// The end of a game: who won and how, and what to do next.

import { HUMAN } from "./address.js";
import { button, html, refill } from "./dom.js";
import { byPoints, playerTitle, title } from "./words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */

/**
 * @typedef {object} Ending
 * @property {[string, string]} players
 * @property {number} moves how many were played
 */

/**
 * @typedef {object} Next
 * @property {() => void} again
 * @property {(players: [string, string]) => void} other a new game with these players
 * @property {() => void} review
 */

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const HIGHEST = 10;

/**
 * Who won and how, as a person would say it.
 * @param {GameData} data
 * @param {Here} here
 * @param {Ending} ending
 */
export function endingText(data, here, { players, moves }) {
  const people = players.filter((one) => one === HUMAN).length;
  const after = `after ${moves} ${moves === 1 ? "move" : "moves"}`;
  if (here.winner === null) return people === 1 ? `You drew ${after}.` : `A draw ${after}.`;
  const winner = players[here.winner] ?? HUMAN;
  const [row = []] = here.rows;
  const how = here.margin ? ` ${byPoints(here)}` : row.length ? ` with ${NUMBERS[row.length] ?? row.length} in a row` : "";
  if (people === 1 && winner === HUMAN) return `You won${how}, ${after}.`;
  const who = winner === HUMAN || people === 0 ? data.names[here.winner] : title(playerTitle(data, winner));
  return `${who} won${how}, ${after}.`;
}

/**
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Here} here
 * @param {Ending} ending
 * @param {Next} next
 */
export function showEnding(holder, data, here, ending, next) {
  const { players } = ending;
  /** @type {[string, string]} */
  const swapped = [players[1], players[0]];
  const lost = here.winner !== null && players[here.winner] !== HUMAN;
  const row = html("div", { class: "row wrap" }, button("Rematch", next.again, { id: "rematch", class: "strong" }));
  for (const [name, step] of /** @type {[string, number][]} */ ([...(lost ? [["Easier", -1]] : []), ["Harder", 1]])) {
    const others = /** @type {[string, string]} */ (players.map((one) => moved(one, step)));
    if (players.includes(HUMAN) && others.some((one, i) => one !== players[i]))
      row.append(button(name, () => next.other(others), { id: name.toLowerCase() }));
  }
  if (players[0] !== players[1]) row.append(button("Swap sides", () => next.other(swapped), { id: "swap-sides" }));
  row.append(button("Review", next.review, { id: "review" }));
  refill(holder, html("h2", {}, endingText(data, here, ending)), row);
}

/**
 * A player of another level, if it has levels and there is one.
 * @param {string} player
 * @param {number} step
 */
function moved(player, step) {
  const level = Number(/^level:(\d+)$/.exec(player)?.[1] ?? 0);
  return level && level + step >= 1 && level + step <= HIGHEST ? `level:${level + step}` : player;
}
