// The rules and the search of a game as WebAssembly. Words are BigInts; there is one search at a time.

/** @typedef {[mine: bigint, theirs: bigint]} Words a position, the side to move first */
/** @typedef {{low: number, high: number}} Bounds of a position's score */

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(mine: bigint, theirs: bigint) => bigint} moves
 * @property {(mine: bigint, theirs: bigint, move: bigint) => Words} play
 * @property {(mine: bigint, theirs: bigint) => bigint} outcome
 * @property {(mine: bigint, theirs: bigint) => Words} smallest
 * @property {(mine: bigint, theirs: bigint) => bigint} [key]
 * @property {(number: bigint) => Words} [unkey]
 * @property {(mine: bigint, theirs: bigint) => bigint} [plies_left]
 * @property {(mine: bigint, theirs: bigint) => void} begin
 * @property {(nodes: bigint) => bigint} search
 * @property {(begin: bigint, end: bigint, to: bigint) => bigint} [expand]
 */

/**
 * @typedef {object} Layout
 * @property {number} work where the state of a search is
 * @property {number} pool where memory is free
 * @property {Record<"low" | "high" | "goal" | "nodes" | "style" | "state", number>} words
 * @property {number} top the score of a win at once
 */

/**
 * How to search: what for, until when, and who can cancel it.
 * @typedef {object} How
 * @property {bigint} [style]
 * @property {number} [goal] of a single test
 * @property {(bounds: Bounds) => boolean} [enough]
 * @property {number} [nodes] the most nodes
 * @property {number} [time] the most milliseconds
 * @property {AbortSignal | undefined} [signal]
 */

/** What a search does: the result first, the nearest ends first, or a single test of a goal. */
export const STYLES = { result: 0n, deepen: 1n, test: 2n };
export const ONGOING = 2;
const SLICE = 30;
const FIRST_SLICE = 20_000;
const LEAST_SLICE = 2_000;
const TURN = 250;

export class Machine {
  /**
   * @param {Exports} code
   * @param {Layout} layout
   */
  constructor(code, layout) {
    this.code = code;
    this.layout = layout;
    /** Nodes that take about SLICE milliseconds here. */
    this.nodes = FIRST_SLICE;
    /** @type {Promise<unknown>} the last search in the queue */
    this.last = Promise.resolve();
    this.waiting = 0;
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} code
   * @param {Layout} layout
   */
  static async from(code, layout) {
    const { instance } = await WebAssembly.instantiate(code);
    return new Machine(/** @type {Exports} */ (/** @type {unknown} */ (instance.exports)), layout);
  }

  /** -1, 0 or 1 for the side to move, or ONGOING. @param {Words} words */
  outcome(words) {
    return Number(this.code.outcome(...words));
  }

  /** The legal moves by number; none when the game is over. @param {Words} words */
  moves(words) {
    /** @type {number[]} */
    const found = [];
    if (this.outcome(words) !== ONGOING) return found;
    const moves = this.code.moves(...words);
    for (let move = 0; moves >> BigInt(move); move++) if ((moves >> BigInt(move)) & 1n) found.push(move);
    return found;
  }

  /** The position after a move. @param {Words} words @param {number} move */
  play(words, move) {
    return this.code.play(...words, BigInt(move));
  }

  /** The plies until a draw, where the rules tell. @param {Words} words */
  left(words) {
    return this.code.plies_left ? Number(this.code.plies_left(...words)) : null;
  }

  /**
   * Narrows the bounds of a position, slice by slice, until `enough`, or for a turn if others wait.
   * @param {Words} words
   * @param {Bounds} bounds what is known; it is narrowed
   * @param {How} how
   * @returns {Promise<{final: boolean, took: number}>} whether a search proves no more, and the milliseconds spent
   */
  async narrow(words, bounds, how) {
    const before = this.last;
    let done = () => {};
    this.last = new Promise((free) => (done = () => free(undefined)));
    this.waiting += 1;
    await before;
    this.waiting -= 1;
    try {
      how.signal?.throwIfAborted();
      this.begin(words, bounds, how.style ?? STYLES.result, how.goal ?? 0);
      return await this.slices(bounds, how);
    } finally {
      done();
    }
  }

  /**
   * @param {Bounds} bounds
   * @param {How} how
   */
  async slices(bounds, { enough, nodes = Infinity, time = Infinity, signal }) {
    const begin = performance.now();
    for (let spent = 0; ; spent = this.word("nodes")) {
      const now = performance.now();
      const slice = Math.min(this.nodes, nodes - spent);
      const final = this.code.search(BigInt(slice)) !== 0n;
      [bounds.low, bounds.high] = [this.word("low"), this.word("high")];
      const [took, all] = [performance.now() - now, performance.now() - begin];
      if (slice === this.nodes && !final) this.nodes = Math.max(LEAST_SLICE, Math.round((slice * SLICE) / Math.max(took, 1)));
      if (final || enough?.(bounds) || this.word("nodes") >= nodes || all > time) return { final, took: all };
      await new Promise((then) => setTimeout(then));
      signal?.throwIfAborted();
      if (this.waiting && all > TURN) return { final, took: all };
    }
  }

  /**
   * Starts a search; what is known before narrows it.
   * @param {Words} words
   * @param {Bounds} bounds
   * @param {bigint} style
   * @param {number} goal
   */
  begin(words, bounds, style, goal) {
    const { words: at } = this.layout;
    const state = this.state;
    state.fill(0n);
    state[at.style] = style;
    this.code.begin(...words);
    const [low, high] = [this.word("low"), this.word("high")];
    state[at.low] = BigInt(Math.max(low, Math.min(bounds.low, high)));
    state[at.high] = BigInt(Math.min(high, Math.max(bounds.high, low)));
    state[at.goal] = BigInt(goal);
  }

  /** The state of the search. */
  get state() {
    return new BigInt64Array(this.code.memory.buffer, this.layout.work, this.layout.words.state);
  }

  /** A word of the search. @param {keyof Layout["words"]} name */
  word(name) {
    return Number(this.state[this.layout.words[name]]);
  }

  /** Memory for so many keys, which no search uses. @param {number} count */
  pool(count) {
    const { memory } = this.code;
    const missing = this.layout.pool + 8 * count - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    return new BigInt64Array(memory.buffer, this.layout.pool, count);
  }
}
