// The opening book: the values of all positions up to some ply, which the rules find again, in the order of keys.

/** @typedef {import("./machine.js").Machine} Machine */
/** @typedef {import("./machine.js").Words} Words */
/** @typedef {import("../offline/carried.js").Entry} Entry */

export class Book {
  /**
   * @param {Machine} machine
   * @param {Words} start
   * @param {{plies: number[], again: boolean, grades: [number, number][]}} about where each ply ends among the values
   * @param {Uint32Array} values
   * @param {number} moves how many moves there can be
   */
  constructor(machine, start, about, values, moves) {
    this.machine = machine;
    this.about = about;
    this.values = values;
    this.moves = moves;
    /** @type {BigInt64Array[]} the keys of each ply, sorted */
    this.plies = [];
    for (const [ply, end] of about.plies.entries()) {
      const before = this.plies[ply - 1];
      this.plies.push(before ? this.after(before) : BigInt64Array.of(this.key(start)));
      if (this.plies[ply]?.length !== end - (about.plies[ply - 1] ?? 0)) throw new Error("the opening book is damaged");
    }
  }

  /** The key of a position's class. @param {Words} words */
  key(words) {
    return this.machine.code.key?.(...this.machine.code.smallest(...words)) ?? 0n;
  }

  /** The keys of the next ply. @param {BigInt64Array} keys */
  after(keys) {
    const { machine } = this;
    const count = keys.length;
    machine.pool(count * (this.moves + 1)).set(keys);
    const end = Number(machine.code.expand?.(0n, BigInt(count), BigInt(count)) ?? count);
    const sorted = machine.pool(end).slice(count).sort();
    let [found, last] = [0, -1n];
    for (const key of sorted) {
      if (key !== last && !(this.about.again && this.plies.some((ply) => place(ply, key) >= 0))) sorted[found++] = key;
      last = key;
    }
    return sorted.slice(0, found);
  }

  /**
   * The entry of a position, if the book has it.
   * @param {Words} words
   * @returns {Entry | undefined}
   */
  find(words) {
    if (!this.plies.length) return undefined;
    const key = this.key(words);
    for (let ply = this.plies.length - 1; ply >= 0; ply--) {
      const at = place(this.plies[ply] ?? new BigInt64Array(), key);
      if (at < 0) continue;
      const grade = this.about.grades[this.values[at + (this.about.plies[ply - 1] ?? 0)] ?? 0];
      return grade && { value: grade[0], distance: grade[1] };
    }
    return undefined;
  }
}

/** Where a key is among sorted ones, or -1. @param {BigInt64Array} keys @param {bigint} key */
function place(keys, key) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? 0n) < key) low = middle + 1;
    else high = middle;
  }
  return keys[low] === key ? low : -1;
}
