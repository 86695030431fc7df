// What travels between the server and the page, and within the page: types only, checked by tsc.

/** @typedef {{name: string, kind: "number" | "switch", default: number | boolean | null}} Size */
/** @typedef {{name: string, about: string, sizes: Size[], known: {name: string, sizes: string}[]}} Family */
/** @typedef {{name: string, about: string}} Model */
/** @typedef {{games: Family[], opens: string, models: Model[], longest_side: number, version: string}} Catalogue */
/** @typedef {{name: string, label: string, about: string, best: boolean}} PlayerData */
/**
 * @typedef {object} GameData
 * @property {string} game
 * @property {string} rules
 * @property {[number, number]} shape
 * @property {string[]} columns
 * @property {string[]} rows
 * @property {[string, string]} sides
 * @property {[string[], string[]]} pieces
 * @property {string} note
 * @property {string} start
 * @property {boolean} solved
 * @property {boolean} solvable
 * @property {PlayerData[]} players
 * @property {number} most_seconds
 */
/** @typedef {{position: string, side: number, move?: string, to?: number[], from?: number[]}} Ply */
/** @typedef {{move: string, to: number[], from: number[]}} LegalMove */
/** @typedef {{over: boolean, winner: number | null, rows: number[][], going: number[], moves: LegalMove[]}} Here */
/** @typedef {{game: string, plies: Ply[], here: Here}} Line */
/** @typedef {"win" | "draw" | "loss"} Value */
/** @typedef {{win: number, draw: number, loss: number}} Chance */
/**
 * @typedef {object} Worth
 * @property {string} move
 * @property {Value | null} value
 * @property {number | null} distance
 * @property {string} text
 * @property {boolean} best
 * @property {Chance} [chance]
 * @property {boolean} [streetwise]
 */
/**
 * @typedef {object} Analysis
 * @property {string} position
 * @property {Value | null} value
 * @property {number | null} distance
 * @property {string} verdict
 * @property {"table" | "search" | "none"} source
 * @property {boolean} exact
 * @property {Worth[]} moves
 * @property {Chance} [chance]
 */
/**
 * What the address says.
 * @typedef {object} State
 * @property {string} game
 * @property {string} position the first position, empty for the start of the game
 * @property {string[]} moves
 * @property {number} ply how many of the moves are on the board
 * @property {boolean} hints
 * @property {string} chance a model of the opponent, or empty
 * @property {[string, string]} players a player's name for each side
 */
/** @typedef {{owner: number, name: string} | null} Square what stands on a square */

export {};
