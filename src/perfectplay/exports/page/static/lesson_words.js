// What the classroom says: each step of a search in plain words.

import { listed, numberOf, signed } from "./words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").LessonNode} LessonNode */
/** @typedef {import("./types.js").LessonStep} LessonStep */
/** @typedef {import("./lesson.js").Replay} Replay */

/** @type {Record<string, {title: string, idea: string}>} */
const ALGORITHMS = {
  minimax: { title: "Minimax", idea: "Try every move, every reply, every reply to the reply, until the game ends." },
  "alpha-beta": { title: "Alpha-beta", idea: "Search as before, but skip moves as soon as they cannot matter any more." },
  cache: { title: "Cache", idea: "Keep notes. Meet a position again? Read the note. A win counts one less for each move it takes." },
  symmetry: { title: "Symmetry", idea: "Keep notes, and take turned and mirrored boards for the same board." },
  flags: { title: "α-β + cache", idea: "Both ideas at once: skip what cannot matter, and keep notes." },
  table: { title: "Table", idea: "No search at all. The whole game was solved before, and every answer stands in a table." },
};

/** What an algorithm is called. @param {string} name */
export function algorithmTitle(name) {
  return ALGORITHMS[name]?.title ?? name;
}

/** How it works. @param {string} name */
export function algorithmIdea(name) {
  return ALGORITHMS[name]?.idea ?? "";
}

/**
 * A score with its sign, and that of a bound.
 * @param {number} score
 * @param {string} [bound]
 */
export function scoreText(score, bound = "") {
  return `${bound}${signed(score)}`;
}

/**
 * What a score means: X wins, a draw, X wins by 4; a guess where the search did not look to the end.
 * @param {GameData} data
 * @param {number} score for the first side
 * @param {boolean} [guess]
 */
function meaning(data, score, guess = false) {
  if (guess && data.points) return `${data.names[0]} seems to be ${signed(score)} points ahead`;
  if (score === 0) return guess ? "no winner in sight" : "a draw";
  const winner = data.names[score > 0 ? 0 : 1];
  return data.points ? `${winner} wins by ${Math.abs(score)}` : `${winner} wins`;
}

/** The move to a node; a bare number is called a move. @param {LessonNode} node */
function moveText({ move = "" }) {
  return /^\d+$/.test(move) ? `move ${move}` : move;
}

/** With a capital letter. @param {string} text */
function capital(text) {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}

/** What a bound says. @param {string | undefined} bound */
function atLeast(bound) {
  return bound === "≥" ? "at least " : bound === "≤" ? "at most " : "";
}

/**
 * The sentence of a step.
 * @param {GameData} data
 * @param {Replay} replay
 * @param {number} index
 * @param {Map<string, number>} sizes how many positions minimax visits below each line
 */
export function sentence(data, replay, index, sizes) {
  const step = replay.steps[index];
  if (!step) return finished(data, replay, sizes);
  if (step.kind === "cut") return cutting(data, replay, step, sizes);
  if (step.kind === "back") return comingBack(data, replay, step, index);
  return step.node === 0 ? beginning(data, replay) : entering(data, replay, step);
}

/**
 * The idea of the algorithm, and who wants what.
 * @param {GameData} data
 * @param {Replay} replay
 */
function beginning(data, replay) {
  const [first, second] = data.names;
  const root = replay.node(0);
  const said = algorithmIdea(replay.name);
  if (root.kind === "looked up") return `${said} For this position it says ${scoreText(root.score ?? 0)}: ${meaning(data, root.score ?? 0)}.`;
  return `${said} ${first} wants a high number, ${second} a low one.`;
}

/**
 * A move is tried.
 * @param {GameData} data
 * @param {Replay} replay
 * @param {LessonStep} step
 */
function entering(data, replay, step) {
  const node = replay.node(step.node);
  const before = replay.node(node.parent ?? 0);
  const [mover, next] = [data.names[before.side], data.names[node.side]];
  const score = scoreText(node.score ?? 0);
  const move = moveText(node);
  const tries = `${mover} tries ${move}.`;
  const means = meaning(data, node.score ?? 0);
  if (node.kind === "finished") return `${mover} plays ${move} and the game is over: ${means}. That scores ${score}${fewer(replay, node)}.`;
  if (node.kind === "horizon") return `${tries} We look no further ahead: this counts as 0, but that is only a guess.`;
  if (node.kind === "repeated") return `${tries} ${known(data, replay, node)}`;
  if (node.kind === "looked up") return `${mover} could play ${move}. The table says ${score}: ${means}.`;
  return `${tries} ${mover === next ? `${mover} moves again: what comes next?` : `What can ${next} reply?`}`;
}

