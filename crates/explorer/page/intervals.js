// The way to a row of an interval game: moves that take items at the ends until just the wanted ones are left.
import { ask } from "./api.js";

/** Moves from the start to the row in which so many items are gone at the left and at the right; null where there are none. */
export async function wayTo(question, left, right, items) {
  const wanted = (item) => item >= left && item < items - right;
  const moves = [];
  for (;;) {
    const { scene, moves: open } = await ask("position", { ...question, moves });
    const index = scene.panels.findIndex((panel) => panel.kind === "row");
    const row = scene.panels[index];
    if (row === undefined || moves.length > items) return null;
    if (row.items.every((item, at) => item.there === wanted(at))) return moves;
    const taken = (move) => move.touches.filter((target) => target.panel === index).map((target) => target.item);
    const fitting = open.filter((move) => taken(move).length > 0 && !taken(move).some(wanted));
    if (fitting.length === 0) return null;
    moves.push((fitting.find((move) => move.best) ?? fitting[0]).move);
  }
}
