// What is clicked to make a move, as keys of items. The server tells it where it can; where a rule has moves that it is silent on,
// the squares in the names of the moves tell it, in their order: `go(a1, b2, c2)` is a click on a1, then b2, then c2. Where these do
// not tell one move from another, the squares that it changes do.
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

/** Whether moves with these squares in their names are made from a square on: a piece stands on the first, or several follow. */
function areWays(all, panel) {
  const blank = (key) => [panel.blank, ".", " ", ""].includes(panel.cells[Number(key.split(":")[1])]);
  return all.every((squares) => squares.length > 0) && all.some((squares) => squares.length > 1 || !blank(squares[0]));
}

/** Items of rows that go with what was clicked: where a domino is pushed, a click on one that falls tells the side. */
function moreIn(scene, move) {
  const isInRow = (target) => scene.panels[target.panel]?.kind === "row" && !scene.panels[target.panel].counts;
  const keys = new Set(move.clicks.map(targetKey));
  return new Set(keys.size === 0 ? [] : move.touches.filter(isInRow).map(targetKey).filter((key) => !keys.has(key)));
}

/** What is clicked for every move, by its name: `keys` in their order, and then `more` in any order, as long as several moves are
 *  possible. A piece that covers several squares has no first one: any of them can be clicked. */
export function clicksOf({ scene, moves }) {
  const told = new Map(moves.map((move) => [move.move, { keys: move.clicks.map(targetKey), more: moreIn(scene, move) }]));
  const [panel] = scene.panels;
  if (scene.panels.length !== 1 || panel.kind !== "grid") return told;
  const rules = new Map();
  for (const move of moves) rules.set(ruleOf(move), [...(rules.get(ruleOf(move)) ?? []), move]);
  for (const own of rules.values()) {
    const silent = own.some((move) => move.clicks.length === 0);
    const squares = own.map((move) => (silent ? squaresIn(move.move, panel) : []));
    const ways = silent && areWays(squares, panel);
    own.forEach((move, index) => {
      const clicks = told.get(move.move);
      if (silent) clicks.keys = ways ? squares[index] : [];
      clicks.more = new Set(move.touches.map(targetKey).filter((key) => !clicks.keys.includes(key)));
    });
  }
  return told;
}

/** Whether a move is still possible after some clicks. */
export function fits({ keys, more }, picked) {
  return picked.every((key, index) => (index < keys.length ? keys[index] === key : more.has(key)));
}

/** What can be clicked next for a move, which fits the clicks so far. */
export function nextKeys({ keys, more }, picked) {
  return picked.length < keys.length ? [keys[picked.length]] : [...more].filter((key) => !picked.includes(key));
}

/** Whether some clicks are all that a move needs. */
export function isWhole({ keys, more }, picked) {
  return picked.length === keys.length || (picked.length > keys.length && [...more].every((key) => picked.includes(key)));
}
