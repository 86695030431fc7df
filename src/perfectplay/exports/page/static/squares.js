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
  const names = [...new Set(data.pieces.flat())].sort((a, b) => b.length - a.length);
  const { rows, comma } = data.text;
  /** @type {Square[]} */
  const squares = data.art.places.map(() => null);
  const texts = board.split("/");
  for (const [y, row] of rows.entries()) {
    let rest = texts[y] ?? "";
    for (const square of row) {
      const name = names.find((one) => rest.startsWith(one));
      if (name !== undefined) squares[square] = standing(data, side, square, name);
      rest = rest.slice((name?.length ?? 1) + comma.length);
    }
  }
  return squares;
}

/**
 * Which piece a name means on a square: one of the side to move, if such a piece can stand there.
 * @param {GameData} data
 * @param {number} side the side to move
 * @param {number} square
 * @param {string} name
 * @returns {Square}
 */
function standing(data, side, square, name) {
  const found = [side, 1 - side].flatMap((owner) =>
    (data.pieces[owner] ?? []).flatMap((one, kind) => (one === name ? [{ owner, kind }] : [])),
  );
  return found.find((piece) => canStand(data, side, square, piece)) ?? found[0] ?? null;
}

/**
 * Whether a piece can stand on a square.
 * @param {GameData} data
 * @param {number} side the side to move
 * @param {number} square
 * @param {{owner: number, kind: number}} piece
 */
export function canStand(data, side, square, { owner, kind }) {
  return data.stands?.[side]?.[square]?.some(([one, other]) => one === owner && other === kind) ?? true;
}

/**
 * The piece to put on a square: the one that was chosen, or where only the other side's can stand, that one's.
 * @param {GameData} data
 * @param {number} side the side to move
 * @param {number} square
 * @param {{owner: number, kind: number}} piece
 * @returns {Square}
 */
export function standIn(data, side, square, piece) {
  const name = pieceName(data, piece);
  return canStand(data, side, square, piece) ? piece : standing(data, side, square, name);
}

/**
 * A board with nothing on it; where only numbers can stand, it has noughts.
 * @param {GameData} data
 * @param {number} side the side to move
 * @returns {Square[]}
 */
export function emptied(data, side) {
  const noughts = data.pieces.flatMap((names, owner) => names.flatMap((name, kind) => (name === "0" ? [{ owner, kind }] : [])));
  return data.art.places.map((_, square) => {
    return (data.stands && noughts.find((piece) => canStand(data, side, square, piece))) || null;
  });
}

/**
 * The text of what stands on a square.
 * @param {GameData} data
 * @param {Square | undefined} at
 */
export function pieceName(data, at) {
  return at ? (data.pieces[at.owner]?.[at.kind] ?? "") : ".";
}

/**
 * A position as text.
 * @param {GameData} data
 * @param {Square[]} squares
 * @param {number} side
 */
export function writeBoard(data, squares, side) {
  const { rows, comma } = data.text;
  const texts = rows.map((row) => row.map((square) => pieceName(data, squares[square])).join(comma));
  return `${data.sides[side]?.[0]}:${texts.join("/")}`;
}

/**
 * The name of a square, as its labels say.
 * @param {Pick<GameData, "shape" | "beside" | "columns" | "rows">} data
 * @param {number} square
 */
export function squareName(data, square) {
  const width = data.shape[0];
  const beside = data.beside[square - width * data.shape[1]];
  if (beside !== undefined) return beside;
  const column = data.columns[square % width] ?? "";
  const row = data.rows[Math.floor(square / width)] ?? "";
  if (row.length > 3) return `${row} ${column}`;
  return row === "" ? `column ${column}, row ${data.shape[1] - Math.floor(square / width)}` : column + row;
}

/**
 * The moves that a click on a square may mean: those that go there, or where moves are columns, the column's.
 * @param {GameData} data
 * @param {LegalMove[]} moves
 * @param {number} square
 */
export function movesTo(data, moves, square) {
  const [width, height] = data.shape;
  const column = square < width * height ? data.columns[square % width] : undefined;
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
