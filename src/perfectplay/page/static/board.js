// The board: an SVG drawn from a game's data, for pointer and keyboard.

import { html, svg } from "./dom.js";
import { squareName } from "./squares.js";
import { inMoves, latest } from "./words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Square} Square */
/** @typedef {import("./types.js").Worth} Worth */

/**
 * What is on the board now.
 * @typedef {object} View
 * @property {Square[]} squares
 * @property {number} side the side to move
 * @property {number[]} last where the last move went
 * @property {number[]} left what it left
 * @property {number[]} going pieces that vanish on the next move
 * @property {number[][]} rows lines that have won
 * @property {Set<number>} legal squares that react
 * @property {Map<number, Worth>} hints the value of a move to a square
 * @property {number | null} chosen the piece that is about to move
 * @property {number[]} targets where it may go
 * @property {string} about what the board shows, in words
 */

const CELL = 10;
const ICONS = {
  win: "M0 -1.1 L1.1 0.8 L-1.1 0.8 Z",
  draw: "M-1 -0.75 H1 V-0.25 H-1 Z M-1 0.25 H1 V0.75 H-1 Z",
  loss: "M0 1.1 L1.1 -0.8 L-1.1 -0.8 Z",
};

/**
 * The icon of a value: up, level, down.
 * @param {import("./types.js").Value} value
 * @param {number} [size] 0 for one that stands in text
 */
export function icon(value, size = 0) {
  const shape = svg("path", { d: ICONS[value] });
  if (size > 0) return svg("g", { class: `icon ${value}`, transform: `scale(${size})` }, shape);
  return svg("svg", { class: `icon ${value}`, viewBox: "-1.4 -1.4 2.8 2.8", "aria-hidden": "true" }, shape);
}

/**
 * A piece, drawn around the origin.
 * @param {{owner: number, name: string}} piece
 * @param {number} [scale] of numbers beside it
 */
function drawn(piece, scale = 1) {
  const found = /^([XO])(\d*)$/.exec(piece.name);
  const side = piece.owner === 0 ? "first" : "second";
  if (!found) {
    const size = piece.name.length > 2 ? 2.2 : piece.name.length > 1 ? 3 : 4.2;
    return svg(
      "g",
      { class: `piece disc ${side}` },
      svg("circle", { r: 3.5 }),
      svg("text", { "font-size": size, dy: "0.36em" }, piece.name),
    );
  }
  const mark =
    found[1] === "X" ? svg("path", { d: "M-2.3 -2.3 L2.3 2.3 M2.3 -2.3 L-2.3 2.3" }) : svg("circle", { r: 2.6 });
  const number = found[2] ? svg("text", { class: "left", x: 4.3, y: 4.3, "font-size": 2.4 * scale }, found[2]) : null;
  return svg("g", { class: `piece mark ${side}` }, mark, number);
}

