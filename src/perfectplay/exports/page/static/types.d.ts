// The types of messages and of values within the page, for tsc; no browser loads this.

export type Size = { name: string; kind: "number" | "numbers" | "switch"; default: number | string | boolean | null };
export type Family = { name: string; about: string; sizes: Size[]; known: { name: string; sizes: string; title: string }[] };
export type Model = { name: string; about: string };
export type Catalogue = {
  games: Family[];
  /** The games that the server was started with. */
  opened: string[];
  opens: string;
  models: Model[];
  longest_side: number;
  version: string;
};
export type PlayerData = { name: string; label: string; about: string; best: boolean; own?: boolean };
/** The drawing of a board, as SVG. */
export type Art = {
  board: string;
  box: [number, number, number, number];
  /** The centre of each square. */
  places: [number, number][];
  grounds: string[];
  /** Which of the grounds a square has; empty if all have the first. */
  ground_of: number[];
  under: string;
  over: string;
  pieces: [string[], string[]];
  /** What stands for each side. */
  tokens: [string, string];
};
export type GameData = {
  game: string;
  rules: string;
  shape: [number, number];
  columns: string[];
  rows: string[];
  sides: [string, string];
  /** What people who see the board call the sides. */
  names: [string, string];
  pieces: [string[], string[]];
  /**
   * The squares in the order of a position's text, what stands between them there, and where a board is more than squares,
   * its lines as text: texts, squares, and texts as wide as a square.
   */
  text: { rows: number[][]; comma: string; lines: (string | number | [text: string, fill: string])[][] };
  /** Places on the board that are no squares. */
  fixed: number[];
  /** The labels of squares beside the board, which come after those on it. */
  beside: string[];
  /** The kinds of pieces that belong to nobody. */
  nobodys: number[];
  /** Where names do not tell pieces apart: for each side to move and each square the owners and kinds that can stand there. */
  stands?: [owner: number, kind: number][][][];
  /** The pieces as they are called aloud. */
  spoken: [string[], string[]];
  art: Art;
  note: string;
  title: string;
  about?: { rules: string; history: string; known: string; group: string; names: string[] };
  /** Of a user's own game: its sizes, and which version of its file this is. */
  own?: { family: Family; saved: string };
  start: string;
  /** Whether the game is played for points: then analyses have margins and no distances. */
  points: boolean;
  solved: boolean;
  solvable: boolean;
  players: PlayerData[];
  most_seconds: number;
  /** In a single file: a small position for the classroom, how far to look ahead there, and whether the game has symmetries. */
  lesson?: { position: string; depth: number | null; symmetric: boolean };
};
export type Ply = { position: string; side: number; move?: string; to?: number[]; from?: number[] };
export type LegalMove = { move: string; to: number[]; from: number[] };
export type Here = {
  over: boolean;
  winner: number | null;
  /** At the end of a game for points, by how many the side to move is ahead. */
  margin?: number;
  rows: number[][];
  going: number[];
  moves: LegalMove[];
};
export type Line = {
  game: string;
  plies: Ply[];
  here: Here;
  /** The first move that cannot be played, and its number. */
  refused?: { move: string; number: number };
};
export type Value = "win" | "draw" | "loss";
export type Chance = { win: number; draw: number; loss: number };
/** A bound where the value is not proven. */
export type Bound = { value: Value | null; distance: number | null; margin?: number | null };
export type Worth = {
  move: string;
  value: Value | null;
  distance: number | null;
  /** In games for points, by how many the side that makes the move will be ahead; null: not proven. */
  margin?: number | null;
  text: string;
  best: boolean;
  chance?: Chance;
  streetwise?: boolean;
  /** Whether all other moves lose, but not what this one does. */
  only?: boolean;
  at_least?: Bound;
  at_most?: Bound;
};
export type Analysis = {
  position: string;
  value: Value | null;
  distance: number | null;
  margin?: number | null;
  verdict: string;
  source: "table" | "book" | "search";
  /** Plies of the opening book. */
  book?: number;
  /** Whether the search goes on: ask again. */
  more?: boolean;
  exact: boolean;
  moves: Worth[];
  /** In a file of puzzles, what the other side answers. */
  reply?: string;
  chance?: Chance;
  at_least?: Bound;
  at_most?: Bound;
};
/** A move as it is drawn: where it goes and comes from, and the lines that it completes. */
export type Drawn = { move: string; side: number; to: number[]; from: number[]; rows: number[][] };
/** What is known of a move, and why it fails if it does: its refutation, and the depth at which one sees that it is a trap. */
export type Reason = Bound & { move: string; keeps: boolean | null; refutation: string[]; trap: number | null };
/** Why a position stands as it does. */
export type Explanation = Bound & {
  position: string;
  source: "table" | "search" | "threats" | "rules";
  sentences: { text: string }[];
  threats: { side: string; moves: string[]; value: Value | null; plies: number | null; double: boolean } | null;
  sharpness: number | null;
  difficulty: number | null;
  moves: Reason[];
  line: { moves: string[] } | null;
  drawn: { threats: Drawn[]; line: Drawn[]; moves: Record<string, Drawn[]> };
};
export type Judgement = "best" | "good" | "inaccuracy" | "mistake" | "blunder";
/** A move of a game that is reviewed; values for the side that made it. */
export type Judged = {
  ply: number;
  side: string;
  move: string;
  before: Bound;
  after: Bound;
  judgement: Judgement | null;
  better: string[];
  line: string[];
  why: string;
};
export type Summary = {
  side: string;
  moves: number;
  best: number;
  good: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** In per cent. */
  accuracy: number | null;
  /** What to practise, in a sentence. */
  practise: string | null;
};
export type Review = { game: string; plies: Judged[]; summary: Summary[]; turning_point: number | null };
/** What a check of the rules has found: `line` tells what is wrong or worth knowing. */
export type Finding = { check: string; status: "ok" | "skipped" | "note" | "fault"; line: string };
/** The rules of a user's own game after its file was saved. */
export type Reloaded = { game: GameData; line: Line; position: string; kept: number };
/** What the address says. */
export type State = {
  game: string;
  /** The first position, empty for the start of the game. */
  position: string;
  moves: string[];
  /** How many of the moves are on the board. */
  ply: number;
  /** The game that was left to explore another line; null if none was. */
  left: { moves: string[]; ply: number } | null;
  hints: boolean;
  /** Whether the position is explained. */
  why: boolean;
  /** A model of the opponent, or empty. */
  chance: string;
  /** A player's name for each side. */
  players: [string, string];
  /** What the classroom shows, and whether a small position instead of the one on the board; null outside it. */
  lesson: { algorithm: string; step: number; depth: number | null; small: boolean } | null;
  /** The position of a puzzle, empty for that of the day; null if no puzzle is shown. */
  puzzle: string | null;
};
/** A position in which exactly one move keeps the result; a difficulty of 0 is not known. */
export type Puzzle = {
  position: string;
  value: Value;
  distance: number | null;
  margin?: number;
  solution: string[];
  line: string[];
  difficulty: number;
};
/** What stands on a square. */
export type Square = { owner: number; kind: number } | null;
/** A node of a search tree; what is not known is missing. */
export type LessonNode = {
  parent?: number;
  depth: number;
  move?: string;
  position: string;
  side: number;
  kind: "searched" | "finished" | "horizon" | "repeated" | "looked up" | "cut";
  /** For the first side, as all scores are. */
  score?: number;
  bound?: "≤" | "≥";
  best?: number;
  same_as?: number;
  alpha?: number;
  beta?: number;
  rows?: number[][];
};
/** The search enters a node, is back from a child, or cuts the children from that one on. */
export type LessonStep = {
  kind: "enter" | "back" | "cut";
  node: number;
  child?: number;
  best?: number;
  score?: number;
  alpha?: number;
  beta?: number;
};
/** What an algorithm does in a position, or why it does nothing. */
export type Recorded = {
  name: string;
  stopped?: string;
  score_of_a_win?: number | null;
  score?: number;
  visited?: number;
  cut?: number;
  repeated?: number;
  nodes?: LessonNode[];
  steps?: LessonStep[];
};
export type Lesson = {
  game: string;
  position: string;
  side: number;
  depth: number | null;
  /** Whether the position was chosen for want of one. */
  chosen: boolean;
  algorithms: Recorded[];
};

