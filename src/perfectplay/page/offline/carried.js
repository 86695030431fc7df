// The game in this file: symmetry classes of positions, and moves from each to images of others. It has no rules.

/** @typedef {import("../static/types.js").GameData} GameData */
/** @typedef {import("../static/types.js").Square} Square */
/** @typedef {{value: number, distance: number | null}} Entry a position's value to the side to move */
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
 * @property {[number, number | null][]} grades
 * @property {[number[][], number[][]][]} rows lines that have won, as either side sees them
 * @property {[noise: number, depth: number][]} levels
 * @property {boolean} numbered whether moves are squares
 * @property {boolean} counted whether the plies made tell who is to move
 * @property {[name: string, size: number, width: number, steps: 0 | 1][]} planes
 */

/**
 * The decompressed bytes of a text.
 * @param {string} text
 */
export async function inflated(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Carried {
  /**
   * @param {GameData} data
   * @param {Uint8Array} bytes
   */
  constructor(data, bytes) {
    this.data = data;
    this.kinds = Math.max(...data.pieces.map((names) => names.length));
    const length = new DataView(bytes.buffer).getUint32(0, true);
    /** @type {About} */
    this.about = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    /** @type {Record<string, Uint32Array>} */
    const planes = {};
    let at = 4 + length;
    for (const [name, size, width, steps] of this.about.planes) {
      const plane = (planes[name] = new Uint32Array(size));
      const most = 2 ** (8 * width);
      for (let byte = 0; byte < width; byte++)
        for (let i = 0; i < size; i++) plane[i] = (plane[i] ?? 0) | ((bytes[at++] ?? 0) << (8 * byte));
      if (steps) for (let i = 1; i < size; i++) plane[i] = ((plane[i] ?? 0) + (plane[i - 1] ?? 0)) % most;
    }
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
    const [value, distance] = this.about.grades[this.at("grades", place.number)] ?? [0, null];
    return { value, distance };
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
      const name = this.data.pieces[owner]?.[(code - 1) % kinds] ?? "";
      seen[to[square] ?? 0] = code === 0 ? null : { owner, name };
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
      const kind = at ? (this.data.pieces[at.owner]?.indexOf(at.name) ?? 0) : 0;
      const code = at ? 1 + kind + (at.owner === side ? 0 : kinds) : 0;
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
        child: { number: this.at("children", edge), image: then, side: 1 - side },
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
