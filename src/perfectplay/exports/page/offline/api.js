// Requests answered from the solution in this file, as the server answers them.

import { byId } from "../static/dom.js";
import { Carried } from "./carried.js";
import { lesson } from "./ladder.js";
import { inflated } from "./packed.js";
import { bestFrom, explained } from "./explained.js";
import { choices } from "./players.js";
import { Refusal, given, line, shown } from "./positions.js";
import { reason } from "./reasons.js";
import { reviewed } from "./reviewed.js";
import { entryText, named, weighed } from "./truth.js";

/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("../static/types.js").GameData} GameData */
/** @typedef {Record<string, string>} Values */

export { Refusal };

/** The start of a position's address: a file takes no query, but a fragment. */
export const MARK = "#";
const LONGEST_LINE = 200;
const ENDLESS_LINE = 12;

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
const TASKS = {
  game: () => data,
  line: (game, values) => line(game, values, (name) => void chosen(game, game.start, name)),
  analysis,
  "best-line": bestLine,
  explain,
  review,
  reply,
  puzzles: () => ({ game: data.game, kind: "only", puzzles: JSON.parse(byId("first").textContent ?? "").puzzles }),
  classroom: (game, values) =>
    lesson(
      {
        game,
        key: (place) => game.seen(place),
        classKey: game.about.squares.length > 1 ? (place) => String(place.number) : null,
        entry: (place) => game.entry(place),
      },
      values,
    ),
};

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
    source: /** @type {const} */ ("table"),
  };
}

/**
 * Why a position stands as it does.
 * @param {Carried} game
 * @param {Values} values
 */
function explain(game, values) {
  const place = given(game, values);
  return { game: data.game, position: shown(game, place), ...explained(game, place) };
}

/**
 * A game judged move by move.
 * @param {Carried} game
 * @param {Values} values
 */
function review(game, values) {
  const { plies } = line(game, values, () => undefined);
  const made = plies.slice(1).map(({ move = "" }, i) => {
    const position = plies[i]?.position ?? "";
    const place = given(game, { position });
    /** @param {string} name */
    const after = (name) => {
      const step = game.steps(place).find((one) => one.move === name);
      return step ? [name, ...bestFrom(game, step.child).map((one) => one.move)] : [];
    };
    return { side: place.side, move, known: analysis(game, { position }), line: after, why: reason(game, place, move) };
  });
  return reviewed(data.game, data.names, made);
}

/**
 * A line of best play: to the end, or some plies of an endless one.
 * @param {Carried} game
 * @param {Values} values
 */
function bestLine(game, values) {
  let place = given(game, values);
  const { distance, margin } = game.entry(place);
  const most = distance === null && margin === undefined ? ENDLESS_LINE : LONGEST_LINE;
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