/** A game of a tournament in the list of games. */
export type TournamentRow = {
  number: number;
  /** By their places among the players, the one that moves first from the start first. */
  players: [number, number];
  /** The side that won, null for a draw. */
  winner: 0 | 1 | null;
  plies: number;
  /** The blunders of each side, null where no move could be judged. */
  blunders: [number, number] | null;
  cause?: string;
  unfinished?: boolean;
};
/** What its replay needs. */
export type TournamentReplay = {
  /** Why it cannot be replayed. */
  error?: string;
  moves?: string[];
  /** A character for each square of the first board, and for each move the squares that it changes. */
  board?: string;
  changes?: string[];
  /** The side to move in each position. */
  sides?: string;
  /** The value of each position to the first side: w5, l4, d, +3, ?. */
  values?: string[];
  regret?: (number | null)[];
  /** The moves that would have kept the result instead of a blunder, by the blunder's number. */
  kept?: Record<string, string>;
  ms?: number[];
  opening?: string[];
  /** What the loser of a forfeited game did. */
  said?: string;
  stderr?: [string, string];
  margin?: number;
  /** The address of the page with this game. */
  link?: string;
};
export type TournamentData = {
  players: string[];
  /** The same for lists: long names shortened. */
  short: string[];
  /** Why games do not count in the standings, by their numbers. */
  uncounted: Record<string, string>;
  sides: [string, string];
  names: [string, string];
  art: Art;
  shape: [number, number];
  columns: string[];
  rows: string[];
  beside: string[];
  spoken: [string[], string[]];
  games: (TournamentRow & TournamentReplay)[];
  live?: boolean;
  record?: string;
};
