// Wordings.

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").Bound} Bound */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").Value} Value */
/** @typedef {import("./types.js").Worth} Worth */

/** @type {Record<Value, number>} */
export const WORTH = { win: 1, draw: 0, loss: -1 };
const NAMED = 4;

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
 * An accuracy as a whole number; only 100 looks like 100 %.
 * @param {number} found in per cent
 */
export function accuracy(found) {
  return `${found < 100 ? Math.min(99, Math.round(found)) : 100}%`;
}

/**
 * The most plies to the end, if that is known.
 * @param {{value: Value | null, distance: number | null, at_least?: Bound, at_most?: Bound}} known
 */
export function latest(known) {
  if (known.distance !== null || known.value === "draw" || !known.at_least) return known.distance;
  const ends = [known.at_least.distance, known.at_most?.distance ?? null];
  return ends.every((end) => end !== null) ? Math.max(...ends.map(Number)) : null;
}

/**
 * A margin in words: by 4, by 2 to 6, by at least 2; empty without points, and for a draw.
 * @param {{value?: Value | null, margin?: number | null, at_least?: Bound, at_most?: Bound}} known
 */
export function byPoints({ value, margin, at_least: low, at_most: high }) {
  if (margin) return `by ${Math.abs(margin)}`;
  if (margin !== null || !low || !high || (value !== "win" && value !== "loss")) return "";
  const [least, most] = value === "win" ? [low.margin, high.margin] : [high.margin, low.margin];
  const many = typeof most === "number" ? `${Math.abs(least ?? 1)} to ${Math.abs(most)}` : `at least ${Math.abs(least ?? 1)}`;
  return `by ${many}`;
}

/**
 * A margin as a number with its sign: +4.
 * @param {number} margin
 */
export function signed(margin) {
  return margin > 0 ? `+${margin}` : margin < 0 ? `−${-margin}` : "0";
}

/**
 * Whether best play never ends.
 * @param {{value: Value | null, distance: number | null, margin?: number | null, at_least?: Bound}} known
 */
export function isEndless({ value, distance, margin, at_least }) {
  return value === "draw" && distance === null && margin === undefined && !at_least;
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
 * 2 before 10, a1 before b1.
 * @param {string} a
 * @param {string} b
 */
function byName(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}

/**
 * How a position stands and by which moves, in a sentence.
 * @param {GameData} data
 * @param {number} side the side to move
 * @param {Analysis} known
 */
export function truth(data, side, known) {
  const { value, moves } = known;
  const [mover, other] = [data.names[side] ?? "", data.names[1 - side] ?? ""];
  if (value === null) return bounded(mover, known);
  if (moves.length === 0) return ended(value === "draw" ? undefined : value === "win" ? mover : other, known);
  const best = moves.filter((one) => one.best).map((one) => one.move);
  const alike = moves.filter((one) => one.value === value && !one.best).map((one) => one.move);
  alike.sort(byName);
  const open = moves.some((one) => one.value === null);
  if (value === "loss") return `${other} wins ${lost(known, mover, best)}.`;
  if (value === "win") {
    const soon = `${mover} wins ${byPoints(known) || within(known)}`;
    if (best.length === 0) return `${soon}.`;
    if (best.length === moves.length) return moves.length === 1 ? `${soon}.` : `${soon} with any move.`;
    if (alike.length) return `${soon} with ${listed(best)}; ${both(alike)} also ${alike.length === 1 ? "wins" : "win"}.`;
    return `${soon} with ${listed(best)}.${open ? "" : " No other move wins."}`;
  }
  const kept = [...best, ...alike];
  const rest = moves.length - kept.length;
  const drawn = isEndless(known) ? "Drawn: best play never ends" : "Drawn with best play";
  if (rest === 0) return kept.length === 1 ? `${drawn}.` : `${drawn}. Every move draws.`;
  if (kept.length === 0) return `${drawn}.`;
  if (kept.length === 1) return `${drawn}. ${open ? "" : "Only "}${kept[0]} keeps the draw.`;
  if (kept.length <= NAMED || open) return `${drawn}. ${both(kept)} keep the draw.`;
  return `${drawn}. ${rest} of ${moves.length} moves ${rest === 1 ? "loses" : "lose"}.`;
}

/**
 * How soon a game is won.
 * @param {Analysis} known
 */
function within(known) {
  return known.distance === null ? `in at most ${latest(known)}` : `in ${known.distance}`;
}

/**
 * How a game is lost: how soon, or by how many points and with which moves.
 * @param {Analysis} known
 * @param {string} mover
 * @param {string[]} best
 */
function lost(known, mover, best) {
  const points = byPoints(known);
  if (!points) return `${within(known)}${known.distance === null ? "" : " at the latest"}`;
  if (best.length === 0 || known.moves.length === 1) return points;
  if (best.length === known.moves.length) return `${points}, whatever ${mover} plays`;
  return `${points} if ${mover} plays ${listed(best)}; other moves lose by more`;
}

/**
 * What is known of a position whose value is not.
 * @param {string} mover
 * @param {Analysis} known
 */
function bounded(mover, known) {
  const only = forced(known);
  const must = only.length ? `${mover} must play ${listed(only)}: all other moves lose.` : "";
  if (known.at_least?.value === "draw") return `At least a draw for ${mover}. ${must}`.trim();
  if (known.at_most?.value === "draw") return `At most a draw for ${mover}. ${must}`.trim();
  if (known.margin === null) return must || "Nothing proven yet.";
  const [far, near] = [known.at_most?.distance ?? 1, known.at_least?.distance ?? 1];
  return must || `Nothing proven yet: ${mover} has no win within ${far - 1} moves and no loss within ${near - 1}.`;
}

/**
 * The only moves that are not proven to lose, where all others are; none if they are many, or the value is known.
 * @param {Analysis} known
 */
function forced(known) {
  const kept = known.moves.filter((one) => one.value !== "loss").map((one) => one.move);
  const few = known.value === null && kept.length <= NAMED && kept.length < known.moves.length;
  return few ? kept : [];
}

/**
 * The moves, those marked that are not proven to lose where all others are.
 * @param {Analysis} known
 * @returns {Worth[]}
 */
export function marked(known) {
  const only = forced(known);
  return known.moves.map((one) => (only.includes(one.move) ? { ...one, only: true } : one));
}

/**
 * Whether a move is best: against a model of the opponent, the street-smart choice.
 * @param {Worth} worth
 */
export function isBest(worth) {
  return worth.chance ? worth.streetwise === true : worth.best;
}

/**
 * What is known of a move, in words: win in 7 moves, at least a draw, not known yet.
 * @param {Worth} worth
 */
export function worthText(worth) {
  const { value, at_least: low, at_most: high } = worth;
  if (worth.only) return "may hold";
  if (!low || !high) return inMoves(worth.text);
  if (value === "draw") return "draw";
  if (value !== null) return worth.margin === undefined ? `${value} in at most ${numberOf(latest(worth) ?? 0, "move")}` : worth.text;
  if (low.value === "draw") return "at least a draw";
  return high.value === "draw" ? "at most a draw" : "not known yet";
}

/** More moves than this with the same value are not shown one by one. */
export const ALIKE = 63;

/**
 * How many moves have the same value, by its words.
 * @param {Worth[]} moves
 */
export function alikes(moves) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const worth of moves) counts.set(worthText(worth), (counts.get(worthText(worth)) ?? 0) + 1);
  return counts;
}

