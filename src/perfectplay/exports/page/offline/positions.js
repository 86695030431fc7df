// Positions as text and moves as clicks: what the page asks of a game apart from its values.

import { pieceName, readBoard, writeBoard } from "../static/squares.js";

/** @typedef {import("../static/types.js").GameData} GameData */
/** @typedef {import("../static/types.js").Square} Square */
/** @typedef {Record<string, string>} Values */
/** @typedef {{side: number}} Side */

/** @typedef {{to: number[], from: number[], faded: number[]}} Change what a move does: squares to click, those its mover leaves, which of these vanish */

/**
 * A game as the page shows it; a place is a position with the side to move.
 * @template {Side} P
 * @typedef {object} Shown
 * @property {GameData} data
 * @property {P} start
 * @property {boolean} numbered whether moves are squares
 * @property {(place: P) => Square[]} board the piece on each square, in reading order
 * @property {(squares: Square[], side: number, text: string) => P} placed the position with these pieces, or a refusal
 * @property {(place: P) => {order: number, move: string, child: P}[]} steps the legal moves by number
 * @property {(place: P) => number[][]} rows the lines that have won
 * @property {(place: P) => {winner: number | null, margin?: number}} end the side that has won, in games for points by how many
 */

const MOST_PLIES = 1000;
const SHOWN = 20;

/** An error message. */
export class Refusal extends Error {}

/**
 * The position in a request, the start if there is none.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {Values} values
 * @returns {P}
 */
export function given(game, values) {
  const text = values.position ?? "";
  if (text === "") return game.start;
  const [squares, side] = parsed(game.data, text);
  return game.placed(squares, side, text);
}

/**
 * The pieces on the squares and the side to move in a text.
 * @param {GameData} data
 * @param {string} text
 * @returns {[Square[], number]}
 */
function parsed(data, text) {
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
  if (writeBoard(data, squares, side) !== `${data.sides[side]?.[0]}:${board}`) {
    const pieces = [...data.pieces.flat(), "."].join(" ");
    throw new Refusal(`position '${text}' is not ${height} rows of ${width} of ${pieces}, such as ${data.start}`);
  }
  return [squares, side];
}

/**
 * The position as text.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
 */
export function shown(game, place) {
  return writeBoard(game.data, game.board(place), place.side);
}

/**
 * The move of that name, or where moves are squares, of that number.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
 * @param {string} name
 */
function moveNamed(game, place, name) {
  const steps = game.steps(place);
  if (!steps.length) throw new Refusal(`'${name}' cannot be played: the game is over in ${shown(game, place)}`);
  const wanted = name.trim().toLowerCase();
  const number = game.numbered && /^\d{1,4}$/.test(wanted) ? Number(wanted) - 1 : -1;
  const found = steps.find((step) => step.move.toLowerCase() === wanted) ?? steps.find((step) => step.order === number);
  if (found) return found;
  const legal = steps.map((step) => step.move);
  const names = legal.slice(0, SHOWN).join(" ") + (legal.length > SHOWN ? " ..." : "");
  throw new Refusal(`'${name.trim()}' is not a legal move; legal are ${names}, in ${shown(game, place)}`);
}

/**
 * The positions of a game, move by move, and what can be played in the last.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {Values} values
 * @param {(name: string) => void} seated refuses a player that is not here
 */
export function line(game, values, seated) {
  const names = (values.moves ?? "").split(",").filter((name) => name !== "");
  if (names.length > MOST_PLIES)
    throw new Refusal(`${names.length} moves are too many; up to ${MOST_PLIES} are replayed`);
  for (const name of [values.first, values.second]) if (name && name !== "human") seated(name);
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
  return { game: game.data.game, plies, here: here(game, place), ...refused };
}

/**
 * Whether a move can be played.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
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
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
 * @param {P} child
 * @returns {Change}
 */
