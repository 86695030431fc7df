// The types of what Python sends to the board in a notebook, and of what anywidget passes to it; no browser loads this.

import type { Analysis, GameData, Here, Ply } from "../../exports/page/static/types.js";

/** What is on the board, and around it. */
export type Shown = {
  plies: Ply[];
  /** The one on the board. */
  ply: number;
  here: Here;
  /** Whether the user may move. */
  mine: boolean;
  /** The player of each side; empty for a person. */
  players: [string, string];
  /** The side of the user. */
  side: number;
  hints: boolean;
  /** What hints tell, once it is known. */
  known: Analysis | null;
  /** What Python is doing, in words; empty if it waits. */
  busy: string;
  /** Remarks and errors. */
  note: string;
  fault: string;
  /** The ply that Undo goes to, and Redo; null if there is none. */
  undo: number | null;
  redo: number | null;
  /** Whether the opponent is to move and waits to be told. */
  waits: boolean;
  /** How the game has ended, in words; empty before. */
  result: string;
};
export type Model = {
  get(name: "_game"): GameData;
  get(name: "_shown"): Shown;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  send(content: Message): void;
};
/** What the user did. */
export type Message =
  | { do: "play"; move: string; at: string }
  | { do: "go"; ply: number }
  | { do: "new" | "let" }
  | { do: "hints"; on: boolean }
  | { do: "side"; side: number }
  | { do: "opponent"; name: string };
export type Context = { model: Model; el: HTMLElement };
