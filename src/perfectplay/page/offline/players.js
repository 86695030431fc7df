// Players: each chooses at random among the moves that look best to it.

import { weighed } from "./truth.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./truth.js").Weighed} Weighed */

/**
 * The moves that a player chooses from; undefined for an unknown player.
 * @param {Carried} game
 * @param {Place} place
 * @param {string} name
 * @returns {Weighed[] | undefined}
 */
export function choices(game, place, name) {
  const moves = weighed(game, place);
  const level = game.about.levels[Number(/^level:(\d+)$/.exec(name)?.[1]) - 1];
  if (level) return Math.random() < level[0] ? moves : seen(moves, level[1]);
  const winning = moves.filter(winsAtOnce);
  switch (name) {
    case "perfect":
      return moves.filter((move) => move.best);
    case "streetwise":
      return moves.filter((move) => move.chosen);
    case "wins":
      return winning.length ? winning : moves;
    case "blocks":
      return winning.length ? winning : greatest(moves, (move) => -danger(game, move));
    case "random":
      return moves;
    default:
      return undefined;
  }
}

/**
 * The best moves as seen at this depth: whatever lies deeper looks equal.
 * @param {Weighed[]} moves
 * @param {number} plies
 */
function seen(moves, plies) {
  return greatest(moves, ({ entry: { value, distance } }) =>
    distance === null || distance > plies ? 0 : value * (1e6 - distance),
  );
}

/** @param {Weighed} move */
function winsAtOnce({ entry }) {
  return entry.value === 1 && entry.distance === 1;
}

/**
 * The number of immediate wins of the other side after a move; infinite if it has won.
 * @param {Carried} game
 * @param {Weighed} move
 */
function danger(game, { child, entry }) {
  if (entry.value === -1 && entry.distance === 1) return Infinity;
  return weighed(game, child).filter(winsAtOnce).length;
}

/**
 * The moves with the greatest number.
 * @param {Weighed[]} moves
 * @param {(move: Weighed) => number} number
 */
function greatest(moves, number) {
  const numbers = moves.map(number);
  const most = Math.max(...numbers);
  return moves.filter((_, i) => numbers[i] === most);
}
