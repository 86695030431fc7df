// Requests answered from the solution in this file, as the server answers them.

import { byId } from "../static/dom.js";
import { readBoard, writeBoard } from "../static/squares.js";
import { Carried, inflated } from "./carried.js";
import { choices } from "./players.js";
import { entryText, named, weighed } from "./truth.js";

/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("../static/types.js").GameData} GameData */
/** @typedef {import("../static/types.js").Square} Square */
/** @typedef {Record<string, string>} Values */

/** The start of a position's address: a file takes no query, but a fragment. */
export const MARK = "#";
const MOST_PLIES = 1000;
const LONGEST_LINE = 200;
const ENDLESS_LINE = 12;
const SHOWN = 20;

/** An error message. */
export class Refusal extends Error {}

/** @type {GameData} */
const data = JSON.parse(byId("first").textContent ?? "").game;
/** @type {Carried | null} */
let game = null;
const ready = opened();

/** The solution in this file. */
async function opened() {
  try {
    return (game = new Carried(data, await inflated(byId("graph").textContent ?? "")));
  } catch (fault) {
    const why = "is the file whole, and the browser not older than 2023?";
    throw new Refusal(`the solution in this file cannot be read: ${why} (${fault})`);
  }
}

/**
 * The answer to a request.
 * @param {string} task
 * @param {Values} values
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(task, values, signal) {
  const found = await ready;
  signal?.throwIfAborted();
  return answer(found, task, values);
}

/**
 * The address of an answer, to be kept as a file.
 * @param {string} task
 * @param {Values} values
 */
export function link(task, values) {
  /** @type {unknown} */
  let found = {};
  try {
    if (game) found = answer(game, task, values);
  } catch (fault) {
    found = { error: /** @type {Error} */ (fault).message };
  }
  return `data:application/json,${encodeURIComponent(JSON.stringify(found))}`;
}

/** Nothing is left to solve. @returns {Promise<void>} */
export async function solve() {
  throw new Refusal("this game is solved");
}

/** @type {Record<string, (game: Carried, values: Values) => unknown>} */
const TASKS = { game: () => data, line, analysis, "best-line": bestLine, reply };

/**
 * @param {Carried} game
 * @param {string} task
 * @param {Values} values
 */
function answer(game, task, values) {
  if (values.game !== data.game) throw new Refusal(`this page knows ${data.game} only, not '${values.game}'`);
  return TASKS[task]?.(game, values);
}

/**
 * The position in a request, the start if there is none.
 * @param {Carried} game
 * @param {Values} values
 * @returns {Place}
 */
function given(game, values) {
  const text = values.position ?? "";
  if (text === "") return game.start;
  const [squares, side] = parsed(text);
  const found = game.find(squares, side);
  const other = found ?? game.find(squares, 1 - side);
  const plies = game.plies?.[other?.number ?? 0] ?? 0;
  if (other && game.about.counted && plies % 2 !== side) {
    const turn = `after ${plies} ${plies === 1 ? "ply" : "plies"} it is ${data.sides[1 - side]}'s turn`;
    throw new Refusal(`${writeBoard(data, squares, side)} cannot be: ${turn}`);
  }
  if (!found) throw new Refusal(`${text} cannot be reached by legal play from the start`);
  return found;
}

/**
 * The pieces on the squares and the side to move in a text.
 * @param {string} text
 * @returns {[Square[], number]}
 */
function parsed(text) {
  const [letter = "", ...rest] = text.replace(/\s/g, "").toLowerCase().split(":");
  const board = text.replace(/\s/g, "").slice(letter.length + 1);
  const sides = [0, 1].filter((side) => rest.length && letter && data.sides[side]?.toLowerCase().startsWith(letter));
  const [side, more] = sides;
  if (side === undefined || more !== undefined) {
    const letters = data.sides.map((name) => `${name[0]}:`).join(" or ");
    throw new Refusal(`position '${text}' does not say who is to move; begin it with ${letters}`);
  }
  const squares = readBoard(data, `${data.sides[side]}:${board}`);
  const [width, height] = data.shape;
  if (squares.length !== width * height || writeBoard(data, squares, side) !== `${data.sides[side]?.[0]}:${board}`) {
    const pieces = [...data.pieces.flat(), "."].join(" ");
    throw new Refusal(`position '${text}' is not ${height} rows of ${width} of ${pieces}, such as ${data.start}`);
  }
  return [squares, side];
}

/**
 * The position as text.
 * @param {Carried} game
 * @param {Place} place
 */
function shown(game, place) {
  return writeBoard(data, game.board(place), place.side);
}

/**
 * The move of that name, or where moves are squares, of that number.
 * @param {Carried} game
 * @param {Place} place
 * @param {string} name
 */
function moveNamed(game, place, name) {
  const steps = game.steps(place);
  if (!steps.length) throw new Refusal(`'${name}' cannot be played: the game is over in ${shown(game, place)}`);
  const wanted = name.trim().toLowerCase();
  const number = game.about.numbered && /^\d{1,4}$/.test(wanted) ? Number(wanted) - 1 : -1;
  const found = steps.find((step) => step.move.toLowerCase() === wanted) ?? steps.find((step) => step.order === number);
  if (found) return found;
  const legal = steps.map((step) => step.move);
  const names = legal.slice(0, SHOWN).join(" ") + (legal.length > SHOWN ? " ..." : "");
  throw new Refusal(`'${name.trim()}' is not a legal move; legal are ${names}, in ${shown(game, place)}`);
}

