// The game in this file: symmetry classes of positions, and moves from each to images of others. It has no rules.

import { writeBoard } from "../static/squares.js";
import { unpacked } from "./packed.js";
import { Refusal } from "./positions.js";

/** @typedef {import("../static/types.js").GameData} GameData */
/** @typedef {import("../static/types.js").Square} Square */
/** @typedef {{value: number, distance: number | null, margin?: number}} Entry a position's value to the side to move */
/** @typedef {{number: number, image: number, side: number}} Place a position: its class, which image, who is to move */
/** @typedef {{order: number, move: string, child: Place, chosen: boolean}} Step a move; whether the street-smart player may choose it */
/** @typedef {[order: number, first: string, second: string]} Label */

/**
 * The short data; the rest are planes of numbers.
 * @typedef {object} About
 * @property {number[][]} squares for each image where the squares go
 * @property {number[]} second where the squares are for the first side, when the second is to move
 * @property {Label[]} labels
 * @property {number[][]} labelled for each image what a label becomes
 * @property {[value: number, distance: number | null, margin?: number][]} grades
 * @property {[number[][], number[][]][]} rows lines that have won, as either side sees them
 * @property {[noise: number, depth: number][]} levels the players of this game
 * @property {[noise: number, depth: number][]} usual those of any game, by which difficulty is measured
 * @property {boolean} numbered whether moves are squares
 * @property {boolean} counted whether the plies made tell who is to move
 */

export class Carried {
  /**
   * @param {GameData} data
   * @param {Uint8Array} bytes
   */
  constructor(data, bytes) {
    this.data = data;
    this.kinds = Math.max(...data.pieces.map((names) => names.length));
    const { about, planes } = unpacked(bytes);
    /** @type {About} */
    this.about = about;
    this.planes = planes;
    this.size = planes.counts?.length ?? 0;
    this.number();
    this.then = this.about.squares.map((j) => this.about.squares.map((i) => this.imageOf(j.map((to) => i[to] ?? 0))));
    /** @type {Map<string, number>} the class of each board */
    this.classes = new Map(Array.from({ length: this.size }, (_, number) => [this.looks(number), number]));
  }

  /** Finds where the edges of each class begin, where those to new classes lead, and the plies to each class. */
  number() {
    this.firsts = new Uint32Array(this.size + 1);
    this.plies = new Uint32Array(this.size);
    const edges = this.planes.labels?.length ?? 0;
    const [children, images] = [new Uint32Array(edges), new Uint32Array(edges)];
    let [met, other] = [0, 0];
    for (let number = 0, edge = 0; number < this.size; number++) {
      for (let left = this.at("counts", number); left > 0; left--, edge++) {
        if (this.bit("fresh", edge)) {
          children[edge] = ++met;
          this.plies[met] = (this.plies[number] ?? 0) + 1;
        } else {
          children[edge] = this.at("children", other);
          images[edge] = this.at("images", other++);
        }
      }
      this.firsts[number + 1] = edge;
    }
    Object.assign(this.planes, { children, images });
  }

  /**
   * A number of a plane.
   * @param {string} plane
   * @param {number} i
   */
  at(plane, i) {
    return this.planes[plane]?.[i] ?? 0;
  }

  /**
   * A bit of a plane.
   * @param {string} plane
   * @param {number} i
   */
  bit(plane, i) {
    return ((this.at(plane, i >> 3) >> (7 - (i & 7))) & 1) === 1;
  }

  /** The image that moves squares so. @param {number[]} squares */
  imageOf(squares) {
    return this.about.squares.findIndex((one) => one.every((to, square) => to === squares[square]));
  }

  /** The pieces of a class, a letter for each square. @param {number} number */
  looks(number) {
    const boards = this.planes.boards ?? new Uint32Array();
    let text = "";
    for (let at = number; at < boards.length; at += this.size) text += String.fromCharCode(boards[at] ?? 0);
    return text;
  }

  /** The pieces as the side to move sees them, a letter for each square. @param {Place} place */
  seen({ number, image }) {
    const to = this.about.squares[image] ?? [];
    /** @type {string[]} */
    const letters = [];
    [...this.looks(number)].forEach((letter, square) => (letters[to[square] ?? 0] = letter));
    return letters.join("");
  }

