// The panels beside the board, loaded when the first board is drawn.

export { showGames, showPlayers } from "./choose.js";
export { showAbout } from "./about.js";
export { showEnding } from "./ending.js";
export { Explorer } from "./explore.js";
export { longestOf, showBar } from "./evaluation.js";
export { showHistory } from "./history.js";
export { showOwn } from "./own_game.js";
export { showMoves } from "./moves.js";
export { showPosition, showSetting } from "./position.js";
export { showShare } from "./share.js";
export { showSolve } from "./solving.js";
export { Teacher } from "./teacher.js";
