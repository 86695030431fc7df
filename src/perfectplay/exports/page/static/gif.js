// An animated GIF (GIF89a): one palette for all frames, and of each frame only what has changed.

const MOST_CODES = 4096;
const MOST_COLOURS = 256;
const BLOCK = 255;

/** @typedef {{x: number, y: number, width: number, height: number, bins: Uint16Array, delay: number}} Frame */

export class Gif {
  /**
   * @param {number} width
   * @param {number} height
   */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    /** @type {Frame[]} */
    this.frames = [];
    /** The last frame, each pixel as its bin: five bits of red, green and blue. */
    this.last = new Uint16Array(width * height);
    /** How many pixels of the frames are in each bin, and the sums of their colours. */
    this.counts = new Uint32Array(1 << 15);
    this.sums = new Float64Array(3 << 15);
  }

  /**
   * Adds a picture, which stays for so many hundredths of a second.
   * @param {Uint8ClampedArray} pixels red, green, blue and opacity of each
   * @param {number} delay
   */
  add(pixels, delay) {
    const { width, height, counts, sums } = this;
    const now = new Uint16Array(width * height);
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let i = 0; i < now.length; i++) {
      const [r = 0, g = 0, b = 0] = [pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]];
      const bin = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
      now[i] = bin;
      if (this.frames.length > 0 && bin === this.last[i]) continue;
      const [x, y] = [i % width, Math.floor(i / width)];
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
      counts[bin] = (counts[bin] ?? 0) + 1;
      [r, g, b].forEach((part, k) => (sums[3 * bin + k] = (sums[3 * bin + k] ?? 0) + part));
    }
    if (right < 0) [left, top, right, bottom] = [0, 0, 0, 0]; // nothing has changed, and a frame has a pixel at least
    const [wide, high] = [right - left + 1, bottom - top + 1];
    const bins = new Uint16Array(wide * high);
    for (let y = 0; y < high; y++)
      bins.set(now.subarray((top + y) * width + left, (top + y) * width + right + 1), y * wide);
    this.frames.push({ x: left, y: top, width: wide, height: high, bins, delay });
    this.last = now;
  }

  /** The file. */
  bytes() {
    const { colours, index } = this.palette();
    const bits = Math.max(2, Math.ceil(Math.log2(Math.max(2, colours.length))));
    const out = [..."GIF89a"].map((letter) => letter.charCodeAt(0));
    out.push(...word(this.width), ...word(this.height), 0x80 | (bits - 1), 0, 0);
    for (let i = 0; i < 1 << bits; i++) out.push(...(colours[i] ?? [0, 0, 0]));
    out.push(0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((letter) => letter.charCodeAt(0)), 3, 1, 0, 0, 0); // for ever
    /** @type {Uint8Array[]} */
    const parts = [Uint8Array.from(out)];
    for (const { x, y, width, height, bins, delay } of this.frames) {
      const head = [0x21, 0xf9, 4, 4, ...word(delay), 0, 0, 0x2c, ...word(x), ...word(y), ...word(width), ...word(height)];
      parts.push(Uint8Array.from([...head, 0, bits]), blocks(compressed(bins, index, bits)));
    }
    parts.push(Uint8Array.of(0x3b));
    return joined(parts);
  }

  /** The most frequent colours, and for each bin the number of the nearest. */
  palette() {
    const { counts, sums } = this;
    const used = [...counts.keys()].filter((bin) => (counts[bin] ?? 0) > 0);
    used.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
    /** @param {number} bin */
    const mean = (bin) => [0, 1, 2].map((k) => Math.round((sums[3 * bin + k] ?? 0) / (counts[bin] || 1)));
    const colours = used.slice(0, MOST_COLOURS).map(mean);
    const index = new Uint8Array(1 << 15);
    used.forEach((bin, i) => (index[bin] = i < MOST_COLOURS ? i : nearest(colours, mean(bin))));
    return { colours, index };
  }
}

/**
 * The number of the colour that differs least.
 * @param {number[][]} colours
 * @param {number[]} wanted
 */
function nearest(colours, wanted) {
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  colours.forEach((colour, i) => {
    const far = colour.reduce((sum, part, k) => sum + (part - (wanted[k] ?? 0)) ** 2, 0);
    if (far < least) [found, least] = [i, far];
  });
  return found;
}

/**
 * The pixels compressed by LZW, with codes that grow from bits + 1 to 12 bits.
 * @param {Uint16Array} bins
 * @param {Uint8Array} index
 * @param {number} bits
 */
function compressed(bins, index, bits) {
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  /** @type {number[]} */
  const out = [];
  let [held, count, size, next] = [0, 0, bits + 1, end + 1];
  /** @type {Map<number, number>} the code of each known run: the code of all but its last pixel, and that pixel */
  let known = new Map();
  /** @param {number} code */
  const put = (code) => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8) {
      out.push(held & 0xff);
      held >>>= 8;
    }
  };
  put(clear);
  let run = index[bins[0] ?? 0] ?? 0;
  for (let i = 1; i < bins.length; i++) {
    const pixel = index[bins[i] ?? 0] ?? 0;
    const longer = known.get((run << 8) | pixel);
    if (longer !== undefined) {
      run = longer;
      continue;
    }
    put(run);
    if (next === MOST_CODES) {
      put(clear);
      [known, size, next] = [new Map(), bits + 1, end + 1];
    } else {
      if (next >= 1 << size) size += 1;
      known.set((run << 8) | pixel, next);
      next += 1;
    }
    run = pixel;
  }
  put(run);
  put(end);
  if (count > 0) out.push(held & 0xff);
  return out;
}

/**
 * The bytes in blocks, each after its length, and an empty one.
 * @param {number[]} bytes
 */
function blocks(bytes) {
  /** @type {Uint8Array[]} */
  const parts = [];
  for (let i = 0; i < bytes.length; i += BLOCK) {
    const block = bytes.slice(i, i + BLOCK);
    parts.push(Uint8Array.from([block.length, ...block]));
  }
  return joined([...parts, Uint8Array.of(0)]);
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A number as two bytes, the lower first. @param {number} number */
function word(number) {
  return [number & 0xff, (number >> 8) & 0xff];
}
