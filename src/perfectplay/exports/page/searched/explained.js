// Why a position stands as it does, and where a game went wrong, as far as the search in this file proves it in time.

import { drawnLine, movesPieces, shown } from "../offline/positions.js";
import { reviewed } from "../offline/reviewed.js";
import { judgementOf } from "../static/judgements.js";
import { listed, numberOf, truth } from "../static/words.js";
import { ONGOING } from "./machine.js";
import { bestMoves } from "./players.js";
import { fields, valueOf } from "./scores.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Place} Place */
/** @typedef {import("./game.js").Step} Step */
/** @typedef {import("./study.js").Study} Study */
/** @typedef {import("./study.js").Studied} Studied */
/** @typedef {import("../static/types.js").Analysis} Analysis */
/** @typedef {import("../static/types.js").Explanation} Explanation */

/**
 * What an explanation needs: a study of any position, what is told of one, and who can cancel it.
 * @typedef {object} Means
 * @property {Game} game
 * @property {(place: Place) => Study} of
 * @property {(study: Study) => Analysis} told
 * @property {AbortSignal | undefined} signal
 */

/** Milliseconds for a position, for the lines that follow its moves, for a move of a review, and for a whole review. */
const STUDY_TIME = 4_000;
const LINES_TIME = 2_500;
const MOVE_TIME = 3_000;
const REVIEW_TIME = 40_000;
const LONGEST = 9;
const REFUTED = 3;

/**
 * Why a position stands as it does. Threats to win at once are known where moves only add pieces: there a pass is the
 * same board with the sides exchanged.
 * @param {Means} means
 * @param {Place} place
 * @returns {Promise<Explanation>}
 */
export async function explained(means, place) {
  const { game } = means;
  const study = await studied(means, place, STUDY_TIME, (one) => one.done);
  const known = means.told(study);
  const value = valueOf(study.here);
  const failing = study.moves.filter((move) => Math.sign(study.worth(move).high) < Math.sign(study.here.low));
  const end = performance.now() + LINES_TIME;
  const line = study.moves.length ? await bestFrom(means, place, end) : [];
  /** @type {Map<string, Step[]>} */
  const bad = new Map();
  for (const move of value === -1 ? study.moves : failing) {
    const rest = await bestFrom(means, move.child, end);
    if (rest.length) bad.set(move.move, [move, ...rest]);
  }
  const moving = movesPieces(game, place);
  const threats = threatsTo(game, place);
  const double = threats.length > 1 && isDouble(game, place);
  const other = game.data.names[1 - place.side] ?? "";
  const keeping = value === null ? null : study.moves.filter((move) => Math.sign(study.worth(move).low) >= value);
  return {
    position: shown(game, place),
    ...fields(study.here),
    source: "search",
    sentences: sentences(game, place, known, { threats, double, line, bad, failing }).map((text) => ({ text })),
    threats: threats.length ? { side: other, moves: threats.map((one) => one.move), value: "win", plies: 1, double } : null,
    sharpness: keeping && keeping.length + failing.length === study.moves.length ? keeping.length / study.moves.length : null,
    difficulty: null,
    moves: study.ranked().map((move) => ({
      move: move.move,
      ...fields(study.worth(move)),
      keeps: failing.includes(move) ? false : keeping?.includes(move) ? true : null,
      refutation: failing.includes(move) ? (bad.get(move.move)?.slice(1).map((one) => one.move) ?? []) : [],
      trap: null,
    })),
    line: { moves: line.map((one) => one.move) },
    drawn: {
      threats: threats.flatMap((one) => drawnLine(game, { words: [place.words[1], place.words[0]], side: 1 - place.side }, [one], moving)),
      line: drawnLine(game, place, line, moving),
      moves: Object.fromEntries([...bad].map(([move, steps]) => [move, drawnLine(game, place, steps, moving)])),
    },
  };
}

/**
 * A game judged move by move, as far as the search proves it; from the last move, so that what is known helps.
 * @param {Means} means
 * @param {string} name of the game
 * @param {{place: Place, move: string}[]} moves
 */
export async function reviewOf(means, name, moves) {
  const end = performance.now() + REVIEW_TIME;
  /** @type {import("../offline/reviewed.js").Made[]} */
  const made = [];
  for (const { place, move } of moves.toReversed()) {
    const time = Math.min(MOVE_TIME, end - performance.now());
    const study = await studied(means, place, time, (one) => one.done || judgementOf(means.told(one), move) !== null);
    const known = means.told(study);
    const better = known.moves[0]?.move;
    const step = study.moves.find((one) => one.move === better);
    const line = step && step.move !== move ? [step, ...(await bestFrom(means, step.child, performance.now() + 300))] : [];
    const lines = new Map(line.map((one) => [one.move, line.map((each) => each.move)]));
    made.unshift({ side: place.side, move, known, line: (one) => lines.get(one) ?? [one], why: reason(means.game, study, move) });
  }
  return reviewed(name, means.game.data.names, made);
}

