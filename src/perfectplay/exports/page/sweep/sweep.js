// The report of a sweep: its table is sorted by a click on a column, and commands are copied.

import { button, byId, html } from "../static/dom.js";
import { showTheme } from "../static/theme.js";

const table = /** @type {HTMLTableElement} */ (byId("table"));
const body = /** @type {HTMLTableSectionElement} */ (table.tBodies[0]);
/** The variants as they were swept. */
const swept = [...body.rows];
const TURNED = /** @type {const} */ ({ none: "ascending", ascending: "descending", descending: "none" });

/**
 * What a row is sorted by in a column: a number, or its place in the sweep for the variant's name; null if unknown.
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function order(row, column) {
  if (column === 0) return swept.indexOf(row);
  const text = row.cells[column]?.dataset.order;
  return text === undefined ? null : Number(text);
}

/**
 * Sorts by a column, the other way round if it was sorted so, and then not at all; unknown cells come last.
 * @param {HTMLTableCellElement} head
 */
function sort(head) {
  const now = TURNED[/** @type {keyof typeof TURNED} */ (head.getAttribute("aria-sort") ?? "none")];
  const sign = now === "descending" ? -1 : 1;
  const column = now === "none" ? 0 : head.cellIndex;
  const keyed = swept.map((row, at) => ({ row, at, key: order(row, column) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.at - b.at;
    return sign * (a.key - b.key) || a.at - b.at;
  });
  body.append(...keyed.map(({ row }) => row));
  for (const one of table.querySelectorAll("th[aria-sort]")) one.removeAttribute("aria-sort");
  if (now !== "none") head.setAttribute("aria-sort", now);
  byId("sorted").textContent = now === "none" ? "In the order of the sweep." : `Sorted by ${head.textContent}, ${now}.`;
}

/**
 * Copies the command in a cell, or selects it where nothing can be copied.
 * @param {HTMLElement} code
 * @param {HTMLButtonElement} copier
 */
async function copy(code, copier) {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    copier.textContent = "Copied";
  } catch {
    copier.replaceWith(code);
    getSelection()?.selectAllChildren(code);
  }
}

for (const head of table.querySelectorAll("thead th")) {
  if (head instanceof HTMLTableCellElement) head.replaceChildren(button(head.textContent ?? "", () => sort(head)));
}
for (const code of body.querySelectorAll("code")) {
  const text = code.textContent ?? "";
  /** @type {HTMLButtonElement} */
  const copier = html("button", { type: "button", title: text, "aria-label": `Copy: ${text}` }, "Copy");
  copier.addEventListener("click", () => void copy(code, copier));
  code.replaceWith(copier);
}
showTheme();
