// The board of a lesson: it shows positions and takes no moves.

import { Board } from "./board.js";
import { pieceName, readBoard } from "./squares.js";

/** @typedef {import("./types.js").GameData} GameData */

/** The largest letters beside a board whose squares are 10 wide. */
const LARGEST = 4;
const NOTHING = { going: [], legal: new Set(), hints: new Map(), chosen: null, targets: [], tapped: null };

export class LessonBoard {
  /**
   * @param {HTMLElement} stage
   * @param {GameData} data
   */
  constructor(stage, data) {
    this.stage = stage;
    this.data = data;
    this.board = new Board(stage, data, () => {}, () => [], () => {});
    this.fit();
  }

  /**
   * Shows a position, and what has changed since the one before.
   * @param {string} position
   * @param {string} [before]
   * @param {number[][]} [rows] lines that have won
   */
  show(position, before = position, rows = []) {
    const { data } = this;
    const [squares, old] = [readBoard(data, position), readBoard(data, before)];
    const changed = [...squares.keys()].filter((square) => pieceName(data, squares[square]) !== pieceName(data, old[square]));
    const [last, left] = [changed.filter((square) => squares[square]), changed.filter((square) => !squares[square])];
    this.board.show({ ...NOTHING, squares, side: 0, last, left, rows, about: `Board of ${data.title}: ${position}` });
  }

  /** Makes the letters beside the board as large as those of the page. */
  fit() {
    const { stage } = this;
    const [, , width = 1, height = 1] = this.board.picture.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
    const scale = Math.min(stage.clientWidth / width, stage.clientHeight / height);
    const letters = Math.min(LARGEST, Number.parseFloat(getComputedStyle(stage).fontSize) / scale);
    for (const one of stage.querySelectorAll(".labels")) one.setAttribute("font-size", letters.toFixed(2));
  }
}
