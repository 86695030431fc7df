// How likely imperfect players go wrong, and how deep one must look to see it.

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./truth.js").Weighed} Weighed */

const FAR = 1e6;
const OBVIOUS = 2;

/**
 * What a player who sees so many plies ahead thinks of a move.
 * @param {Weighed} move
 * @param {number} plies
 */
function seen({ entry: { value, distance, margin } }, plies) {
  if (margin !== undefined) return plies >= FAR ? margin : 0;
  return distance !== null && distance <= plies ? value * (2 * FAR - distance) : 0;
}

/**
 * The moves that look best to such a player.
 * @param {Weighed[]} moves
 * @param {number} plies
 */
function looksBest(moves, plies) {
  const most = Math.max(...moves.map((move) => seen(move, plies)));
  return moves.filter((move) => seen(move, plies) === most);
}

/**
 * The depth from which on one sees that a move is bad which looks fine to a player of two plies; null if it does not.
 * @param {Weighed[]} moves
 * @param {Weighed} move
 */
export function trapDepth(moves, move) {
  const points = moves.some(({ entry }) => entry.margin !== undefined);
  const found = [...new Set(moves.flatMap(({ entry }) => (entry.distance === null ? [] : [entry.distance])))].sort((a, b) => a - b);
  const depths = [0, ...(points ? [FAR] : found), FAR];
  for (let i = depths.length - 2; i >= 0; i--)
    if (looksBest(moves, depths[i] ?? 0).includes(move)) return (depths[i + 1] ?? 0) > OBVIOUS ? (depths[i + 1] ?? null) : null;
  return null;
}

/**
 * The probability that a level goes wrong, the mean over all.
 * @param {Carried} game
 * @param {Weighed[]} moves
 * @param {Weighed[]} failing
 */
export function difficulty(game, moves, failing) {
  const wrong = game.about.usual.map(([noise, sight]) => {
    const liked = looksBest(moves, sight);
    return noise * (failing.length / moves.length) + (1 - noise) * (liked.filter((move) => failing.includes(move)).length / liked.length);
  });
  return wrong.reduce((sum, one) => sum + one, 0) / Math.max(1, wrong.length);
}
