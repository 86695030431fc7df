// The board: a game's drawing, for pointer and keyboard. What it looks like comes with the game, as SVG.

import { html, svg } from "./dom.js";
import { canStand, squareName } from "./squares.js";
import { isEndless, latest, signed, worthText } from "./words.js";

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
 * @property {number | null} tapped a square that was tapped and waits for a second tap
 * @property {string} about what the board shows, in words
 */

const HOLE = 3.85;
const HEXAGON = 4.6;
const ABOVE = 9;
const FINGER = 30;
const ICONS = {
  win: "M0 -1.1 L1.1 0.8 L-1.1 0.8 Z",
  draw: "M-1 -0.75 H1 V-0.25 H-1 Z M-1 0.25 H1 V0.75 H-1 Z",
  loss: "M0 1.1 L1.1 -0.8 L-1.1 -0.8 Z",
};
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

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
 * The number in a hint: the points, or the moves to the end.
 * @param {Worth} hint
 */
function hintText(hint) {
  if (hint.margin === null) return leastText(hint);
  if (hint.margin !== undefined) return signed(hint.margin);
  const far = latest(hint);
  return hint.distance !== null ? String(hint.distance) : far !== null ? `≤${far}` : isEndless(hint) ? "∞" : "";
}

/**
 * The points of a move that are proven: ≥2 for a win, ≤−2 for a loss.
 * @param {Worth} hint
 */
function leastText({ value, at_least: low, at_most: high }) {
  if (value === "win") return `≥${low?.margin ?? 1}`;
  return value === "loss" ? `≤${signed(high?.margin ?? -1)}` : "";
}

/**
 * The drawing of a piece, around the origin.
 * @param {GameData} data
 * @param {{owner: number, kind: number}} piece
 */
export function drawn(data, piece) {
  const group = svg("g");
  group.innerHTML = data.art.pieces[piece.owner]?.[piece.kind] ?? "";
  return group;
}

/**
 * A picture of one piece, to stand in text.
 * @param {GameData} data
 * @param {Square} piece
 */
export function sample(data, piece) {
  const picture = svg("svg", { viewBox: "-5 -5 10 10", class: "sample art", "aria-hidden": "true" });
  if (piece) picture.append(drawn(data, piece));
  return html("span", { class: "sampled" }, picture);
}

/**
 * A picture of what stands for a side, to stand in text.
 * @param {GameData} data
 * @param {number} side
 */
export function token(data, side) {
  const picture = svg("svg", { viewBox: "-5 -5 10 10", class: "sample art", "aria-hidden": "true" });
  picture.innerHTML = data.art.tokens[side] ?? "";
  return html("span", { class: "sampled" }, picture);
}

/**
 * A piece in words: Yellow, White king.
 * @param {GameData} data
 * @param {{owner: number, kind: number}} piece
 */
function spoken(data, piece) {
  return data.spoken[piece.owner]?.[piece.kind] ?? "";
}

