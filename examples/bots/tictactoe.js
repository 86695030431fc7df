// tictactoe.js: a tic-tac-toe bot in JavaScript that never loses; it needs node and nothing else.
//
// perfectplay play tic-tac-toe --second "cmd:node tictactoe.js"

"use strict";

const SQUARES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
const LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "c1 b2 a3"].map(
  (line) => line.split(" "),
);
const known = new Map();

/** Whether the side that has just moved has three in a row: the last move is its, and every second one before. */
function hasWon(moves) {
  const theirs = moves.filter((_, ply) => (moves.length - ply) % 2 === 1);
  return LINES.some((line) => line.every((square) => theirs.includes(square)));
}

/** The squares on which nobody has moved. */
function free(moves) {
  return SQUARES.filter((square) => !moves.includes(square));
}

/** What the position after these moves is worth to the side to move: 1 if it wins, 0 if it draws, -1 if it loses. */
function value(moves) {
  if (hasWon(moves)) return -1;
  if (moves.length === SQUARES.length) return 0;
  const board = SQUARES.map((square) => (moves.includes(square) ? moves.indexOf(square) % 2 : "."));
  const name = board.join("");
  if (!known.has(name)) known.set(name, Math.max(...free(moves).map((square) => -value([...moves, square]))));
  return known.get(name);
}

/** The first move that keeps the result, and an immediate win before all others. */
function choose(moves) {
  const after = free(moves).map((square) => [...moves, square]);
  const best = after.find(hasWon) ?? after.find((next) => -value(next) === value(moves));
  return best.at(-1);
}

let moves = [];
require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [command, ...words] = line.trim().split(/\s+/);
    if (command === "ugi") console.log("id name tictactoe.js\nid author you\nugiok");
    if (command === "isready") console.log("readyok");
    if (command === "position") moves = words.slice(2); // position startpos moves b2 a1 ...
    if (command === "go") console.log(`bestmove ${choose(moves)}`);
    if (command === "quit") process.exit();
  });
