// Elements, made and filled.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | EventListener>} Attributes */

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string | null)[]} children
 * @returns {T}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * An HTML element; an attribute that is a function listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/**
 * The element of the page with that id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * A button that does something.
 * @param {string} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function button(text, act, attributes = {}) {
  return html("button", { type: "button", click: act, ...attributes }, text);
}

/**
 * Replaces an element's children; the focus stays at the same id, or goes to the first control.
 * @param {HTMLElement} holder
 * @param {...(Node | string)} children
 */
export function refill(holder, ...children) {
  const root = /** @type {Document | ShadowRoot} */ (holder.getRootNode());
  const held = holder.contains(root.activeElement) ? root.activeElement?.id : undefined;
  holder.replaceChildren(...children);
  if (held === undefined) return;
  const same = held && root.getElementById(held);
  const next = same || holder.querySelector("button, select, input");
  if (next instanceof HTMLElement) next.focus();
  else focusBoard(root);
}

/** Focuses the board. @param {ParentNode} [root] */
export function focusBoard(root = document) {
  const cell = root.querySelector("[role=gridcell][tabindex='0']");
  if (cell instanceof SVGElement) cell.focus();
}
