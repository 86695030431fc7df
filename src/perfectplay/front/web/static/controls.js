// The buttons below the board.

import { button, html, refill } from "./dom.js";

/**
 * @typedef {object} Deeds
 * @property {number | null} undo the ply to go back to
 * @property {number | null} redo
 * @property {boolean} hints
 * @property {boolean} over
 * @property {boolean} busy
 * @property {{text: string, act: () => void} | null} more what else can be done here
 * @property {(ply: number) => void} jump
 * @property {() => void} fresh
 * @property {(on: boolean) => void} hint
 * @property {() => void} playOut
 */

/**
 * @param {HTMLElement} holder
 * @param {Deeds} deeds
 */
export function showControls(holder, deeds) {
  const { undo, redo, more } = deeds;
  const toggle = html("input", { id: "hints", type: "checkbox", role: "switch", checked: deeds.hints });
  toggle.addEventListener("change", () => deeds.hint(toggle.checked));
  refill(
    holder,
    button("New game", deeds.fresh, { id: "new", disabled: deeds.busy }),
    button("Undo", () => undo !== null && deeds.jump(undo), { id: "undo", disabled: undo === null || deeds.busy }),
    button("Redo", () => redo !== null && deeds.jump(redo), { id: "redo", disabled: redo === null || deeds.busy }),
    button("Play out", deeds.playOut, {
      id: "play-out",
      disabled: deeds.over || deeds.busy,
      title: "Best play from here to the end, step by step",
    }),
    html("label", { class: "switch", for: "hints" }, toggle, "Hints"),
    ...(more ? [button(more.text, more.act, { id: "more", class: "strong" })] : []),
  );
}
