// Sharing: the link, the board as text, pictures of it, the whole game as a GIF, and the page that needs no server.

import { MARK, ask, fetched, link } from "./api.js";
import { button, byId, refill } from "./dom.js";
import { download, fileName } from "./download.js";
import { Gif } from "./gif.js";
import { Easel } from "./picture.js";
import { pieceName, readBoard } from "./squares.js";
import { numberOf } from "./words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Ply} Ply */

/**
 * What there is to share.
 * @typedef {object} Shared
 * @property {Ply[]} plies
 * @property {number} ply the one on the board
 * @property {number[][]} rows lines that have won there
 */

const LONG_SIDE = { picture: 640, frame: 480 };
const SHARP = 2;
const EACH = 80;
const LAST = 250;
const MOST_FRAMES = 200;

/**
 * The buttons; those that cannot work here are not shown.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Shared} shared
 */
export function showShare(holder, data, shared) {
  const ply = shared.plies[shared.ply];
  if (!ply) return;
  const file = fileName(data.game);
  const [online, sends] = [location.protocol !== "file:", typeof navigator.share === "function"];
  const page = async () => download(`${file}.html`, await fetched(link("export", { game: data.game, format: "html" })));
  const png = async () => download(`${file}.png`, await picture(data, ply, shared.rows));
  /** @type {[boolean, Node][]} */
  const found = [
    [sends, button("Share …", () => void told(() => send(data, ply, shared.rows)), { id: "send" })],
    [online, button("Copy link", () => void told(() => copied(location.href, "The link is copied.")))],
    [true, button("Copy board as text", () => void told(() => copied(asText(data, ply), "The board is copied.")))],
    [true, button("Save picture", () => void told(png))],
    [true, button("Save SVG", () => void told(async () => download(`${file}.svg`, drawing(data, ply, shared.rows))))],
    [shared.plies.length > 1, button("Save GIF of the game", () => void told(() => animation(data, shared, file)))],
    [MARK === "?" && (data.solved || data.solvable), button("Save offline page", () => void told(page))],
  ];
  refill(holder, ...found.flatMap(([works, one]) => (works ? [one] : [])));
}

/**
 * Does something, and says what became of it.
 * @param {() => Promise<string | void>} act
 */
async function told(act) {
  const said = byId("shared");
  said.textContent = "";
  try {
    said.textContent = (await act()) ?? "Saved.";
  } catch (fault) {
    const cancelled = fault instanceof DOMException && fault.name === "AbortError";
    said.textContent = cancelled ? "" : `That did not work: ${/** @type {Error} */ (fault).message}`;
  }
}

/**
 * Copies a text, or shows it where the browser does not let pages copy.
 * @param {string} text
 * @param {string} done
 */
async function copied(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    return done;
  } catch {
    return text;
  }
}

/**
 * Hands picture and link to the system's own sheet for sharing.
 * @param {GameData} data
 * @param {Ply} ply
 * @param {number[][]} rows
 */
async function send(data, ply, rows) {
  const image = new File([await picture(data, ply, rows)], `${fileName(data.game)}.png`, { type: "image/png" });
  /** @type {ShareData} */
  const whole = { title: data.title, ...(location.protocol === "file:" ? {} : { url: location.href }) };
  await navigator.share(navigator.canShare?.({ files: [image] }) ? { ...whole, files: [image] } : whole);
  return "";
}

/**
 * The board with its labels, in plain text.
 * @param {GameData} data
 * @param {Ply} ply
 */
export function asText(data, ply) {
  const [width, names] = [data.shape[0], readBoard(data, ply.position).map((at) => pieceName(data, at))];
  const texts = data.text.lines.flat().map((part) => (Array.isArray(part) ? part[0] : ""));
  const wide = Math.max(...[...data.columns, ...texts, ...names].map((text) => text.length));
  const margin = Math.max(...data.rows.map((label) => label.length));
  /** As Python centres texts, so that this is what the terminal shows. @param {string} text @param {string} [fill] */
  const centred = (text, fill = " ") => {
    const room = wide - text.length;
    return text.padStart(text.length + (room >> 1) + (room & wide & 1), fill).padEnd(wide, fill);
  };
  /** @param {string | number | [string, string]} part */
  const written = (part) =>
    typeof part === "string" ? part : typeof part === "number" ? centred(names[part] ?? "") : centred(...part);
  if (data.text.lines.length) return data.text.lines.map((line) => line.map(written).join("").trimEnd()).join("\n");
  const lines = data.rows.map((label, y) => [
    label.padStart(margin),
    ...names.slice(y * width, (y + 1) * width).map((name) => centred(name)),
  ]);
  return [["".padStart(margin), ...data.columns.map((label) => centred(label))], ...lines].map((line) => line.join(" ").trimEnd()).join("\n");
}

/**
 * How wide a picture is whose longer side is so long.
 * @param {Easel} easel
 * @param {number} side
 */
function widthFor(easel, side) {
  const [wide = 1, high = 1] = easel.size;
  return Math.round((side * wide) / Math.max(wide, high));
}

/**
 * The board as an SVG file.
 * @param {GameData} data
 * @param {Ply} ply
 * @param {number[][]} rows
 */
function drawing(data, ply, rows) {
  const easel = new Easel(data);
  try {
    return new Blob([easel.svg(ply, rows, widthFor(easel, LONG_SIDE.picture))], { type: "image/svg+xml" });
  } finally {
    easel.close();
  }
}

/**
 * The board as PNG, sharp on good screens.
 * @param {GameData} data
 * @param {Ply} ply
 * @param {number[][]} rows
 * @returns {Promise<Blob>}
 */
async function picture(data, ply, rows) {
  const easel = new Easel(data);
  try {
    const { canvas } = await easel.painted(ply, rows, SHARP * widthFor(easel, LONG_SIDE.picture));
    return await new Promise((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is empty"))), "image/png"),
    );
  } finally {
    easel.close();
  }
}

/**
 * Saves all positions as an animated GIF; of a very long game the last ones.
 * @param {GameData} data
 * @param {Shared} shared
 * @param {string} file
 */
async function animation(data, shared, file) {
  const plies = shared.plies.slice(-MOST_FRAMES);
  const [last, bar] = [plies.length - 1, /** @type {HTMLProgressElement} */ (byId("share-progress"))];
  const ended = shared.ply === shared.plies.length - 1 ? shared.rows : await rowsAt(data, plies[last]);
  const easel = new Easel(data);
  bar.hidden = false;
  try {
    /** @type {Gif | null} */
    let gif = null;
    for (const [i, ply] of plies.entries()) {
      bar.value = i / plies.length;
      const { canvas, brush } = await easel.painted(ply, i === last ? ended : [], widthFor(easel, LONG_SIDE.frame));
      gif ??= new Gif(canvas.width, canvas.height);
      gif.add(brush.getImageData(0, 0, canvas.width, canvas.height).data, i === last ? LAST : EACH);
    }
    if (gif) download(`${file}.gif`, new Blob([gif.bytes()], { type: "image/gif" }));
  } finally {
    easel.close();
    bar.hidden = true;
  }
  return `GIF saved: ${numberOf(plies.length, "position")}${plies.length < shared.plies.length ? ", the last of the game" : ""}.`;
}

/**
 * The lines that have won in a position.
 * @param {GameData} data
 * @param {Ply | undefined} ply
 * @returns {Promise<number[][]>}
 */
async function rowsAt(data, ply) {
  const line = await ask("line", { game: data.game, position: ply?.position ?? "" });
  return line.here.rows;
}
