// The address <-> what the page shows, and the record of a game as text.

import { MARK } from "./api.js";

/** @typedef {import("./types.js").State} State */

export const HUMAN = "human";
const EXPLORE = "explore";
const CLASSROOM = "classroom";
const PUZZLES = "puzzles";
/** @type {[string, string]} */
const USUAL = [HUMAN, "level:5"];

/** The address of what is shown. */
export function address() {
  return MARK === "?" ? location.search : location.hash;
}

/**
 * What an address asks for.
 * @param {string} search
 * @param {string} opens the game to open with if it names none
 * @returns {State}
 */
export function readAddress(search, opens) {
  const query = new URLSearchParams(search.slice(1));
  /** @param {string} name */
  const listed = (name) => (query.get(name) ?? "").split(",").filter((move) => move !== "");
  /** @param {string} name @param {string[]} made */
  const within = (name, made) => {
    const ply = Number.parseInt(query.get(name) ?? "", 10);
    return ply >= 0 && ply <= made.length ? ply : made.length;
  };
  const [moves, played] = [listed("moves"), listed("played")];
  return {
    game: query.get("game") || opens,
    position: query.get("position") ?? "",
    moves,
    ply: within("ply", moves),
    left: query.get("view") === EXPLORE ? { moves: played, ply: within("back", played) } : null,
    hints: query.get("hints") === "1",
    why: query.get("why") === "1",
    chance: query.get("chance") ?? "",
    players: [query.get("first") || USUAL[0], query.get("second") || USUAL[1]],
    lesson:
      query.get("view") === CLASSROOM
        ? {
            algorithm: query.get("algorithm") ?? "",
            step: counted(query.get("step")) ?? 0,
            depth: counted(query.get("depth")),
            small: query.get("small") === "1",
          }
        : null,
    puzzle: query.get("view") === PUZZLES ? (query.get("puzzle") ?? "") : null,
  };
}

/**
 * A number of the address; null if it is none.
 * @param {string | null} text
 */
function counted(text) {
  return /^[1-9]\d{0,5}$/.test(text ?? "") ? Number(text) : null;
}

/**
 * The address that asks for this.
 * @param {State} state
 */
export function writeAddress(state) {
  const query = new URLSearchParams({ game: state.game });
  if (state.position) query.set("position", state.position);
  if (state.moves.length) query.set("moves", state.moves.join(","));
  if (state.ply < state.moves.length) query.set("ply", String(state.ply));
  if (state.left) {
    query.set("view", EXPLORE);
    if (state.left.moves.length) query.set("played", state.left.moves.join(","));
    if (state.left.ply < state.left.moves.length) query.set("back", String(state.left.ply));
  }
  if (state.lesson) {
    query.set("view", CLASSROOM);
    if (state.lesson.small && (state.position || state.ply)) query.set("small", "1");
    if (state.lesson.depth) query.set("depth", String(state.lesson.depth));
    if (state.lesson.algorithm) query.set("algorithm", state.lesson.algorithm);
    if (state.lesson.step) query.set("step", String(state.lesson.step));
  }
  if (state.puzzle !== null) query.set("view", PUZZLES);
  if (state.puzzle) query.set("puzzle", state.puzzle);
  if (state.hints) query.set("hints", "1");
  if (state.why) query.set("why", "1");
  if (state.chance) query.set("chance", state.chance);
  if (state.players[0] !== USUAL[0]) query.set("first", state.players[0]);
  if (state.players[1] !== USUAL[1]) query.set("second", state.players[1]);
  return `${MARK}${query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

/**
 * The game as text: its moves on one line, the rest as comments.
 * @param {State} state
 * @param {string} ending
 */
export function writeRecord(state, ending) {
  const remarks = [`# game: ${state.game}`];
  if (state.position) remarks.push(`# position: ${state.position}`);
  remarks.push(`# first: ${state.players[0]}`, `# second: ${state.players[1]}`);
  return `${remarks.join("\n")}\n${state.moves.join(" ")}${ending && `  # ${ending}`}\n`;
}

/**
 * What a record says; of several games the first.
 * @param {string} text
 * @returns {Partial<State> & {moves: string[], games: number}}
 */
export function readRecord(text) {
  /** @param {string} name */
  const remark = (name) => new RegExp(`^#\\s*${name}:\\s*(\\S.*?)\\s*$`, "m").exec(text)?.[1] ?? "";
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());
  const games = lines.filter((line) => line !== "");
  const moves = (games[0] ?? "").split(/\s+/).filter((move) => move !== "");
  /** @type {Partial<State>} */
  const said = { position: remark("position") };
  if (remark("game")) said.game = remark("game");
  if (remark("first") && remark("second")) said.players = [remark("first"), remark("second")];
  return { ...said, moves, games: games.length };
}