/**
 * The study of a position after some time, or when it knows enough.
 * @param {Means} means
 * @param {Place} place
 * @param {number} time
 * @param {(study: Study) => boolean} enough
 */
async function studied({ of, signal }, place, time, enough) {
  const [study, begin] = [of(place), performance.now()];
  while (!study.done && !enough(study) && performance.now() - begin < time) await study.advance(signal);
  return study;
}

/**
 * Best play from a position, as far as it is proven in time.
 * @param {Means} means
 * @param {Place} place
 * @param {number} end
 */
async function bestFrom(means, place, end) {
  /** @type {Step[]} */
  const line = [];
  for (let at = place; line.length < LONGEST; ) {
    const study = means.of(at);
    const [win] = study.moves.filter((move) => means.game.machine.outcome(move.child.words) === -1);
    if (!win && !study.best.length && performance.now() < end && study.moves.length) await bestMoves(study, means.signal);
    const next = win ?? study.best[0];
    if (!next) break;
    line.push(next);
    at = next.child;
  }
  return line;
}

/**
 * The moves with which the other side would win at once if the side to move could pass.
 * @param {Game} game
 * @param {Place} place
 */
function threatsTo(game, { words: [mine, theirs], side }) {
  if (!game.about.adds || game.machine.outcome([theirs, mine]) !== ONGOING) return [];
  return winsAtOnce(game, { words: [theirs, mine], side: 1 - side });
}

/** The moves that win at once. @param {Game} game @param {Place} place */
function winsAtOnce(game, place) {
  return game.steps(place).filter((step) => game.machine.outcome(step.child.words) === -1);
}

/** Whether no move stops the other side from winning at once. @param {Game} game @param {Place} place */
function isDouble(game, place) {
  return game.steps(place).every(({ child }) => game.machine.outcome(child.words) === ONGOING && winsAtOnce(game, child).length > 0);
}

/**
 * The facts in sentences, the most important first.
 * @param {Game} game
 * @param {Place} place
 * @param {Analysis} known
 * @param {{threats: Step[], double: boolean, line: Step[], bad: Map<string, Step[]>, failing: Studied[]}} facts
 */
function sentences(game, place, known, { threats, double, line, bad, failing }) {
  const other = game.data.names[1 - place.side];
  const found = [truth(game.data, place.side, known)];
  const names = threats.map((one) => one.move);
  if (double) found.push(`${other} has ${numberOf(names.length, "threat")} at once: no move stops them all.`);
  else if (names.length) found.push(`${other} threatens to win with ${listed(names)}.`);
  const movers = line.map((_, i) => game.data.names[i % 2 === 0 ? place.side : 1 - place.side]);
  if (line.length > 1) found.push(`Best play: ${line.map((one, i) => `${movers[i]} ${one.move}`).join(", ")}${line.length < LONGEST ? "" : "; and so on"}.`);
  for (const move of failing.slice(0, REFUTED)) {
    const [, reply] = bad.get(move.move) ?? [];
    if (reply) found.push(`${move.move} ${costOf(move)}: ${other} answers ${reply.move}${does(game, reply)}.`);
  }
  if (!known.exact) found.push("More is not proven in the time of this search.");
  return found;
}

/** What a move that fails does. @param {Studied} move */
function costOf({ after }) {
  const lost = valueOf(after) === 1;
  const { distance } = fields(after);
  return lost ? `loses${distance === null ? "" : ` in ${numberOf(distance + 1, "move")}`}` : "gives the win away";
}

/** What a reply does. @param {Game} game @param {Step} reply */
function does(game, reply) {
  return game.machine.outcome(reply.child.words) === -1 ? " and wins at once" : "";
}

/**
 * Why a move was good or bad, in a sentence, as far as it is proven.
 * @param {Game} game
 * @param {Study} study
 * @param {string} name
 */
function reason(game, study, name) {
  const move = study.moves.find((one) => one.move === name);
  const value = valueOf(study.here);
  if (!move || value === null) return "";
  if (Math.sign(study.worth(move).high) < value) {
    const [win] = winsAtOnce(game, move.child);
    const other = game.data.names[1 - study.place.side];
    return win ? `${name} ${costOf(move)}: ${other} answers ${win.move} and wins at once.` : `${name} ${costOf(move)}.`;
  }
  const kept = { [-1]: "Every move loses.", 0: `${name} keeps the draw.`, 1: `${name} keeps the win.` };
  return kept[/** @type {-1 | 0 | 1} */ (value)];
}
