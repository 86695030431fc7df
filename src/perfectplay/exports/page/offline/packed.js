// Bytes in a page: compressed, a header in JSON and planes of numbers.

/** @typedef {[name: string, size: number, width: number, steps: 0 | 1]} Plane */

/**
 * The decompressed bytes of a text.
 * @param {string} text
 */
export async function inflated(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The header and the planes by name.
 * @param {Uint8Array} bytes
 * @returns {{about: any, planes: Record<string, Uint32Array>}}
 */
export function unpacked(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const about = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  /** @type {Record<string, Uint32Array>} */
  const planes = {};
  let at = 4 + length;
  for (const [name, size, width, steps] of /** @type {Plane[]} */ (about.planes)) {
    const plane = (planes[name] = new Uint32Array(size));
    const most = 2 ** (8 * width);
    for (let byte = 0; byte < width; byte++)
      for (let i = 0; i < size; i++) plane[i] = (plane[i] ?? 0) | ((bytes[at++] ?? 0) << (8 * byte));
    if (steps) for (let i = 1; i < size; i++) plane[i] = ((plane[i] ?? 0) + (plane[i - 1] ?? 0)) % most;
  }
  return { about, planes };
}
