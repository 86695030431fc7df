// Players: each chooses at random among the moves that look best to it.

import { weighed } from "./truth.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./truth.js").Weighed} Weighed */

const FAR = 1000;

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
  if (level) return Math.random() < level[0] ? moves : seen(game, place, moves, level[1]);
  const winning = moves.filter((move) => ends(game, move, 1));
  switch (name) {
    case "perfect":
      return moves.filter((move) => move.best);
    case "streetwise":
      return moves.filter((move) => move.chosen);
    case "wins":
      return winning.length ? winning : moves;
    case "blocks":
      return winning.length ? winning : greatest(moves, (move) => -danger(game, place.side, move));
    case "random":
      return moves;
    default:
      return undefined;
  }
}

/**
 * The best moves as seen at this depth: whatever lies deeper looks equal.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} moves
 * @param {number} plies
 */
function seen(game, place, moves, plies) {
  if (game.data.points && plies > 0) {
    /** @type {Map<string, number>} */
    const met = new Map();
    return greatest(moves, ({ child }) => forMover(place, child, pointsWithin(game, child, plies - 1, met)));
  }
  return greatest(moves, ({ entry: { value, distance } }) =>
    distance === null || distance > plies ? 0 : value * (1e6 - distance),
  );
}

/**
 * A number of the side to move after a move, as the side that made it sees it.
 * @param {Place} place
 * @param {Place} child
 * @param {number} number
 */
function forMover(place, child, number) {
  return child.side === place.side ? number : -number;
}

/**
 * The points of the side to move by a search of so many plies: 0 where the game lasts longer.
 * @param {Carried} game
 * @param {Place} place
 * @param {number} plies
 * @param {Map<string, number>} met what was found for classes and depths
 * @returns {number}
 */
function pointsWithin(game, place, plies, met) {
  if (plies >= FAR) return game.entry(place).margin ?? 0;
  const key = `${place.number} ${plies}`;
  const before = met.get(key);
  if (before !== undefined) return before;
  const steps = game.steps(place);
  const end = steps.length ? 0 : (game.entry(place).margin ?? 0);
  const looks = plies > 0 && steps.length > 0;
  const after = looks ? steps.map(({ child }) => forMover(place, child, pointsWithin(game, child, plies - 1, met))) : [end];
  met.set(key, Math.max(...after));
  return Math.max(...after);
}

/**
 * Whether a move ends the game with that value to the player who makes it.
 * @param {Carried} game
 * @param {Weighed} move
 * @param {number} value
 */
function ends(game, { child, entry }, value) {
  return entry.value === value && game.steps(child).length === 0;
}

/**
 * The number of immediate wins of the other side after a move; infinite if it has won, none if it is not to move.
 * @param {Carried} game
 * @param {number} side who makes the move
 * @param {Weighed} move
 */
function danger(game, side, move) {
  if (ends(game, move, -1)) return Infinity;
  return move.child.side === side ? 0 : weighed(game, move.child).filter((reply) => ends(game, reply, 1)).length;
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
