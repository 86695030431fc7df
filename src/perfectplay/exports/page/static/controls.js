// The buttons below the board. The elements stay, so that redrawing never loses a click.

import { button, focusBoard, html } from "./dom.js";

/**
 * @typedef {object} Deeds
 * @property {() => number | null} undo the ply to go back to
 * @property {() => number | null} redo
 * @property {boolean} hints
 * @property {boolean} possible whether best play can be shown in this game
 * @property {boolean} playable whether it can be shown from here
 * @property {boolean} busy
 * @property {{text: string, act: () => void} | null} more another button
 * @property {(ply: number) => void} jump
 * @property {() => void} fresh
 * @property {(on: boolean) => void} hint
 * @property {() => void} playOut
 * @property {boolean} exploring whether the game was left
 * @property {boolean} why whether the position is explained
 * @property {boolean} explainable whether it can be
 * @property {() => void} explain
 * @property {() => void} explore goes to Explore, or back to the game
 */

export class Controls {
  /** @param {HTMLElement} holder */
  constructor(holder) {
    /** @type {Deeds | null} */
    this.deeds = null;
    this.fresh = button("New game", () => this.deeds?.busy || this.deeds?.fresh(), { id: "new" });
    this.undo = button("Undo", () => this.deeds?.busy || this.jump(this.deeds?.undo()), { id: "undo" });
    this.redo = button("Redo", () => this.deeds?.busy || this.jump(this.deeds?.redo()), { id: "redo" });
    const about = "Play best moves to the end, step by step";
    this.playOut = button("Play out", () => this.deeds?.playable && this.deeds.playOut(), {
      id: "play-out",
      title: about,
    });
    this.more = button("", () => this.deeds?.more?.act(), { id: "more", class: "strong", hidden: true });
    this.hints = html("input", { id: "hints", type: "checkbox", role: "switch" });
    this.hints.addEventListener("change", () => this.deeds?.hint(this.hints.checked));
    const hints = html("label", { class: "switch", for: "hints" }, this.hints, "Hints");
    this.explore = button("Explore", () => this.deeds?.busy || this.deeds?.explore(), { id: "explore" });
    const told = "Explain the position, and draw why on the board (key W)";
    this.why = button("Why?", () => this.deeds?.explainable && this.deeds.explain(), { id: "why-button", title: told });
    this.played = [this.fresh, hints];
    holder.replaceChildren(this.fresh, this.undo, this.redo, this.playOut, this.explore, this.why, hints, this.more);
  }

  /** @param {number | null | undefined} ply */
  jump(ply) {
    if (typeof ply === "number") this.deeds?.jump(ply);
  }

  /**
   * Disables a button that keeps the focus.
   * @param {HTMLButtonElement} one
   * @param {boolean} off
   */
  turn(one, off) {
    one.setAttribute("aria-disabled", String(off));
  }

  /** @param {Deeds} deeds */
  show(deeds) {
    this.deeds = deeds;
    this.turn(this.fresh, deeds.busy);
    this.turn(this.undo, deeds.busy || deeds.undo() === null);
    this.turn(this.redo, deeds.busy || deeds.redo() === null);
    this.playOut.hidden = !deeds.possible;
    this.turn(this.playOut, !deeds.playable);
    this.turn(this.explore, deeds.busy);
    this.explore.textContent = deeds.exploring ? "Back to the game" : "Explore";
    this.explore.classList.toggle("strong", deeds.exploring);
    for (const one of this.played) one.hidden = deeds.exploring;
    this.why.setAttribute("aria-pressed", String(deeds.why));
    this.turn(this.why, !deeds.explainable);
    this.hints.checked = deeds.hints;
    if (deeds.more === null && document.activeElement === this.more) focusBoard();
    this.more.hidden = deeds.more === null;
    this.more.textContent = deeds.more?.text ?? "";
  }
}