  /** Whether moves are squares. */
  get numbered() {
    return this.about.numbered;
  }

  /** @returns {Place} */
  get start() {
    return { number: 0, image: 0, side: 0 };
  }

  /**
   * A position's value and distance.
   * @param {Place} place
   * @returns {Entry}
   */
  entry(place) {
    const [value, distance, margin] = this.about.grades[this.at("grades", place.number)] ?? [0, null];
    return margin === undefined ? { value, distance } : { value, distance, margin };
  }

  /**
   * The piece on each square, in reading order.
   * @param {Place} place
   * @returns {Square[]}
   */
  board({ number, image, side }) {
    const { kinds } = this;
    const to = this.about.squares[image] ?? [];
    /** @type {Square[]} */
    const seen = [];
    [...this.looks(number)].forEach((letter, square) => {
      const code = letter.charCodeAt(0);
      const owner = code > kinds ? 1 - side : side;
      seen[to[square] ?? 0] = code === 0 ? null : { owner, kind: (code - 1) % kinds };
    });
    return side === 0 ? seen : this.about.second.map((square) => seen[square] ?? null);
  }

  /**
   * The position with these pieces, if there is one.
   * @param {Square[]} squares
   * @param {number} side
   * @returns {Place | undefined}
   */
  find(squares, side) {
    const { kinds } = this;
    /** @type {number[]} */
    const seen = [];
    squares.forEach((at, square) => {
      const code = at ? 1 + at.kind + (at.owner === side ? 0 : kinds) : 0;
      seen[side === 0 ? square : (this.about.second[square] ?? 0)] = code;
    });
    for (const [image, to] of this.about.squares.entries()) {
      let looks = "";
      for (const square of to) looks += String.fromCharCode(seen[square] ?? 0);
      const number = this.classes.get(looks);
      if (number !== undefined) return { number, image, side };
    }
    return undefined;
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
    const found = this.find(squares, side);
    const other = found ?? this.find(squares, 1 - side);
    const plies = this.plies?.[other?.number ?? 0] ?? 0;
    if (other && this.about.counted && plies % 2 !== side) {
      const turn = `after ${plies} ${plies === 1 ? "ply" : "plies"} it is ${data.sides[1 - side]}'s turn`;
      throw new Refusal(`${writeBoard(data, squares, side)} cannot be: ${turn}`);
    }
    if (!found) throw new Refusal(`${text} cannot be reached by legal play from the start`);
    return found;
  }

  /** The side that has won, and by how many points the side to move is ahead. @param {Place} place */
  end(place) {
    const { value, margin } = this.entry(place);
    const winner = value === 0 ? null : value === 1 ? place.side : 1 - place.side;
    return margin === undefined ? { winner } : { winner, margin };
  }

  /**
   * The legal moves by number.
   * @param {Place} place
   * @returns {Step[]}
   */
  steps({ number, image, side }) {
    const [first = 0, end = 0] = [this.firsts?.[number], this.firsts?.[number + 1]];
    return Array.from({ length: end - first }, (_, i) => {
      const edge = first + i;
      const label = this.about.labelled[image]?.[this.at("labels", edge)] ?? 0;
      const [order, ...names] = this.about.labels[label] ?? [0, "", ""];
      const then = this.then[this.at("images", edge)]?.[image] ?? 0;
      return {
        order,
        move: names[side] ?? "",
        child: { number: this.at("children", edge), image: then, side: this.bit("again", edge) ? side : 1 - side },
        chosen: this.bit("chosen", edge),
      };
    }).sort((a, b) => a.order - b.order);
  }

  /**
   * The lines that have won.
   * @param {Place} place
   */
  rows({ number, image, side }) {
    const to = this.about.squares[image] ?? [];
    const { second } = this.about;
    /** @param {number} square */
    const moved = (square) => (side === 0 ? (to[square] ?? 0) : second.indexOf(to[second[square] ?? 0] ?? 0));
    const rows = this.about.rows[this.at("rows", number)]?.[side] ?? [];
    return rows.map((row) => row.map(moved).sort((a, b) => a - b));
  }
}
