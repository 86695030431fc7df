// Wordings.

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").Value} Value */

/** @type {Record<Value, number>} */
export const WORTH = { win: 1, draw: 0, loss: -1 };

/**
 * A probability in per cent; only 0 and 1 look like 0 % and 100 %.
 * @param {number} share
 */
export function percent(share) {
  if (share > 1e-9 && share < 0.0005) return "<0.1%";
  if (1 - share > 1e-9 && 1 - share < 0.0005) return ">99.9%";
  return `${(100 * share).toFixed(1)}%`;
}

/**
 * The most plies to the end, if that is known.
 * @param {{value: Value | null, distance: number | null, at_least?: import("./types.js").Bound, at_most?: import("./types.js").Bound}} known
 */
export function latest(known) {
  if (known.distance !== null || known.value === "draw" || !known.at_least) return known.distance;
  const ends = [known.at_least.distance, known.at_most?.distance ?? null];
  return ends.every((end) => end !== null) ? Math.max(...ends.map(Number)) : null;
}

/**
 * a1, b2 or c3.
 * @param {string[]} moves
 */
export function listed(moves) {
  const some = moves.length > 4 ? [...moves.slice(0, 3), `${moves.length - 3} others`] : moves;
  return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} or ${some[some.length - 1]}`;
}

/**
 * a1, b2 and c3.
 * @param {string[]} moves
 */
function both(moves) {
  return listed(moves).replace(/ or ([^ ]+|\d+ others)$/, " and $1");
}

/**
 * How a position stands and by which moves, in a sentence.
 * @param {GameData} data
 * @param {number} side the side to move
 * @param {Analysis} known
 */
export function truth(data, side, known) {
  const { value, distance, moves, exact } = known;
  const [mover, other] = [data.names[side] ?? "", data.names[1 - side] ?? ""];
  if (!exact || value === null) return inMoves(known.verdict);
  if (moves.length === 0) return value === "draw" ? "The game is drawn." : `${value === "win" ? mover : other} has won.`;
  const best = moves.filter((one) => one.best).map((one) => one.move);
  const alike = moves.filter((one) => one.value === value && !one.best).map((one) => one.move);
  const rest = moves.length - best.length - alike.length;
  if (value === "loss") return `${other} wins in ${distance} at the latest.`;
  if (value === "win") {
    const soon = `${mover} wins in ${distance}`;
    if (best.length === moves.length) return moves.length === 1 ? `${soon}.` : `${soon} with any move.`;
    if (alike.length) return `${soon} with ${listed(best)}; ${both(alike)} also ${alike.length === 1 ? "wins" : "win"}.`;
    return `${soon} with ${listed(best)}. Everything else gives it away.`;
  }
  const kept = [...best, ...alike];
  const drawn = distance === null ? "Drawn: best play never ends" : "Drawn with best play";
  if (rest === 0) return kept.length === 1 ? `${drawn}.` : `${drawn}, whatever ${mover} plays.`;
  if (kept.length === 1) return `${drawn}. Only ${kept[0]} holds it.`;
  return kept.length <= 4 ? `${drawn}. ${both(kept)} hold it.` : `${drawn}. ${rest} of ${moves.length} moves lose.`;
}

/**
 * Who is to move or has won.
 * @param {GameData} data
 * @param {Here} here
 * @param {number} side
 */
export function standing(data, here, side) {
  if (!here.over) return `${data.names[side]} to move`;
  return here.winner === null ? "Drawn" : `${data.names[here.winner]} wins`;
}

/**
 * Why a game is shown only in part.
 * @param {string} move
 * @param {number} number the move's
 */
export function notPlayed(move, number) {
  const upTo = number === 1 ? "This is the start." : `The game is shown up to move ${number - 1}.`;
  return `Move ${number} of the link, ${move}, cannot be played. ${upTo}`;
}

/**
 * Plies as people count: moves of both sides.
 * @param {string} text
 */
export function inMoves(text) {
  return text.replace(/\b1 ply\b/, "1 move").replace(/\bplies\b/g, "moves");
}

/**
 * A name as a title: Connect-four; a file's stays.
 * @param {string} name
 */
export function title(name) {
  return name.includes(".py") ? name : name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * A player in words.
 * @param {GameData} data
 * @param {string} name
 */
export function playerTitle(data, name) {
  if (name === "human") return "human";
  const level = /^level:(\d+)$/.exec(name);
  if (level) return `level ${level[1]}`;
  return data.players.find((player) => player.name === name)?.label ?? name;
}

/**
 * A mistake in words, or null.
 * @typedef {{kind: "lost" | "missed" | "slower", text: string}} Mistake
 * @param {GameData} data
 * @param {Analysis | undefined} before the analysis before the move
 * @param {number} side who made it
 * @param {string} move
 * @returns {Mistake | null}
 */
export function mistake(data, before, side, move) {
  const made = before?.moves.find((one) => one.move === move);
  if (!before || !made || before.value === null || made.value === null) return null;
  const who = data.names[side];
  if (WORTH[made.value] < WORTH[before.value]) {
    const kept = before.moves.filter((one) => one.value === before.value).map((one) => one.move);
    const what = made.value === "loss" ? "Losing move" : `${who} threw away the win`;
    return {
      kind: made.value === "loss" ? "lost" : "missed",
      text: `${what}. ${listed(kept)} would have kept the ${before.value}.`,
    };
  }
  if (made.value === "draw" || made.best || made.distance === before.distance) return null;
  const best = before.moves.filter((one) => one.best).map((one) => one.move);
  const what = made.value === "win" ? "wins sooner" : "holds out longer";
  return best.length ? { kind: "slower", text: `${listed(best)} ${what}.` } : null;
}