/**
 * Where an analysis comes from, and how far it can be trusted.
 * @param {Analysis} known
 */
export function origin(known) {
  if (known.source === "table") return "Solved: every value is exact.";
  if (known.source === "book") return `Opening book: exact to move ${known.book}.`;
  const beyond = known.book ? `Beyond the opening book, which ends at move ${known.book}. ` : "";
  return beyond + (known.exact ? "Searched to the end: every value is exact." : "From a time-limited search.");
}

/**
 * Who is to move or has won.
 * @param {GameData} data
 * @param {Here} here
 * @param {number} side
 * @param {boolean} [again] whether the side to move has also made the last move
 */
export function standing(data, here, side, again = false) {
  if (!here.over) return again ? `${data.names[side]} moves again` : `${data.names[side]} to move`;
  return here.winner === null ? "Drawn" : `${data.names[here.winner]} wins ${byPoints(here)}`.trim();
}

/**
 * How a game has ended.
 * @param {string | undefined} winner the side that has won, if one has
 * @param {{margin?: number | null}} known
 */
export function ended(winner, known) {
  return winner === undefined ? "The game is drawn." : `${winner} has won${byPoints(known) && ` ${byPoints(known)}`}.`;
}

/**
 * The moves of one side in a row, as a sentence has them: a1, b1, then c2.
 * @param {string[]} moves
 */
export function inTurn(moves) {
  const last = moves[moves.length - 1] ?? "";
  return moves.length < 2 ? last : `${moves.slice(0, -1).join(", ")}, then ${last}`;
}

/**
 * The moves of a game by turns: each the numbers of plies that one side made in a row.
 * @param {import("./types.js").Ply[]} plies
 * @returns {number[][]}
 */
export function turnsOf(plies) {
  /** @type {number[][]} */
  const turns = [];
  for (let i = 1; i < plies.length; i++) {
    if (i > 1 && plies[i - 1]?.side === plies[i - 2]?.side) turns[turns.length - 1]?.push(i);
    else turns.push([i]);
  }
  return turns;
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
 * 1 move, 3 moves.
 * @param {number} count
 * @param {string} one
 */
export function numberOf(count, one) {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
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
  const open = before.margin === null || made.margin === null;
  const who = data.names[side];
  if (WORTH[made.value] < WORTH[before.value]) {
    const kept = before.moves.filter((one) => one.value === before.value).map((one) => one.move);
    kept.sort(byName);
    const what = made.value === "loss" ? "Losing move" : `${who} threw away the win`;
    return {
      kind: made.value === "loss" ? "lost" : "missed",
      text: `${what}. ${listed(kept)} would have kept the ${before.value}.`,
    };
  }
  const alike = made.distance === before.distance && made.margin === before.margin;
  if (made.value === "draw" || made.best || alike || open) return null;
  const best = before.moves.filter((one) => one.best).map((one) => one.move);
  const sooner = made.value === "win" ? "wins sooner" : "holds out longer";
  const more = made.value === "win" ? "wins by more" : "loses by less";
  const what = made.margin === undefined ? sooner : more;
  return best.length ? { kind: "slower", text: `${listed(best)} ${what}.` } : null;
}