export class Board {
  /**
   * @param {HTMLElement} holder
   * @param {GameData} data
   * @param {(square: number) => void} act what a click does
   * @param {(square: number | null) => number[]} aim the squares that a click there would change
   * @param {(square: number) => void} confirm a first tap on a board too fine for fingers
   */
  constructor(holder, data, act, aim, confirm) {
    this.data = data;
    this.act = act;
    this.aim = aim;
    this.confirm = confirm;
    this.places = data.art.places;
    const [width, height] = data.shape;
    /** @type {SVGElement[]} */
    this.cells = [];
    this.fixed = new Set(data.fixed);
    this.focused = Math.floor(height / 2) * width + Math.floor(width / 2);
    while (this.fixed.has(this.focused)) this.focused = (this.focused + 1) % (width * height);
    this.hintSize = Math.min(1, 0.42 + 0.08 * Math.max(width, height));
    /** @type {number | null} a square that was tapped and waits for a second tap */
    this.tapped = null;
    this.falls = data.art.board === "frame";
    this.round = this.falls ? HOLE : data.art.board === "hexagons" ? HEXAGON : 0;
    const [left, top, wide, high] = data.art.box;
    const above = this.falls ? ABOVE : 0;
    this.top = top - above;
    this.lines = svg("g", { class: "lines", "aria-hidden": "true" });
    this.waits = svg("g", { class: "waits", "aria-hidden": "true" });
    this.drawings = svg("g", { class: "drawings", "aria-hidden": "true" });
    /** @type {Map<number, string>} what is drawn on each square, in words */
    this.drawn = new Map();
    this.picture = svg("svg", {
      viewBox: [left, this.top, wide, high + above].join(" "),
      role: "grid",
      class: `grid art ${data.art.board}`,
      "aria-colcount": width,
      "aria-rowcount": height,
    });
    this.picture.append(this.layer(data.art.under));
    for (let y = 0; y < height; y++) {
      const row = svg("g", { role: "row", "aria-rowindex": y + 1 });
      for (let x = 0; x < width; x++) row.append(this.cell(x, y * width + x));
      this.picture.append(row);
    }
    if (data.beside.length) {
      const row = svg("g", { role: "row", class: "beside", "aria-rowindex": height + 1 });
      row.append(...data.beside.map((_, x) => this.cell(x, width * height + x)));
      this.picture.append(row);
      this.picture.setAttribute("aria-rowcount", String(height + 1));
    }
    this.picture.append(this.waits, this.layer(data.art.over), this.lines, this.drawings);
    this.picture.addEventListener("click", (event) => this.clicked(event));
    this.picture.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)));
    this.picture.addEventListener("focusin", (event) => this.focus(this.squareOf(event) ?? this.focused, false));
    this.picture.addEventListener("pointerover", (event) => this.showAim(this.squareOf(event)));
    this.picture.addEventListener("pointerleave", () => this.showAim(null));
    holder.replaceChildren(this.picture);
    holder.style.setProperty("--wide", String(wide / (high + above)));
  }

  /**
   * A part of the drawing that does not react.
   * @param {string} shapes
   */
  layer(shapes) {
    const group = svg("g", { class: "layer", "aria-hidden": "true" });
    group.innerHTML = shapes;
    return group;
  }

  /**
   * @param {number} x
   * @param {number} square
   */
  cell(x, square) {
    const { grounds, ground_of } = this.data.art;
    const [px, py] = this.centre(square);
    if (this.fixed.has(square)) {
      const place = this.layer(grounds[ground_of[square] ?? 0] ?? "");
      place.setAttribute("transform", `translate(${px} ${py})`);
      this.cells.push(place);
      return place;
    }
    const cell = svg("g", {
      role: "gridcell",
      "data-square": square,
      "aria-colindex": x + 1,
      tabindex: square === this.focused ? 0 : -1,
      transform: `translate(${px} ${py})`,
    });
    if (this.falls) cell.style.setProperty("--fall", `${this.top - py + 4.5}px`);
    cell.innerHTML = grounds[ground_of[square] ?? 0] ?? "";
    cell.append(
      svg("g", { class: "stands", "aria-hidden": "true" }),
      svg("g", { class: "hint", "aria-hidden": "true" }),
      this.round
        ? svg("circle", { class: "outline", r: this.round })
        : svg("rect", { class: "outline", x: -4.7, y: -4.7, width: 9.4, height: 9.4, rx: 1 }),
    );
    this.cells.push(cell);
    return cell;
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.tapped = view.tapped;
    this.picture.setAttribute("aria-label", view.about);
    this.cells.forEach((cell, square) => this.showCell(cell, square, view));
    this.lines.replaceChildren(...view.rows.map((row) => this.rowLine(row)));
    this.mark(this.tapped === null ? [] : this.aim(this.tapped));
  }

  /**
   * @param {SVGElement} cell
   * @param {number} square
   * @param {View} view
   */
  showCell(cell, square, view) {
    if (this.fixed.has(square)) return;
    const at = view.squares[square] ?? null;
    const hint = view.hints.get(square);
    const classes = {
      legal: view.legal.has(square),
      last: view.last.includes(square),
      left: view.left.includes(square),
      going: view.going.includes(square),
      won: view.rows.some((row) => row.includes(square)),
      chosen: view.chosen === square,
      target: view.targets.includes(square),
    };
    const on = Object.entries(classes).filter(([, yes]) => yes);
    cell.setAttribute("class", ["cell", ...on.map(([name]) => name), hint?.value ?? "", this.drawn.has(square) ? "drawn" : ""].join(" ").trim());
    const [, stands, hints] = cell.children;
    const owner = at && this.data.nobodys.includes(at.kind) ? "" : at?.owner;
    const key = at ? `${owner} ${at.kind}` : "";
    if (stands && stands.getAttribute("data-key") !== key) {
      stands.setAttribute("data-key", key);
      stands.replaceChildren(...(at ? [drawn(this.data, at)] : []));
    }
    hints?.replaceChildren(...(hint ? this.hint(hint, at !== null) : []));
    cell.setAttribute("aria-label", this.label(square, at, view, hint));
    if (classes.legal) cell.removeAttribute("aria-disabled");
    else cell.setAttribute("aria-disabled", "true");
  }

  /**
   * Draws arrows, numbers and lines over the board; their squares say it in words, and show no hint.
   * @param {SVGElement[]} shapes
   * @param {Map<number, string>} words
   */
  annotate(shapes, words) {
    this.drawings.replaceChildren(...shapes);
    const changed = new Set([...this.drawn.keys(), ...words.keys()]);
    this.drawn = words;
    for (const square of changed) {
      const [cell, { view }] = [this.cells[square], this];
      cell?.classList.toggle("drawn", words.has(square));
      if (cell && view) cell.setAttribute("aria-label", this.label(square, view.squares[square] ?? null, view, view.hints.get(square)));
    }
  }

  /**
   * A ring that is full for a win, dotted for a draw and dashed for a loss, with the icon and the distance or the points in it.
   * @param {Worth} hint
   * @param {boolean} small whether a piece stands there, too
   */
  hint(hint, small) {
    if (hint.value === null && hint.only) {
      const ring = svg("circle", { class: "halo", r: 3.6 });
      return [svg("g", { class: "badge only best" }, ring, svg("text", { "font-size": 4, dy: "0.35em" }, "!"))];
    }
    if (hint.value === null) {
      const at = small ? { x: 3.2, y: -3.2 } : {}; // beside the piece
      return [svg("text", { class: "open", "font-size": 3, dy: "0.35em", ...at }, "?")];
    }
    const length = hintText(hint);
    const classes = `badge ${hint.value} ${hint.best ? "best" : ""}`;
    if (small) {
      const more = hint.margin === undefined ? 0 : 0.6 * length.length; // signs are wider than digits
      const words = svg("text", { x: 0.5 + more / 2, "font-size": 2.3, dy: "0.35em" }, length);
      const mark = svg("g", { transform: `translate(${-1.5 - more / 2} 0)` }, icon(hint.value, 0.65));
      const box = svg("rect", { class: "halo", x: -2.7 - more / 2, y: -1.5, width: 5.4 + more, height: 3, rx: 1.5 });
      const at = `translate(2.2 -3.4) scale(${this.hintSize})`;
      return [svg("g", { class: `${classes} small`, transform: at }, box, mark, words)];
    }
    const ring = svg("circle", { class: "halo", r: 3.6 });
    const mark = svg("g", { transform: `translate(0 ${length ? -1.3 : 0})` }, icon(hint.value, 1.05));
    const words = svg("text", { y: 2.2, "font-size": 2.8 }, length);
    return [svg("g", { class: classes, transform: `scale(${this.hintSize})` }, ring, mark, words)];
  }

  /**
   * @param {number} square
   * @param {Square} at
   * @param {View} view
   * @param {Worth | undefined} hint
   */
  label(square, at, view, hint) {
    const words = [squareName(this.data, square), at ? spoken(this.data, at) : "empty"];
    if (view.going.includes(square)) words.push("vanishes on the next move");
    if (view.last.includes(square)) words.push("last move");
    if (view.chosen === square) words.push("chosen");
    if (view.targets.includes(square)) words.push("can go here");
    if (hint) words.push(worthText(hint));
    const drawn = this.drawn.get(square);
    if (drawn) words.push(drawn);
    return words.join(", ");
  }

  /** @param {number[]} row */
  rowLine(row) {
    const [a, b] = [this.centre(row[0] ?? 0), this.centre(row[row.length - 1] ?? 0)];
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [dx, dy] = [((b[0] - a[0]) / long) * 3, ((b[1] - a[1]) / long) * 3];
    const ends = { x1: a[0] - dx, y1: a[1] - dy, x2: b[0] + dx, y2: b[1] + dy, pathLength: 1 };
    return svg("g", {}, svg("line", { ...ends, class: "casing" }), svg("line", ends));
  }

  /**
   * @param {number} square
   * @returns {[number, number]}
   */
  centre(square) {
    return this.places[square] ?? [0, 0];
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
    const sure = this.isFine() || this.tapped === square || this.aim(square).length === 0;
    if (sure) this.act(square);
    else this.confirm(square);
  }

  /** Whether a finger hits the square that it means; if not, a move takes a second tap. */
  isFine() {
    const wide = this.picture.getBoundingClientRect().width / this.data.shape[0];
    return wide >= FINGER || !matchMedia("(pointer: coarse)").matches;
  }

  /** @param {number | null} square */
  showAim(square) {
    if (this.tapped === null) this.mark(square === null ? [] : this.aim(square));
  }

  /**
   * Shows where a move would go, by a ghost of its piece; in a frame another one waits above the column.
   * @param {number[]} squares
   */
  mark(squares) {
    const { view } = this;
    this.cells.forEach((cell, square) => cell.classList.toggle("aimed", squares.includes(square)));
    const free = squares.filter((square) => !view?.squares[square]);
    const kinds = this.data.pieces[view?.side ?? 0] ?? [];
    const side = view?.side ?? 0;
    const ghosts = kinds.length === 1 || this.data.art.board !== "checks" ? free : [];
    this.waits.replaceChildren(
      ...(this.tapped === null ? [] : this.cross(this.tapped)),
      ...ghosts.flatMap((square) => {
        const [x, y] = this.centre(square);
        const places = this.falls ? [y, this.top + 4.5] : [y];
        const kind = kinds.findIndex((_, one) => canStand(this.data, side, square, { owner: side, kind: one }));
        const piece = { owner: side, kind: Math.max(0, kind) };
        return places.map((at) => svg("g", { class: "ghost", transform: `translate(${x} ${at})` }, drawn(this.data, piece)));
      }),
    );
  }

  /** Lines through a square, to see where a finger went. @param {number} square */
  cross(square) {
    const [x, y] = this.centre(square);
    const [across, down] = [this.places.map(([u]) => u), this.places.map(([, v]) => v)];
    return [
      svg("line", { class: "crosshair", x1: Math.min(...across) - 5, x2: Math.max(...across) + 5, y1: y, y2: y }),
      svg("line", { class: "crosshair", x1: x, x2: x, y1: Math.min(...down) - 5, y2: Math.max(...down) + 5 }),
    ];
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

  /**
   * The nearest square in a direction, straight ones before others; the square itself if there is none.
   * @param {number} from
   * @param {[number, number]} way
   */
  neighbour(from, [dx, dy]) {
    const [x, y] = this.centre(from);
    let [found, least] = [from, Number.POSITIVE_INFINITY];
    this.places.forEach(([u, v], square) => {
      if (this.fixed.has(square)) return;
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (ahead > 0.1 && aside <= ahead && ahead + 3 * aside < least) [found, least] = [square, ahead + 3 * aside];
    });
    return found;
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    const row = this.data.text.rows.find((squares) => squares.includes(this.focused)) ?? [];
    const ends = { Home: row[0], End: row[row.length - 1] };
    const to = way ? this.neighbour(this.focused, way) : ends[/** @type {"Home" | "End"} */ (event.key)];
    if (to !== undefined) {
      this.focus(to);
      this.showAim(to);
    } else if (event.key === "Enter" || event.key === " ") this.act(this.squareOf(event) ?? this.focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
