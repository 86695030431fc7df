// Pictures of a board: SVG with its style inside, and the same painted.

import { Board } from "./board.js";
import { html, svg } from "./dom.js";
import { readBoard } from "./squares.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Ply} Ply */

const SHAPES = "path, circle, rect, line, text";
const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "font-size",
  "font-weight",
  "text-anchor",
];
const NOTHING = "rgba(0, 0, 0, 0)";
const EDGE = 3;
const nothing = () => {};

/** A board beside the page, on which positions are drawn as the theme is now. */
export class Easel {
  /** @param {GameData} data */
  constructor(data) {
    this.data = data;
    this.holder = html("div", { class: "easel", "aria-hidden": "true", inert: true });
    document.body.append(this.holder);
    this.board = new Board(this.holder, data, nothing, () => [], nothing);
    const [, , wide, high] = data.art.box;
    /** The width and the height of a picture, in the units of the drawing. */
    this.size = [wide + 2 * EDGE, high + 2 * EDGE];
  }

  /** Takes the board away. */
  close() {
    this.holder.remove();
  }

  /**
   * The position as an SVG file of that width.
   * @param {Ply} ply
   * @param {number[][]} rows lines that have won
   * @param {number} width
   */
  svg(ply, rows, width) {
    const { data, board } = this;
    const none = { going: [], legal: new Set(), hints: new Map(), chosen: null, tapped: null, targets: [], about: "" };
    const [last, left] = [ply.to ?? [], ply.from ?? []];
    board.show({ ...none, squares: readBoard(data, ply.position), side: ply.side, last, left, rows });
    const [x, y] = data.art.box;
    const [wide = 1, high = 1] = this.size;
    const whole = svg("svg", {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: [x - EDGE, y - EDGE, wide, high].join(" "),
      width,
      height: Math.round((width * high) / wide),
    });
    const { backgroundColor, fontFamily } = getComputedStyle(document.body);
    whole.setAttribute("font-family", fontFamily);
    const paper = { x: x - 2 * EDGE, y: y - 2 * EDGE, width: wide + 2 * EDGE, height: high + 2 * EDGE };
    whole.append(svg("rect", { ...paper, fill: backgroundColor })); // beyond the edge, which may fall within a pixel
    whole.append(...plain(board.picture).childNodes);
    return new XMLSerializer().serializeToString(whole);
  }

  /**
   * The same, painted.
   * @param {Ply} ply
   * @param {number[][]} rows
   * @param {number} width
   */
  async painted(ply, rows, width) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.svg(ply, rows, width))}`;
    await image.decode();
    const canvas = html("canvas", { width: image.width, height: image.height });
    const brush = canvas.getContext("2d", { willReadFrequently: true });
    if (!brush) throw new Error("this browser does not paint");
    brush.drawImage(image, 0, 0);
    return { canvas, brush };
  }
}

/**
 * A copy of the drawing that needs no style sheet, and without what reacts.
 * @param {SVGElement} drawing
 */
function plain(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const copies = copy.querySelectorAll("*");
  drawing.querySelectorAll("*").forEach((element, i) => styled(element, copies[i]));
  for (const one of copy.querySelectorAll(".outline, .hint, .waits")) one.remove();
  for (const one of copy.querySelectorAll("*"))
    for (const { name } of [...one.attributes])
      if (/^(class|style|role|tabindex|aria-.*|data-.*)$/.test(name)) one.removeAttribute(name);
  return copy;
}

/**
 * Writes an element's style into its copy's attributes.
 * @param {Element} element
 * @param {Element | undefined} copy
 */
function styled(element, copy) {
  const style = getComputedStyle(element);
  if (style.opacity !== "1") copy?.setAttribute("opacity", style.opacity);
  if (!element.matches(SHAPES)) return;
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (/^(font|text)/.test(name) && !element.matches("text")) continue;
    if (name.startsWith("stroke-") && style.stroke === "none") continue;
    if (value !== "") copy?.setAttribute(name, value === NOTHING ? "none" : value);
  }
}
