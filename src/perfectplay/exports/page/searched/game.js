// The game in this file by its rules: boards, moves and ends of positions.

import { Refusal } from "../offline/positions.js";
import { writeBoard } from "../static/squares.js";
import { ONGOING } from "./machine.js";

/** @typedef {import("./machine.js").Machine} Machine */
/** @typedef {import("./machine.js").Words} Words */
/** @typedef {import("../static/types.js").GameData} GameData */
/** @typedef {import("../static/types.js").Square} Square */
/** @typedef {{words: Words, side: number}} Place a position and who is to move */
/** @typedef {{order: number, move: string, child: Place}} Step */

/**
 * What the file says about the game besides its rules.
 * @typedef {object} About
 * @property {[string, string]} start
 * @property {[mask: string, value: string, only?: number][][][]} spots for each side to move and each square, where each kind of piece is seen
 * @property {[string[], string[]]} names of moves, for each side
 * @property {boolean} numbered whether moves are squares
 * @property {boolean} adds whether a move only adds a piece
 * @property {[noise: number, sight: number][]} levels
 */

const WAYS = /** @type {const} */ ([
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
]);

export class Game {
  /**
   * @param {GameData} data
   * @param {About} about
   * @param {Machine} machine
   */
  constructor(data, about, machine) {
    this.data = data;
    this.about = about;
    this.machine = machine;
    this.numbered = about.numbered;
    this.spots = about.spots.map((squares) =>
      squares.map((kinds) =>
        kinds.map(([mask, value, only]) => /** @type {const} */ ([BigInt(mask), BigInt(value), only])),
      ),
    );
    /** @type {Place} */
    this.start = { words: [BigInt(about.start[0]), BigInt(about.start[1])], side: 0 };
  }

  /**
   * The owner and the kind of the piece on each square.
   * @param {Place} place
   * @returns {({owner: number, kind: number} | null)[]}
   */
  pieces({ words: [mine, theirs], side }) {
    return (this.spots[side] ?? []).map((square) => {
      let found = null;
      for (const [kind, [mask, value, only]] of square.entries()) {
        if ((mine & mask) === value && only !== 1 - side) found = { owner: side, kind };
        else if ((theirs & mask) === value && only !== side) found = { owner: 1 - side, kind };
      }
      return found;
    });
  }

  /**
   * The piece on each square, in reading order.
   * @param {Place} place
   * @returns {Square[]}
   */
  board(place) {
    return this.pieces(place);
  }

  /**
   * The position with these pieces; refuses one that cannot be.
   * @param {Square[]} squares
   * @param {number} side
   * @param {string} text
   * @returns {Place}
   */
  placed(squares, side, text) {
    const { data } = this;
    const words = [0n, 0n];
    squares.forEach((at, square) => {
      if (at) words[at.owner] = (words[at.owner] ?? 0n) | (this.spots[side]?.[square]?.[at.kind]?.[1] ?? 0n);
    });
    /** @type {Place} */
    const place = { words: [words[side] ?? 0n, words[1 - side] ?? 0n], side };
    const shown = writeBoard(data, squares, side);
    if (writeBoard(data, this.board(place), side) !== shown)
      throw new Refusal(`position '${text}' cannot be: a piece is missing or there is one too many`);
    const why = this.fault(place);
    if (why) throw new Refusal(`${shown} cannot be reached: ${why}`);
    return place;
  }

  /** Why a position cannot be, as far as the rules show; empty if it can. @param {Place} place */
  fault(place) {
    const { words, side } = place;
    const { machine, data } = this;
    try {
      const plies = (machine.left(this.start.words) ?? 0) - (machine.left(words) ?? 0);
      if (machine.left(words) !== null && Math.abs(plies % 2) !== side)
        return `after ${plies} ${plies === 1 ? "ply" : "plies"} it is ${data.sides[1 - side]}'s turn`;
      const key = machine.code.key?.(...words);
      if (key !== undefined && !same(machine.code.unkey?.(key) ?? words, words)) return "no legal play leads there";
      if (this.about.adds && !same(words, this.start.words) && !this.follows(place))
        return `no move of ${data.sides[1 - side]} leads there from an ongoing position`;
      machine.moves(words);
    } catch {
      return "the rules do not know it";
    }
    return "";
  }

  /** Whether some move leads to a position, where moves add a piece. @param {Place} place */
  follows(place) {
    const [mine, theirs] = place.words;
    return this.pieces(place).some((at, square) => {
      if (!at || at.owner === place.side) return false;
      const added = this.spots[place.side]?.[square]?.[at.kind]?.[1] ?? 0n;
      /** @type {Words} */
      const before = [theirs ^ added, mine];
      return this.machine.moves(before).some((move) => same(this.machine.play(before, move), place.words));
    });
  }

  /**
   * The legal moves by number.
   * @param {Place} place
   * @returns {Step[]}
   */
  steps({ words, side }) {
    return this.machine.moves(words).map((order) => ({
      order,
      move: this.about.names[side]?.[order] ?? "",
      child: { words: this.machine.play(words, order), side: 1 - side },
    }));
  }

  /** The side that has won. @param {Place} place */
  end({ words, side }) {
    const outcome = this.machine.outcome(words);
    return { winner: outcome === 1 ? side : outcome === -1 ? 1 - side : null };
  }

  /**
   * The straight lines of the last mover's pieces that ended the game.
   * @param {Place} place
   */
  rows(place) {
    const { words, side } = place;
    const end = this.machine.outcome(words);
    if (end === ONGOING || end === 0) return [];
    /** @type {Map<number, bigint>} the last mover's squares, and what stands for each in its word */
    const held = new Map();
    for (const [square, at] of this.pieces(place).entries())
      if (at && at.owner !== side) held.set(square, this.spots[side]?.[square]?.[at.kind]?.[1] ?? 0n);
    /** @param {number[]} squares */
    const ends = (squares) => {
      try {
        return this.machine.outcome([words[0], squares.reduce((word, at) => word | (held.get(at) ?? 0n), 0n)]) === end;
      } catch {
        return false; // not a position that rules expect
      }
    };
    if (ends([])) return [];
    const lines = [...straight(this.data.shape, new Set(held.keys()))].filter(ends);
    return lines.filter((line) => !line.some((square) => ends([square])));
  }
}

/** Whether two positions are the same. @param {Words} one @param {Words} other */
function same(one, other) {
  return one[0] === other[0] && one[1] === other[1];
}

/**
 * The longest unbroken lines among squares, of two or more.
 * @param {[number, number]} shape
 * @param {Set<number>} held
 */
function* straight([width, height], held) {
  for (const [dx, dy] of WAYS)
    for (const square of [...held].sort((a, b) => a - b)) {
      let [x, y] = [square % width, Math.floor(square / width)];
      const earlier = x - dx >= 0 && x - dx < width && y - dy >= 0;
      if (earlier && held.has(square - dx - dy * width)) continue;
      const line = [];
      for (; x >= 0 && x < width && y < height && held.has(y * width + x); x += dx, y += dy) line.push(y * width + x);
      if (line.length > 1) yield line;
    }
}
