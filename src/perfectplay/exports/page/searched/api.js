// Requests answered by the rules, the opening book and the search in this file, as the server answers them.

import { lesson } from "../offline/ladder.js";
import { inflated, unpacked } from "../offline/packed.js";
import { Refusal, given, line, shown } from "../offline/positions.js";
import { byId } from "../static/dom.js";
import { Book } from "./book.js";
import { explained, reviewOf } from "./explained.js";
import { Game } from "./game.js";
import { Machine } from "./machine.js";
import { bestMoves, choices, isPlayer } from "./players.js";
import { exact, fields, settled, text, valueOf } from "./scores.js";
import { Study } from "./study.js";

/** @typedef {import("../static/types.js").GameData} GameData */
/** @typedef {Record<string, string>} Values */

export { Refusal };

/** The start of a position's address: a file takes no query, but a fragment. */
export const MARK = "#";
const LONGEST_LINE = 200;
const MOST_STUDIES = 400;

/** @type {GameData} */
const data = JSON.parse(byId("first").textContent ?? "").game;
/** @type {Answers | null} */
let answers = null;
const ready = opened();

/** What is in this file. */
async function opened() {
  try {
    const { about, planes } = unpacked(await inflated(byId("graph").textContent ?? ""));
    const machine = await Machine.from(Uint8Array.from(planes.code ?? []), about);
    const game = new Game(data, about, machine);
    const book = new Book(machine, game.start.words, about, planes.book ?? new Uint32Array(), about.names[0].length);
    return (answers = new Answers(game, book));
  } catch (fault) {
    const why = "is the file whole, and the browser not older than 2023?";
    throw new Refusal(`the search in this file cannot be started: ${why} (${fault})`);
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
  if (values.game !== data.game) throw new Refusal(`this page knows ${data.game} only, not '${values.game}'`);
  return TASKS[task]?.(found, values, signal);
}

/**
 * The address of an answer, as far as it is known, to be kept as a file.
 * @param {string} task
 * @param {Values} values
 */
export function link(task, values) {
  /** @type {unknown} */
  let found = {};
  try {
    if (answers) found = task === "line" ? answers.line(values) : answers.told(answers.study(values));
  } catch (fault) {
    found = { error: /** @type {Error} */ (fault).message };
  }
  return `data:application/json,${encodeURIComponent(JSON.stringify(found))}`;
}

/** Nothing can be solved here. @returns {Promise<void>} */
export async function solve() {
  throw new Refusal("this page searches, and has no table");
}

/** @type {Record<string, (answers: Answers, values: Values, signal?: AbortSignal) => unknown>} */
const TASKS = {
  game: () => data,
  line: (answers, values) => answers.line(values),
  analysis: (answers, values, signal) => answers.analysis(values, signal),
  "best-line": (answers, values, signal) => answers.bestLine(values, signal),
  reply: (answers, values, signal) => answers.reply(values, signal),
  explain: (answers, values, signal) => explained(answers.means(signal), given(answers.game, values)),
  review: (answers, values, signal) => answers.review(values, signal),
  classroom: (answers, values) => answers.lesson(values),
};

class Answers {
  /**
   * @param {Game} game
   * @param {Book} book
   */
  constructor(game, book) {
    this.game = game;
    this.book = book;
    /** @type {Map<string, Study>} those of the last positions */
    this.studies = new Map();
  }

  /** The positions of a game, and what can be played in the last. @param {Values} values */
  line(values) {
    return line(this.game, values, seated);
  }

  /** What each algorithm does in a position. @param {Values} values */
  lesson(values) {
    const { game } = this;
    const { smallest } = game.machine.code;
    /** @param {import("./game.js").Place} place */
    const classKey = ({ words }) => smallest(...words).join();
    const source = { game, key: (/** @type {import("./game.js").Place} */ { words }) => words.join(), entry: null };
    return lesson({ ...source, classKey: data.lesson?.symmetric ? classKey : null }, values);
  }

  /** The study of the position in a request. @param {Values} values */
  study(values) {
    return this.of(given(this.game, values));
  }

  /** The study of a position. @param {import("./game.js").Place} place */
  of(place) {
    const name = shown(this.game, place);
    const found = this.studies.get(name) ?? new Study(this.game, this.book, place);
    this.studies.delete(name);
    this.studies.set(name, found);
    for (const oldest of this.studies.keys()) {
      if (this.studies.size <= MOST_STUDIES) break;
      this.studies.delete(oldest);
    }
    return found;
  }

  /**
   * What is known of a position and its moves, after one more thing was proven; `more` if the search goes on.
   * @param {Values} values
   * @param {AbortSignal} [signal]
   */
  async analysis(values, signal) {
    const study = this.study(values);
    if (!study.done) await study.advance(signal);
    return { ...this.told(study), more: !study.done };
  }

  /** What is known of a position and its moves, best first. @param {Study} study @returns {import("../static/types.js").Analysis} */
  told(study) {
    const { here, best } = study;
    const facts = {
      game: data.game,
      position: shown(this.game, study.place),
      ...fields(here),
      verdict: verdict(study),
      exact: study.exact,
      moves: study.ranked().map((one) => {
        const known = study.worth(one);
        return { move: one.move, ...fields(known), text: text(known), best: exact(known) && best.includes(one) };
      }),
      source: /** @type {const} */ ("search"),
    };
    return facts;
  }

  /** What explanations need. @param {AbortSignal} [signal] */
  means(signal) {
    return { game: this.game, of: this.of.bind(this), told: this.told.bind(this), signal };
  }

  /**
   * A game judged move by move.
   * @param {Values} values
   * @param {AbortSignal} [signal]
   */
  review(values, signal) {
    const { plies } = this.line(values);
    const moves = plies.slice(1).map(({ move = "" }, i) => ({ move, place: given(this.game, { position: plies[i]?.position ?? "" }) }));
    return reviewOf(this.means(signal), data.game, moves);
  }

  /**
   * A line of best play, as far as it is proven.
   * @param {Values} values
   * @param {AbortSignal} [signal]
   */
  async bestLine(values, signal) {
    let study = this.study(values);
    /** @type {string[]} */
    const moves = [];
    while (study.moves.length && moves.length < LONGEST_LINE) {
      await bestMoves(study, signal);
      const move = study.best[0];
      if (!move) break;
      moves.push(move.move);
      study = this.of(move.child);
    }
    return { game: data.game, moves, ends: study.moves.length === 0 };
  }

  /**
   * The move of a player.
   * @param {Values} values
   * @param {AbortSignal} [signal]
   */
  async reply(values, signal) {
    const study = this.study(values);
    const name = values.player ?? "";
    seated(name);
    const found = study.moves.length ? await choices(study, name, signal) : [];
    const move = found[Math.floor(Math.random() * found.length)]?.move;
    if (move === undefined) throw new Refusal(`${values.position} is the end of the game; nobody is to move`);
    return { game: data.game, move, note: "" };
  }
}

/** Refuses a player that is not here. @param {string} name */
function seated(name) {
  const there = data.players.map((player) => player.name).join(", ");
  if (!isPlayer(name)) throw new Refusal(`no player here is called '${name}'; there are ${there}`);
}

/** How a position stands, in a sentence, while its moves are not all known. @param {Study} study */
function verdict(study) {
  const { here, place } = study;
  const [mover, other] = [data.names[place.side], data.names[1 - place.side]];
  const value = valueOf(here);
  if (value === 0) return "Drawn with best play.";
  if (value !== null) return `${value > 0 ? mover : other} wins${settled(here) ? ` in ${fields(here).distance}` : ""}.`;
  return study.done ? `Not proven. ${mover} moves: ${text(here).replace("open: ", "")}.` : "Analysing …";
}
