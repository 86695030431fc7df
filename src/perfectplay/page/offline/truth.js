// The values of moves, best first, and a verdict in a sentence.

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Entry} Entry */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./carried.js").Step} Step */
/** @typedef {import("../static/types.js").Value} Value */
/** @typedef {Step & {entry: Entry, best: boolean}} Weighed a move and its value to the player who makes it */

const NAMED = 4;
/** @type {Record<number, Value>} */
const NAMES = { [-1]: "loss", 0: "draw", 1: "win" };

/**
 * How good an entry is: quick wins, late losses; of draws the shorter stands first.
 * @param {Entry} entry
 */
function preference({ value, distance }) {
  const far = distance ?? 1e6;
  return value * 1e7 + (value === -1 ? far : -far);
}

/**
 * The moves of a position, the best first.
 * @param {Carried} game
 * @param {Place} place
 * @returns {Weighed[]}
 */
export function weighed(game, place) {
  const moves = game.steps(place).map((step) => {
    const { value, distance } = game.entry(step.child);
    return { ...step, entry: { value: -value || 0, distance: distance === null ? null : distance + 1 }, best: false };
  });
  moves.sort((a, b) => preference(b.entry) - preference(a.entry));
  const top = moves[0]?.entry;
  for (const move of moves)
    move.best = move.entry.value === top?.value && (top.value === 0 || move.entry.distance === top.distance);
  return moves;
}

/**
 * The value and the distance as the page shows them.
 * @param {Entry} entry
 */
export function named({ value, distance }) {
  return { value: NAMES[value] ?? null, distance };
}

/**
 * An entry in words: win in 13 plies, endless draw.
 * @param {Entry} entry
 */
export function entryText({ value, distance }) {
  return distance === null ? `endless ${NAMES[value]}` : `${NAMES[value]} in ${plies(distance)}`;
}

/** @param {number | null} count */
function plies(count) {
  return `${count} ${count === 1 ? "ply" : "plies"}`;
}

/**
 * Who wins, how soon and by what.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} moves
 */
export function verdict(game, place, moves) {
  const { value, distance } = game.entry(place);
  const [mover, other] = [game.data.sides[place.side], game.data.sides[1 - place.side]];
  if (!moves.length) return value === 0 ? "The game is drawn." : `${value === 1 ? mover : other} has won.`;
  const condition = byWhich(game, place, moves, mover ?? "");
  if (value === 1) return `${mover} wins in ${plies(distance)}${condition}.`;
  if (value === -1) return `${other} wins in ${plies(distance)} at the latest, whatever ${mover} plays.`;
  if (distance === null) return `Drawn: best play never ends${condition}.`;
  return `Drawn with best play${condition}.`;
}

/**
 * The condition under which the value is kept.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} moves
 * @param {string} mover
 */
function byWhich(game, place, moves, mover) {
  const byOrder = [...moves].sort((a, b) => a.order - b.order);
  const [best, worse] = [byOrder.filter((move) => move.best), byOrder.filter((move) => !move.best)];
  if (!worse.length) return moves.length === 1 ? "" : `, whatever ${mover} plays`;
  const opening = place.number === 0;
  const where = opening || best.length > NAMED ? kinds(game, byOrder) : "";
  if (where) return `, if ${mover} ${opening ? "opens" : "plays"} ${where}`;
  if (best.length <= NAMED) return `, if ${mover} plays ${listed(best.map((one) => one.move))}`;
  if (worse.length > NAMED) return `, if ${mover} plays one of ${best.length} moves`;
  return `, if ${mover} plays anything but ${listed(worse.map((one) => one.move))}`;
}

/**
 * Where the best moves lie, if they are all that lie there.
 * @param {Carried} game
 * @param {Weighed[]} moves
 */
function kinds(game, moves) {
  const [width, height] = game.data.shape;
  /** @param {number} at @param {number} size */
  const middle = (at, size) => 2 * at >= size - 2 && 2 * at <= size;
  /** @param {number} at @param {number} size */
  const outer = (at, size) => at === 0 || at === size - 1;
  /** @param {Weighed} move */
  const kind = ({ order }) => {
    const [x, y] = [order % width, Math.floor(order / width)];
    if (middle(x, width) && middle(y, height)) return "in the centre";
    if (outer(x, width) && outer(y, height)) return "in a corner";
    return outer(x, width) || outer(y, height) ? "on an edge" : "";
  };
  if (!game.about.numbered) return "";
  const there = ["in the centre", "in a corner", "on an edge"].filter((one) =>
    moves.some((move) => kind(move) === one),
  );
  const pairs = there.flatMap((one, i) => there.slice(i + 1).map((other) => [one, other]));
  const found = [...there.map((one) => [one]), ...pairs].find((some) =>
    moves.every((move) => some.includes(kind(move)) === move.best),
  );
  return found ? listed(found) : "";
}

/**
 * a1, b2 or c3.
 * @param {string[]} words
 */
function listed(words) {
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`;
}
