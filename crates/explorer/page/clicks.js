// What is clicked to make a move, as keys of items. The server tells it where it can; where a rule has moves that it is silent on,
// the squares in the names of the moves tell it, in their order: `go(a1, b2, c2)` is a click on a1, then b2, then c2.
import { targetKey } from "./scene.js";

/** The number of a column's letters, from 0. */
function columnNumber(letters) {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
}

/** The squares that the name of a move has, on a board. */
function squaresIn(name, panel) {
  const inside = /\((.*)\)/.exec(name)?.[1] ?? "";
  return [...inside.matchAll(/(?<![\w])([a-z]{1,2})(\d{1,3})(?!\w)/g)]
    .map(([, letters, digits]) => ({ column: columnNumber(letters), row: Number(digits) - 1 }))
    .filter(({ column, row }) => column < panel.columns && row >= 0 && row < panel.rows)
    .map(({ column, row }) => `0:${row * panel.columns + column}`);
}

const ruleOf = (move) => move.move.split("(")[0];

/** The keys to click for every move, by its name; moves that are not made on the board have none. */
export function clicksOf({ scene, moves }) {
  const told = new Map(moves.map((move) => [move.move, move.clicks.map(targetKey)]));
  const [panel] = scene.panels;
  if (scene.panels.length !== 1 || panel.kind !== "grid") return told;
  const silent = new Set(moves.filter((move) => move.clicks.length === 0).map(ruleOf));
  for (const move of moves) {
    const squares = silent.has(ruleOf(move)) ? squaresIn(move.move, panel) : [];
    if (squares.length > 0) told.set(move.move, squares);
  }
  return told;
}