export class Board {
  /**
   * @param {HTMLElement} holder
   * @param {GameData} data
   * @param {(square: number) => void} act what a click does
   * @param {(square: number | null) => number[]} aim the squares that a click there would change
   */
  constructor(holder, data, act, aim) {
    this.data = data;
    this.act = act;
    this.aim = aim;
    const [width, height] = data.shape;
    this.width = width;
    /** @type {SVGElement[]} */
    this.cells = [];
    this.focused = Math.floor(height / 2) * width + Math.floor(width / 2);
    const labelled = data.rows.some((row) => row !== "");
    const size = Math.max(width, height);
    const small = Math.min(3.2, 1 + size * 0.14);
    this.scale = Math.min(1, 0.5 + size * 0.06);
    const [left, top] = [labelled ? small * 2 : 0.5, small * 1.7];
    const [wide, high] = [width * CELL + left + 0.5, height * CELL + top + 0.5];
    const box = [-left, -top, wide, high];
    this.lines = svg("g", { class: "lines", "aria-hidden": "true" });
    this.picture = svg("svg", {
      viewBox: box.join(" "),
      role: "grid",
      class: "grid",
      "aria-colcount": width,
      "aria-rowcount": height,
    });
    const labels = svg("g", { class: "labels", "aria-hidden": "true" });
    data.columns.forEach((label, x) =>
      labels.append(svg("text", { x: x * CELL + CELL / 2, y: -small * 0.55, "font-size": small }, label)),
    );
    data.rows.forEach((label, y) =>
      labels.append(svg("text", { x: -small, y: y * CELL + CELL / 2 + small * 0.36, "font-size": small }, label)),
    );
    this.picture.append(this.patterns(), labels);
    for (let y = 0; y < height; y++) {
      const row = svg("g", { role: "row", "aria-rowindex": y + 1 });
      for (let x = 0; x < width; x++) row.append(this.cell(x, y));
      this.picture.append(row);
    }
    this.picture.append(this.lines);
    this.picture.addEventListener("click", (event) => this.clicked(event));
    this.picture.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)));
    this.picture.addEventListener("pointerover", (event) => this.showAim(this.squareOf(event)));
    this.picture.addEventListener("pointerleave", () => this.showAim(null));
    holder.replaceChildren(this.picture);
    holder.style.setProperty("--wide", String(wide / high));
  }

  patterns() {
    const hatch = svg("pattern", { id: "hatch", width: 1.6, height: 1.6, patternUnits: "userSpaceOnUse" });
    hatch.setAttribute("patternTransform", "rotate(45)");
    hatch.append(svg("rect", { width: 0.55, height: 1.6, class: "stripe" }));
    const dots = svg("pattern", { id: "dots", width: 1.6, height: 1.6, patternUnits: "userSpaceOnUse" });
    dots.append(svg("circle", { cx: 0.8, cy: 0.8, r: 0.28, class: "dot" }));
    return svg("defs", {}, hatch, dots);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  cell(x, y) {
    const square = y * this.width + x;
    const cell = svg(
      "g",
      {
        role: "gridcell",
        "data-square": square,
        "aria-colindex": x + 1,
        tabindex: square === this.focused ? 0 : -1,
        transform: `translate(${x * CELL + CELL / 2} ${y * CELL + CELL / 2})`,
      },
      svg("rect", { class: "ground", x: -5, y: -5, width: CELL, height: CELL }),
      svg("g", { class: "hint", "aria-hidden": "true" }),
      svg("g", { class: "stands", "aria-hidden": "true" }),
      svg("rect", { class: "ring", x: -4.6, y: -4.6, width: 9.2, height: 9.2, rx: 0.8 }),
    );
    this.cells.push(cell);
    return cell;
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.picture.setAttribute("aria-label", view.about);
    this.cells.forEach((cell, square) => this.showCell(cell, square, view));
    this.lines.replaceChildren(...view.rows.map((row) => this.rowLine(row)));
  }

  /**
   * @param {SVGElement} cell
   * @param {number} square
   * @param {View} view
   */
  showCell(cell, square, view) {
    const at = view.squares[square] ?? null;
    const hint = view.hints.get(square);
    const classes = {
      legal: view.legal.has(square),
      last: view.last.includes(square),
      left: view.left.includes(square),
      going: view.going.includes(square),
      chosen: view.chosen === square,
      target: view.targets.includes(square),
      aimed: false,
    };
    const on = Object.entries(classes).filter(([, yes]) => yes);
    cell.setAttribute("class", ["cell", ...on.map(([name]) => name), hint?.value ?? ""].join(" ").trim());
    const [, hints, stands] = cell.children;
    const key = at ? `${at.owner}${at.name}` : "";
    if (stands && stands.getAttribute("data-key") !== key) {
      stands.setAttribute("data-key", key);
      stands.replaceChildren(...(at ? [drawn(at, this.scale)] : []));
    }
    hints?.replaceChildren(...(hint ? this.hint(hint, at !== null) : []));
    cell.setAttribute("aria-label", this.label(square, at, view, hint));
    if (classes.legal) cell.removeAttribute("aria-disabled");
    else cell.setAttribute("aria-disabled", "true");
  }

  /**
   * @param {Worth} hint
   * @param {boolean} small whether a piece stands there, too
   */
  hint(hint, small) {
    if (hint.value === null) return [svg("text", { class: "open", "font-size": 3, dy: "0.35em" }, "?")];
    const pattern = svg("rect", { class: "tint", x: -5, y: -5, width: CELL, height: CELL });
    const mark = icon(hint.value, small ? 0.8 : 1.5 * this.scale);
    const far = latest(hint);
    const endless = hint.value === "draw" && !hint.at_least ? "∞" : "";
    const length = hint.distance !== null ? String(hint.distance) : far !== null ? `≤${far}` : endless;
    const place = small ? "translate(3.4 -3.5)" : `translate(0 ${-1.4 * this.scale})`;
    const badge = svg("g", { class: `badge ${hint.best ? "best" : ""}`, transform: place }, mark);
    if (!small) badge.append(svg("text", { y: 4.7 * this.scale, "font-size": 3 * this.scale }, length));
    return [pattern, badge];
  }

  /**
   * @param {number} square
   * @param {Square} at
   * @param {View} view
   * @param {Worth | undefined} hint
   */
  label(square, at, view, hint) {
    const words = [squareName(this.data, square), at ? at.name : "empty"];
    if (view.going.includes(square)) words.push("vanishes on the next move");
    if (view.last.includes(square)) words.push("last move");
    if (view.chosen === square) words.push("chosen");
    if (view.targets.includes(square)) words.push("can go here");
    if (hint) words.push(inMoves(hint.text));
    return words.join(", ");
  }

  /** @param {number[]} row */
  rowLine(row) {
    const [a, b] = [this.centre(row[0] ?? 0), this.centre(row[row.length - 1] ?? 0)];
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [dx, dy] = [((b[0] - a[0]) / long) * 3, ((b[1] - a[1]) / long) * 3];
    return svg("line", { x1: a[0] - dx, y1: a[1] - dy, x2: b[0] + dx, y2: b[1] + dy, pathLength: 1 });
  }

  /**
   * @param {number} square
   * @returns {[number, number]}
   */
  centre(square) {
    return [(square % this.width) * CELL + CELL / 2, Math.floor(square / this.width) * CELL + CELL / 2];
  }

  /** @param {Event} event */
  squareOf(event) {
    const cell = event.target instanceof Element ? event.target.closest("[data-square]") : null;
    return cell ? Number(cell.getAttribute("data-square")) : null;
  }

  /** @param {Event} event */
  clicked(event) {
    const square = this.squareOf(event);
    if (square === null) return;
    this.focus(square, false);
    this.act(square);
  }

  /** @param {number | null} square */
  showAim(square) {
    const aimed = square === null ? [] : this.aim(square);
    this.mark(aimed);
  }

  /**
   * Shows where a move would go.
   * @param {number[]} squares
   */
  mark(squares) {
    this.cells.forEach((cell, square) => cell.classList.toggle("aimed", squares.includes(square)));
  }

  /**
   * @param {number} square
   * @param {boolean} [move] whether the keyboard goes there, too
   */
  focus(square, move = true) {
    this.cells[this.focused]?.setAttribute("tabindex", "-1");
    this.focused = square;
    const cell = this.cells[square];
    cell?.setAttribute("tabindex", "0");
    if (move) cell?.focus();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const width = this.width;
    const [x, y] = [this.focused % width, Math.floor(this.focused / width)];
    const height = this.cells.length / width;
    /** @type {Record<string, [number, number]>} */
    const ways = {
      ArrowLeft: [Math.max(0, x - 1), y],
      ArrowRight: [Math.min(width - 1, x + 1), y],
      ArrowUp: [x, Math.max(0, y - 1)],
      ArrowDown: [x, Math.min(height - 1, y + 1)],
      Home: [0, y],
      End: [width - 1, y],
    };
    const to = ways[event.key];
    if (to) {
      this.focus(to[1] * width + to[0]);
      this.showAim(this.focused);
    } else if (event.key === "Enter" || event.key === " ") this.act(this.focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * A board for the palette of a position that is being set up: one piece.
 * @param {Square} piece
 */
export function sample(piece) {
  const picture = svg("svg", { viewBox: "-5 -5 10 10", class: "sample", "aria-hidden": "true" });
  if (piece) picture.append(drawn(piece, 1.7));
  return html("span", { class: "sampled" }, picture);
}
