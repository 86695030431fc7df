// The reasons of a position and of its moves, in sentences.

import { squareName } from "../static/squares.js";
import { byPoints, inMoves, listed, numberOf, truth } from "../static/words.js";
import { shown } from "./positions.js";
import { passed, winsAtOnce } from "./threats.js";
import { named, weighed } from "./truth.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./truth.js").Weighed} Weighed */
/** @typedef {import("./threats.js").Threats} Threats */

const REFUTED = 3;
const SHOWN = 9;

/**
 * @typedef {object} Facts
 * @property {Weighed[]} moves
 * @property {Weighed[]} failing
 * @property {Threats | null} threats
 * @property {boolean} double
 * @property {Weighed[]} line
 */

/**
 * The facts in sentences, the most important first.
 * @param {Carried} game
 * @param {Place} place
 * @param {Facts} facts
 */
export function sentences(game, place, { moves, failing, threats, double, line }) {
  const { names } = game.data;
  const [mover, other] = [names[place.side] ?? "", names[1 - place.side] ?? ""];
  const known = { position: shown(game, place), ...named(game.entry(place)), verdict: "", source: /** @type {const} */ ("table"), exact: true };
  const all = moves.map((move) => ({ move: move.move, ...named(move.entry), text: "", best: move.best }));
  const found = [truth(game.data, place.side, { ...known, moves: all })];
  const wins = moves.filter((move) => winsAtOnce(game, move));
  for (const win of wins.slice(0, 1)) if (rowsOf(game, win)) found.push(`${win.move} completes ${rowsOf(game, win)}.`);
  if (threats && double) found.push(`${other} has ${numberOf(threats.moves.length, "threat")} at once, ${both(threats.moves)}: no move stops them all.`);
  else if (threats?.atOnce) found.push(`${other} threatens to win with ${listed(threats.moves.map((move) => withRow(game, move)))}.`);
  else if (threats?.value === 1 && threats.plies && threats.plies <= 5)
    found.push(`If ${mover} did nothing, ${other} would win in ${numberOf(threats.plies, "move")} with ${listed(threats.moves.map((one) => one.move))}.`);
  const turned = passed(game, place);
  if (turned && -game.entry(turned).value > game.entry(place).value)
    found.push(`${mover} would rather pass: every move makes things worse. That is zugzwang.`);
  if (line.length > 1) found.push(planText(game, place, line));
  if (!wins.length) found.push(...refutations(game, place, failing));
  return found.map(inMoves);
}

/**
 * Best play in words.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} line
 */
function planText(game, place, line) {
  const { value } = game.entry(place);
  const head = value > 0 ? "The plan" : value < 0 ? "The longest resistance" : "Best play";
  const movers = [place.side, ...line.map((step) => step.child.side)];
  const parts = line.slice(0, SHOWN).map(({ move }, i) => (movers[i] === movers[i - 1] ? move : `${game.data.names[movers[i] ?? 0]} ${move}`));
  return `${head}: ${parts.join(", ")}${line.length > SHOWN ? "; and so on" : ""}.`;
}

/**
 * Why moves fail, those with the same refutation together.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed[]} failing
 */
function refutations(game, place, failing) {
  /** @type {Map<string, Weighed[]>} */
  const alike = new Map();
  for (const move of failing) {
    const text = refutation(game, place, move);
    alike.set(text, [...(alike.get(text) ?? []), move]);
  }
  return [...alike].slice(0, REFUTED).map(([text, moves]) => {
    const many = moves.length > 1 ? text.replace("loses", "lose").replace("gives", "give") : text;
    return `${both(moves)} ${many}.`;
  });
}

/**
 * Why a move fails, after its name: loses in 4 moves: O answers b2 and wins at once.
 * @param {Carried} game
 * @param {Place} place
 * @param {Weighed} move
 */
function refutation(game, place, { entry, child }) {
  const other = game.data.names[1 - place.side];
  const soon = byPoints({ margin: entry.margin }) || (entry.distance === null ? "" : `in ${numberOf(entry.distance, "move")}`);
  const what = entry.value < 0 ? `loses ${soon}`.trim() : "gives the win away";
  const reply = child.side === place.side ? undefined : weighed(game, child)[0];
  if (!reply) return what;
  const does = winsAtOnce(game, reply) ? ` and wins at once${rowsOf(game, reply) ? ` with ${rowsOf(game, reply)}` : ""}` : entry.value === 0 ? " and holds the draw" : "";
  return `${what}: ${other} answers ${reply.move}${does}`;
}

/**
 * Why a move was good or bad, in a sentence.
 * @param {Carried} game
 * @param {Place} place
 * @param {string} name
 */
export function reason(game, place, name) {
  const moves = weighed(game, place);
  const [best, made] = [moves[0], moves.find((move) => move.move === name)];
  if (!best || !made) return "";
  const { value } = best.entry;
  if (made.entry.value < value) return `${name} ${refutation(game, place, made)}.`;
  if (winsAtOnce(game, made)) return `${withRow(game, made)} wins at once.`;
  const rest = made.best ? "" : slower(best, made);
  return value < 0 ? `Every move loses${rest || `; ${name} holds out longest`}.` : `${name} keeps the ${named(best.entry).value}${rest}.`;
}

/**
 * What a move costs that keeps the result: , but takes 7 moves: b2 wins in 5.
 * @param {Weighed} best
 * @param {Weighed} made
 */
function slower({ move, entry: first }, { move: name, entry }) {
  const [more, less] = [byPoints({ margin: first.margin }), byPoints({ margin: entry.margin })];
  if (more && less) return entry.value < 0 ? `; ${name} loses ${less}, ${move} only ${more}` : `, but wins ${less}, where ${move} wins ${more}`;
  const [soon, far] = [numberOf(first.distance ?? 0, "move"), numberOf(entry.distance ?? 0, "move")];
  if (entry.value < 0) return `; ${name} in ${far}, ${move} holds out for ${soon}`;
  return `, but takes ${far}: ${move} wins ${first.distance === 1 ? "at once" : `in ${soon}`}`;
}

/**
 * The line that a move completes, by its squares; empty if it completes none.
 * @param {Carried} game
 * @param {Weighed} move
 */
function rowsOf(game, { child }) {
  const [row = []] = game.rows(child);
  return row.length && game.data.rows.some((name) => name !== "") ? row.map((square) => squareName(game.data, square)).join("-") : "";
}

/** @param {Carried} game @param {Weighed} move */
function withRow(game, move) {
  const row = rowsOf(game, move);
  return row ? `${move.move} (completes ${row})` : move.move;
}

/** a1, b2 and c3. @param {Weighed[]} moves */
function both(moves) {
  return listed(moves.map((move) => move.move)).replace(/ or ([^ ]+|\d+ others)$/, " and $1");
}
