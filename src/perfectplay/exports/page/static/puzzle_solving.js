// One puzzle being solved: which moves are right, what is answered to them, and when it is done.

import { ask } from "./api.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./types.js").Puzzle} Puzzle */
/** @typedef {import("./types.js").Worth} Worth */

/** @typedef {"right" | "slow" | "wrong"} Judgement of a move: a slow one keeps the result, but another wins sooner */

/** The most moves of the solver in a line that ends with no win. */
const MOST_CHOICES = 4;

export class Solving {
  /**
   * @param {string} game
   * @param {Puzzle} puzzle
   */
  constructor(game, puzzle) {
    this.game = game;
    this.puzzle = puzzle;
    /** Whether a win is played to its end by the shortest way; else it is solved when there is a choice again. */
    this.timed = puzzle.value === "win" && puzzle.margin === undefined;
    /** @type {string[]} */
    this.made = [];
    this.turns = 0;
    this.solver = 0;
    this.solved = false;
    /** @type {Ply} */
    this.ply = { position: puzzle.position, side: 0 };
    /** @type {Here} */
    this.here = { over: false, winner: null, rows: [], going: [], moves: [] };
  }

  /** Loads the position. */
  async begin() {
    const line = await ask("line", { game: this.game, position: this.puzzle.position });
    this.at(line);
    this.solver = this.ply.side;
  }

  /** @param {import("./types.js").Line} line */
  at(line) {
    this.ply = line.plies[line.plies.length - 1] ?? this.ply;
    this.here = line.here;
  }

  /** Whether it is the solver's turn. */
  get mine() {
    return !this.solved && this.ply.side === this.solver;
  }

  /** What is known of the position on the board. @returns {Promise<Analysis>} */
  known() {
    return ask("analysis", { game: this.game, position: this.ply.position });
  }

  /**
   * How good a move is, and what it is worth.
   * @param {string} move
   * @returns {Promise<{judgement: Judgement, worth: Worth | undefined}>}
   */
  async judged(move) {
    const known = await this.known();
    const worth = known.moves.find((one) => one.move === move);
    const keeps = worth?.value === known.value;
    return { worth, judgement: !keeps ? "wrong" : this.timed && !worth.best ? "slow" : "right" };
  }

  /** The good moves of the position on the board. */
  async good() {
    const known = await this.known();
    return known.moves.filter((one) => (this.timed ? one.best : one.value === known.value)).map((one) => one.move);
  }

  /** Makes a move. @param {string} move */
  async play(move) {
    if (this.mine) this.turns++;
    this.made.push(move);
    this.at(await ask("line", { game: this.game, position: this.ply.position, moves: move }));
    this.solved = this.here.over || (await this.isSafe());
  }

  /** Whether the solver has a choice again, where no win is played to its end. */
  async isSafe() {
    if (this.timed || this.ply.side !== this.solver) return false;
    return this.turns >= MOST_CHOICES || (await this.good()).length > 1;
  }

  /** The other side's move that resists longest. */
  async reply() {
    const { line } = this.puzzle;
    const next = line[this.made.length];
    if (next !== undefined && this.made.every((move, i) => move === line[i])) return next;
    const known = await this.known();
    if (known.reply !== undefined) return known.reply;
    if (this.timed) return known.moves.find((one) => one.best)?.move ?? "";
    return this.stubborn(known.moves.filter((one) => one.value === known.value).map((one) => one.move));
  }

  /** The move that leaves the solver the fewest good moves. @param {string[]} moves */
  async stubborn(moves) {
    const left = await Promise.all(
      moves.map(async (move) => {
        const line = await ask("line", { game: this.game, position: this.ply.position, moves: move });
        if (line.here.over) return Infinity;
        const known = await ask("analysis", { game: this.game, position: line.plies[1].position });
        return known.moves.filter((/** @type {Worth} */ one) => one.value === known.value).length;
      }),
    );
    return moves[left.indexOf(Math.min(...left))] ?? "";
  }

  /**
   * The best answers to a wrong move, one after another.
   * @param {string} move
   * @returns {Promise<string[]>}
   */
  async refutation(move) {
    const line = await ask("line", { game: this.game, position: this.ply.position, moves: move });
    if (line.here.over) return [];
    const best = await ask("best-line", { game: this.game, position: line.plies[1].position });
    return best.moves;
  }
}
