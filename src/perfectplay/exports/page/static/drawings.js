// What explanations draw on a board: threats as rings, arrows and dashed lines, the moves of a line as numbers.

import { drawn } from "./board.js";
import { svg } from "./dom.js";
import { canStand, squareName } from "./squares.js";

/** @typedef {import("./types.js").Drawn} Drawn */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Square} Square */
/** @typedef {{threats: Drawn[], line: Drawn[]}} Drawing */

/** @type {Drawing} */
export const NOTHING_DRAWN = { threats: [], line: [] };
/** Numbers on the board at most: more than that nobody reads. */
export const MOST = 9;
const CORNER = 3;

/**
 * The shapes of a drawing, and what it says of each square in words.
 * @param {GameData} data
 * @param {Square[]} squares what stands on the board
 * @param {Drawing} drawing
 */
export function shapesOf(data, squares, drawing) {
  const [threats, line] = [drawing.threats, drawing.line.slice(0, MOST)];
  /** @type {Map<number, string>} */
  const words = new Map();
  /** @param {number} square @param {string} text */
  const say = (square, text) => words.set(square, [words.get(square), text].filter(Boolean).join(", "));
  for (const one of threats) for (const square of one.to) say(square, `${data.names[one.side]} threatens ${one.move}`);
  const targets = numbered(data, line);
  for (const [square, plies] of targets)
    for (const ply of plies) say(square, `move ${ply} of the line: ${data.names[line[ply - 1]?.side ?? 0]} ${line[ply - 1]?.move}`);
  const threatened = new Set(threats.flatMap((one) => one.to));
  const last = line.length === drawing.line.length ? (line.at(-1)?.rows ?? []) : [];
  const shapes = [
    ...unique(threats.flatMap((one) => one.rows)).map((row) => rowShape(data, row, "threatened")),
    ...last.map((row) => rowShape(data, row, "completed")),
    ...[...threatened].filter((square) => !targets.has(square)).map((square) => ring(data, square)),
    ...threats.flatMap((one) => arrows(data, one, "threat")),
    ...line.flatMap((one) => arrows(data, one, one.side === 0 ? "first" : "second")),
    ...[...targets].map(([square, plies]) => numberOn(data, squares, square, plies, line, threatened.has(square))),
  ];
  return { shapes, words };
}

/**
 * The moves of a line that go to each square, counted from 1.
 * @param {GameData} data
 * @param {Drawn[]} line
 */
function numbered(data, line) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  line.forEach(({ to, move }, i) => {
    const square = to.find((one) => squareName(data, one) === move) ?? to[0]; // a move may change other squares, too
    if (square !== undefined) found.set(square, [...(found.get(square) ?? []), i + 1]);
  });
  return found;
}

/** Each of some lines once. @param {number[][]} rows */
function unique(rows) {
  return rows.filter((row, i) => rows.findIndex((other) => other.join() === row.join()) === i);
}

/** @param {GameData} data @param {number} square @returns {[number, number]} */
function centre(data, square) {
  return data.art.places[square] ?? [0, 0];
}

/**
 * A line through squares: dashed if it is threatened, full if the last move completes it.
 * @param {GameData} data
 * @param {number[]} row
 * @param {"threatened" | "completed"} kind
 */
function rowShape(data, row, kind) {
  const [[x1, y1], [x2, y2]] = [centre(data, row[0] ?? 0), centre(data, row.at(-1) ?? 0)];
  const ends = { x1, y1, x2, y2 };
  return svg("g", { class: `row-drawn ${kind}` }, svg("line", { ...ends, class: "casing" }), svg("line", ends));
}

/**
 * A ring around a square on which a threat is carried out, with an exclamation mark.
 * @param {GameData} data
 * @param {number} square
 */
function ring(data, square) {
  const [x, y] = centre(data, square);
  const around = svg("circle", { r: 3.9, class: "threat-ring" });
  return svg("g", { class: "threat", transform: `translate(${x} ${y})` }, around, exclamation(0));
}

/** The mark of a threat. @param {number} [at] how far from the centre */
function exclamation(at = CORNER) {
  const place = at ? `translate(${-at} ${-at})` : "scale(1.25)";
  return svg("g", { class: "alarm", transform: place }, svg("circle", { r: 1.6 }), svg("text", { "font-size": 2.6, dy: "0.36em" }, "!"));
}

/**
 * Arrows from the squares that a move leaves to those that it goes to.
 * @param {GameData} data
 * @param {Drawn} one
 * @param {string} kind
 */
function arrows(data, { from, to }, kind) {
  const [target] = to;
  if (target === undefined) return [];
  return from.filter((square) => square !== target).map((square) => arrow(centre(data, square), centre(data, target), kind));
}

/**
 * @param {[number, number]} from
 * @param {[number, number]} to
 * @param {string} kind
 */
function arrow([x1, y1], [x2, y2], kind) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
  const [tip, tail] = [long - 2.2, 1.5];
  /** @param {number} along @param {number} aside */
  const at = (along, aside) => `${(x1 + dx * along - dy * aside).toFixed(2)} ${(y1 + dy * along + dx * aside).toFixed(2)}`;
  const shaft = `M${at(tail, 0.45)} L${at(tip - 1.8, 0.45)} L${at(tip - 1.8, 1.3)} L${at(tip, 0)}`;
  const back = `L${at(tip - 1.8, -1.3)} L${at(tip - 1.8, -0.45)} L${at(tail, -0.45)} Z`;
  return svg("path", { class: `arrow ${kind}`, d: `${shaft} ${back}` });
}

/**
 * The numbers of the moves that go to a square, on a ghost of the piece that is put there.
 * @param {GameData} data
 * @param {Square[]} squares
 * @param {number} square
 * @param {number[]} plies
 * @param {Drawn[]} line
 * @param {boolean} threatened
 */
function numberOn(data, squares, square, plies, line, threatened) {
  const [x, y] = centre(data, square);
  const first = line[(plies[0] ?? 1) - 1];
  const side = first?.side ?? 0;
  const kinds = data.pieces[side] ?? [];
  const put = !squares[square] && !first?.from.length;
  const kind = kinds.findIndex((_, one) => canStand(data, side, square, { owner: side, kind: one }));
  const plain = put && (kinds.length === 1 || data.art.board !== "checks");
  const ghost = plain ? [svg("g", { class: "ghost" }, drawn(data, { owner: side, kind: Math.max(0, kind) }))] : [];
  const text = plies.join(" ");
  const wide = Math.max(1.7, 0.65 * text.length + 0.8);
  const label = svg(
    "g",
    { class: `ply ${side === 0 ? "first" : "second"}`, transform: squares[square] ? `translate(${CORNER} ${-CORNER}) scale(0.9)` : "" },
    svg("rect", { x: -wide, y: -1.7, width: 2 * wide, height: 3.4, rx: 1.7 }),
    svg("text", { "font-size": 2.4, dy: "0.36em" }, text),
  );
  const parts = [...ghost, label, ...(threatened ? [exclamation()] : [])];
  return svg("g", { transform: `translate(${x} ${y})` }, ...parts);
}