/**
 * Why a win counts less than the most: it took some moves.
 * @param {Replay} replay
 * @param {LessonNode} node
 */
function fewer({ top }, { score }) {
  const less = score && top !== null ? top - Math.abs(score) : 0;
  return less ? `: ${top}, less ${less} for the moves it took` : "";
}

/**
 * A position that was met before.
 * @param {GameData} data
 * @param {Replay} replay
 * @param {LessonNode} node
 */
function known(data, replay, node) {
  const first = replay.node(node.same_as ?? 0);
  const worth = `${atLeast(node.bound)}${scoreText(node.score ?? 0)}`;
  const place = `node ${node.same_as}`;
  if (first.position === node.position) return `We know this position from ${place}: ${worth}. No need to search it again.`;
  const board = (/** @type {LessonNode} */ { position }) => position.slice(position.indexOf(":"));
  const swapped = board(first) === board(node) ? "the other side to move" : `${data.names[0]} and ${data.names[1]} swapped`;
  if (first.side !== node.side) return `This is ${place} with ${swapped}, so its number changes sign: ${worth}.`;
  return `Turn or mirror this board, and it is ${place}: ${worth}. No need to search it again.`;
}

/**
 * The value of a move comes back to the position before it.
 * @param {GameData} data
 * @param {Replay} replay
 * @param {LessonStep} step
 * @param {number} index
 */
function comingBack(data, replay, step, index) {
  const [node, child] = [replay.node(step.node), replay.node(step.child ?? 0)];
  const who = data.names[node.side] ?? "";
  const gives = `${atLeast(child.bound)}${scoreText(replay.gives(step.child ?? 0))}`;
  const earlier = replay.steps.slice(0, index).findLast((one) => one.kind === "back" && one.node === step.node);
  const best = scoreText(step.score ?? 0);
  const wants = node.side === 0 ? "higher" : "lower";
  const move = /^\d/.test(child.move ?? "") ? capital(moveText(child)) : child.move;
  let said = `${move} gives ${who} ${gives}`;
  if (!earlier) said += ", the best so far.";
  else if (step.best === step.child) said += `: ${wants} than ${scoreText(earlier.score ?? 0)}, so ${who} likes it better.`;
  else said += `. ${who} keeps ${moveText(replay.node(step.best ?? 0))} with ${best}.`;
  if (index !== replay.last.get(step.node) || step.node === 0) return said;
  return `${said} All moves are tried: this position is worth ${atLeast(node.bound)}${best}.`;
}

/**
 * The moves that are left need no search.
 * @param {GameData} data
 * @param {Replay} replay
 * @param {LessonStep} step
 * @param {Map<string, number>} sizes
 */
function cutting(data, replay, step, sizes) {
  const node = replay.node(step.node);
  const [who, other] = [data.names[node.side], data.names[1 - node.side]];
  const cut = replay.cutFrom(step.node, step.child ?? 0);
  const here = node.side === 0 ? step.alpha : step.beta;
  const elsewhere = node.side === 0 ? step.beta : step.alpha;
  const saved = savedBy(replay, cut, sizes);
  const moves = listed(cut.map((child) => replay.node(child).move ?? "")).replace(/ or (?=[^ ]+$|\d+ others$)/, " and ");
  const never = here === elsewhere ? "gains nothing here" : "will never come here";
  const sure = `${other} is sure of ${scoreText(elsewhere ?? 0)} elsewhere, so ${other} ${never}.`;
  return `${who} already has a reply worth ${scoreText(here ?? 0)}. ${sure} Skip ${moves}: ${numberOf(saved, "position")} saved.`;
}

/**
 * How many positions plain minimax would visit in the nodes that are cut.
 * @param {Replay} replay
 * @param {number[]} cut
 * @param {Map<string, number>} sizes
 */
function savedBy(replay, cut, sizes) {
  return cut.reduce((sum, child) => sum + (sizes.get(replay.line(child)) ?? 1), 0);
}

/**
 * What the search has found, and what it took.
 * @param {GameData} data
 * @param {Replay} replay
 * @param {Map<string, number>} sizes
 */
function finished(data, replay, sizes) {
  const root = replay.node(0);
  const who = data.names[root.side];
  const [all, visited] = [sizes.get("") ?? 0, replay.visited];
  const best = moveText(replay.node(root.best ?? 0));
  const took = visited < all ? `${visited} of ${all} positions were enough.` : `It took all ${numberOf(visited, "position")}.`;
  return `Done: ${who} plays ${best}, worth ${scoreText(root.score ?? 0)}: ${meaning(data, root.score ?? 0, replay.guesses)}. ${took}`;
}