/**
 * The positions of a game, move by move, and what can be played in the last.
 * @param {Carried} game
 * @param {Values} values
 */
function line(game, values) {
  const names = (values.moves ?? "").split(",").filter((name) => name !== "");
  if (names.length > MOST_PLIES)
    throw new Refusal(`${names.length} moves are too many; up to ${MOST_PLIES} are replayed`);
  for (const name of [values.first, values.second]) if (name && name !== "human") chosen(game, game.start, name);
  let place = given(game, values);
  /** @type {import("../static/types.js").Ply[]} */
  const plies = [{ position: shown(game, place), side: place.side }];
  /** @type {{refused?: {move: string, number: number}}} */
  let refused = {};
  for (const name of names) {
    if (values.partial && !isMove(game, place, name)) {
      refused = { refused: { move: name, number: plies.length } };
      break;
    }
    const { move, child } = moveNamed(game, place, name);
    const { to, from } = changed(game, place, child);
    plies.push({ position: shown(game, child), side: child.side, move, to, from });
    place = child;
  }
  return { game: data.game, plies, here: here(game, place), ...refused };
}

/**
 * Whether a move can be played.
 * @param {Carried} game
 * @param {Place} place
 * @param {string} name
 */
function isMove(game, place, name) {
  try {
    return Boolean(moveNamed(game, place, name));
  } catch {
    return false;
  }
}

/**
 * What a move does: the squares to click, those that its mover leaves, and which of these vanish.
 * @param {Carried} game
 * @param {Place} place
 * @param {Place} child
 */
function changed(game, place, child) {
  const [before, after] = [game.board(place), game.board(child)];
  const all = [...before.keys()];
  /** @param {Square[]} board @param {number} square */
  const mine = (board, square) => board[square]?.owner === place.side;
  const arrived = all.filter((square) => mine(after, square) && !mine(before, square));
  const from = all.filter((square) => mine(before, square) && !mine(after, square));
  const empty = arrived.filter((square) => before[square] === null);
  const to = empty.length ? empty : arrived;
  if (!to.length) to.push(...all.filter((square) => differ(before[square], after[square])));
  const kinds = new Set(arrived.map((square) => after[square]?.name));
  return { to, from, faded: from.filter((square) => !kinds.has(before[square]?.name)) };
}

/**
 * @param {Square | undefined} one
 * @param {Square | undefined} other
 */
function differ(one, other) {
  return one?.owner !== other?.owner || one?.name !== other?.name;
}

/**
 * The legal moves of a position, and its end.
 * @param {Carried} game
 * @param {Place} place
 * @returns {import("../static/types.js").Here}
 */
function here(game, place) {
  const moves = game.steps(place).map(({ move, child }) => ({ move, ...changed(game, place, child) }));
  const { value } = game.entry(place);
  const over = moves.length === 0;
  const [first, ...others] = moves;
  return {
    over,
    winner: !over || value === 0 ? null : value === 1 ? place.side : 1 - place.side,
    rows: game.rows(place),
    going: others.length ? (first?.faded.filter((at) => others.every((one) => one.faded.includes(at))) ?? []) : [],
    moves: moves.map(({ move, to, from }) => ({ move, to, from })),
  };
}

/**
 * The value of a position and of each move.
 * @param {Carried} game
 * @param {Values} values
 */
function analysis(game, values) {
  const place = given(game, values);
  const moves = weighed(game, place);
  return {
    game: data.game,
    position: shown(game, place),
    ...named(game.entry(place)),
    verdict: "",
    exact: true,
    moves: moves.map(({ move, entry, best }) => ({ move, ...named(entry), text: entryText(entry), best })),
    source: "table",
  };
}

/**
 * A line of best play: to the end, or some plies of an endless one.
 * @param {Carried} game
 * @param {Values} values
 */
function bestLine(game, values) {
  let place = given(game, values);
  const most = game.entry(place).distance === null ? ENDLESS_LINE : LONGEST_LINE;
  const moves = [];
  for (let best = weighed(game, place)[0]; best && moves.length < most; best = weighed(game, place)[0]) {
    moves.push(best.move);
    place = best.child;
  }
  return { game: data.game, moves, ends: game.steps(place).length === 0 };
}

/**
 * The move of a player.
 * @param {Carried} game
 * @param {Values} values
 */
function reply(game, values) {
  const place = given(game, values);
  const found = chosen(game, place, values.player ?? "");
  const move = found[Math.floor(Math.random() * found.length)]?.move;
  if (move === undefined) throw new Refusal(`${values.position} is the end of the game; nobody is to move`);
  return { game: data.game, move, note: "" };
}

/**
 * The moves that a player chooses among.
 * @param {Carried} game
 * @param {Place} place
 * @param {string} name
 */
function chosen(game, place, name) {
  const found = choices(game, place, name);
  const there = data.players.map((player) => player.name).join(", ");
  if (!found) throw new Refusal(`no player here is called '${name}'; there are ${there}`);
  return found;
}
