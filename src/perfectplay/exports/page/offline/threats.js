// Threats: what the other side would win, or win back, if the side to move could pass. The file has no rules: a pass is
// known only where the same board with the other side to move is inside.

import { Refusal } from "./positions.js";
import { weighed } from "./truth.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./truth.js").Weighed} Weighed */
/** @typedef {{place: Place, moves: Weighed[], atOnce: boolean, value: number, plies: number | null}} Threats */

const GAMES = 12;
const LONGEST_GAME = 60;

/**
 * Whether a move wins at once.
 * @param {Carried} game
 * @param {Weighed} move
 */
export function winsAtOnce(game, { entry, child }) {
  return entry.value === 1 && game.steps(child).length === 0;
}

/**
 * The same board with the other side to move; null if it is not inside, or finished.
 * @param {Carried} game
 * @param {Place} place
 */
function turned(game, place) {
  try {
    const squares = game.board(place);
    const other = game.placed(squares, 1 - place.side, "");
    return game.steps(other).length ? other : null;
  } catch (fault) {
    if (fault instanceof Refusal) return null;
    throw fault;
  }
}

const passing = new WeakMap();

/**
 * Whether a pass keeps the meaning of a position: in some random games, what wins at once after a pass also wins after
 * some move.
 * @param {Carried} game
 */
function mayPass(game) {
  const known = passing.get(game);
  if (known !== undefined) return known;
  let [votes, seed] = [0, 1];
  for (let number = 0; number < GAMES; number++) {
    let place = game.start;
    for (let ply = 0; ply < LONGEST_GAME; ply++) {
      const moves = weighed(game, place);
      const other = turned(game, place);
      for (const win of other ? weighed(game, other).filter((one) => winsAtOnce(game, one)) : []) votes += vote(game, place, moves, win);
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const next = moves[Math.floor((seed / 2147483648) * moves.length)];
      if (!next) break;
      place = next.child;
    }
  }
  passing.set(game, votes >= 0);
  return votes >= 0;
}

/**
 * 1 if the other side's winning move also wins after some move, -1 if not, 0 if it is never legal.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} moves
 * @param {Weighed} win
 */
function vote(game, place, moves, win) {
  const others = moves.filter((move) => move.child.side !== place.side);
  const same = others.flatMap((move) => weighed(game, move.child).filter((one) => one.move === win.move));
  return same.length === 0 ? 0 : same.some((one) => winsAtOnce(game, one)) ? 1 : -1;
}

/**
 * The position after a pass; null where a pass makes no sense, or what it leads to is not inside.
 * @param {Carried} game
 * @param {Place} place
 */
export function passed(game, place) {
  return mayPass(game) ? turned(game, place) : null;
}

/**
 * What the other side would win, or win back, if the side to move could pass.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} moves
 * @returns {Threats | null}
 */
export function threatsTo(game, place, moves) {
  const other = passed(game, place);
  if (!other || !moves.length) return null;
  const replies = weighed(game, other);
  const wins = replies.filter((one) => winsAtOnce(game, one));
  if (wins.length) return { place: other, moves: wins, atOnce: true, value: 1, plies: 1 };
  const [there, here] = [game.entry(other), game.entry(place)];
  if (-there.value >= here.value) return null;
  return { place: other, moves: replies.filter((one) => one.best), atOnce: false, value: there.value, plies: there.distance };
}

/**
 * Whether no single move answers all threats to win at once.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} moves
 * @param {Threats} threats
 */
export function isDouble(game, place, moves, threats) {
  if (!threats.atOnce || threats.moves.length < 2 || moves.some((move) => winsAtOnce(game, move))) return false;
  return moves.every((move) => move.child.side !== place.side && winningReplies(game, move).length > 0);
}

/**
 * The replies to a move that win at once.
 * @param {Carried} game
 * @param {Weighed} move
 */
function winningReplies(game, move) {
  return weighed(game, move.child).filter((one) => winsAtOnce(game, one));
}