function changed(game, place, child) {
  const [before, after] = [game.board(place), game.board(child)];
  const { data } = game;
  const all = [...before.keys()].filter((square) => square < data.shape[0] * data.shape[1]);
  if (data.nobodys.length || data.art.board === "pits") return changedByLooks(data, place.side, before, after, all);
  /** @param {Square[]} board @param {number} square */
  const mine = (board, square) => board[square]?.owner === place.side;
  const arrived = all.filter((square) => mine(after, square) && !mine(before, square));
  const from = all.filter((square) => mine(before, square) && !mine(after, square));
  const empty = arrived.filter((square) => before[square] === null);
  const to = empty.length ? empty : arrived;
  if (!to.length) to.push(...all.filter((square) => differ(before[square], after[square])));
  return { to, from, faded: faded(before, after, from, arrived) };
}

/**
 * A move as it is drawn: where it goes and comes from, where pieces move, and the lines that it completes.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
 * @param {{move: string, child: P}} step
 * @param {boolean} moving
 * @returns {import("../static/types.js").Drawn}
 */
export function drawnMove(game, place, { move, child }, moving) {
  const { to, from } = changed(game, place, child);
  const rows = child.side === place.side ? [] : game.rows(child);
  return { move, side: place.side, to, from: moving ? from : [], rows };
}

/**
 * The moves of a line as they are drawn.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
 * @param {{move: string, child: P}[]} line
 * @param {boolean} moving
 */
export function drawnLine(game, place, line, moving) {
  return line.map((step, i) => drawnMove(game, line[i - 1]?.child ?? place, step, moving));
}

/**
 * Whether pieces go from square to square, at the start or here; where all moves leave the same, pieces vanish.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
 */
export function movesPieces(game, place) {
  return [game.start, place].some((at) => {
    const left = game.steps(at).map(({ child }) => changed(game, at, child).from.join());
    return new Set(left).size > 1;
  });
}

/**
 * Which of the squares that were left had pieces of kinds that do not arrive elsewhere.
 * @param {Square[]} before
 * @param {Square[]} after
 * @param {number[]} from
 * @param {number[]} arrived
 */
function faded(before, after, from, arrived) {
  const kinds = new Set(arrived.map((square) => after[square]?.kind));
  return from.filter((square) => !kinds.has(before[square]?.kind));
}

/**
 * The same where pieces belong to nobody, or where seeds are sown from a pit.
 * @param {GameData} data
 * @param {number} side
 * @param {Square[]} before
 * @param {Square[]} after
 * @param {number[]} all
 * @returns {Change}
 */
function changedByLooks(data, side, before, after, all) {
  const changes = all.filter((square) => pieceName(data, before[square]) !== pieceName(data, after[square]));
  if (data.art.board === "pits") {
    /** @param {number} square */
    const fewer = (square) => (before[square]?.kind ?? -1) > (after[square]?.kind ?? -1);
    const sown = changes.filter((square) => before[square]?.owner === side && fewer(square));
    return { to: sown.length ? sown : changes, from: [], faded: [] };
  }
  /** @param {Square | undefined} at */
  const counts = (at) => at && (at.owner === side || data.nobodys.includes(at.kind));
  const arrived = changes.filter((square) => counts(after[square]));
  const empty = arrived.filter((square) => before[square] === null);
  const from = changes.filter((square) => before[square]?.owner === side && !arrived.includes(square));
  const to = empty.length ? empty : arrived.length ? arrived : changes;
  return { to, from, faded: faded(before, after, from, arrived) };
}

/**
 * @param {Square | undefined} one
 * @param {Square | undefined} other
 */
function differ(one, other) {
  return one?.owner !== other?.owner || one?.kind !== other?.kind;
}

/**
 * The legal moves of a position, and its end.
 * @template {Side} P
 * @param {Shown<P>} game
 * @param {P} place
 * @returns {import("../static/types.js").Here}
 */
function here(game, place) {
  const moves = game.steps(place).map(({ move, child }) => ({ move, ...changed(game, place, child) }));
  const over = moves.length === 0;
  const [first, ...others] = moves;
  return {
    over,
    ...(over ? game.end(place) : { winner: null }),
    rows: game.rows(place),
    going: others.length ? (first?.faded.filter((at) => others.every((one) => one.faded.includes(at))) ?? []) : [],
    moves: moves.map(({ move, to, from }) => ({ move, to, from })),
  };
}
