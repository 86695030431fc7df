// The squares of a board: what stands on them, and which moves a click on one may mean.

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Square} Square */

/**
 * What stands on each square of a position, in reading order.
 * @param {GameData} data
 * @param {string} text
 * @returns {Square[]}
 */
export function readBoard(data, text) {
  const [letter = "", board = ""] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  const side = data.sides[0].toLowerCase().startsWith(letter.toLowerCase()) ? 0 : 1;
  const named = new Map([1 - side, side].flatMap((owner) => (data.pieces[owner] ?? []).map((name) => [name, owner])));
  const names = [...named.keys()].sort((a, b) => b.length - a.length);
  /** @type {Square[]} */
  const squares = [];
  for (let rest = board.replaceAll("/", ""); rest !== "";) {
    const name = names.find((one) => rest.startsWith(one));
    squares.push(name === undefined ? null : { owner: named.get(name) ?? 0, name });
    rest = rest.slice(name?.length ?? 1);
  }
  return squares;
}

/**
 * A position as text.
 * @param {GameData} data
 * @param {Square[]} squares
 * @param {number} side
 */
export function writeBoard(data, squares, side) {
  const width = data.shape[0];
  const rows = [];
  for (let i = 0; i < squares.length; i += width) {
    rows.push(
      squares
        .slice(i, i + width)
        .map((at) => at?.name ?? ".")
        .join(""),
    );
  }
  return `${data.sides[side]?.[0]}:${rows.join("/")}`;
}

/**
 * The name of a square, as its labels say.
 * @param {GameData} data
 * @param {number} square
 */
export function squareName(data, square) {
  const width = data.shape[0];
  const column = data.columns[square % width] ?? "";
  const row = data.rows[Math.floor(square / width)] ?? "";
  return row === "" ? `column ${column}, row ${data.shape[1] - Math.floor(square / width)}` : column + row;
}

/**
 * The moves that a click on a square may mean: those that go there, or where moves are columns, the column's.
 * @param {GameData} data
 * @param {LegalMove[]} moves
 * @param {number} square
 */
export function movesTo(data, moves, square) {
  const column = data.columns[square % data.shape[0]];
  return moves.filter((move) => move.to.includes(square) || move.move === column);
}

/**
 * The moves of the piece on a square, where pieces move.
 * @param {LegalMove[]} moves
 * @param {number} square
 */
export function movesFrom(moves, square) {
  const alike = new Set(moves.map((move) => move.from.join())).size < 2;
  return alike ? [] : moves.filter((move) => move.from.includes(square));
}
