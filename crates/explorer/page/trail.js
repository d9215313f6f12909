// The trail of a line of play on a board: what each of its moves changed. The board marks the last move with it, the history names
// squares, and who closed a box owns it. A line that came with a link is asked for move by move.
import { isLineBoard, sidesOf } from "./grid.js";
import { targetKey } from "./scene.js";

/** A longer line is not asked for move by move. */
const LONGEST = 120;
const SEATS = ["first", "second"];

export class Trail {
  constructor(source) {
    this.source = source;
    // What is known of a move, by the line up to it.
    this.known = new Map();
  }

  /** What is known of the moves of a line, in their order. */
  of(moves) {
    return moves.map((_, index) => this.known.get(moves.slice(0, index + 1).join(";")));
  }

  /** Learns what the last move of a line changed. */
  async learn(moves) {
    const key = moves.join(";");
    if (moves.length === 0 || this.known.has(key)) return;
    const before = await this.source.position(moves.slice(0, -1)).catch(() => null);
    // Where nothing came, it is asked again the next time.
    if (before === null) return;
    const move = before.moves.find((one) => one.move === moves.at(-1));
    this.known.set(key, { square: move?.square, touches: move?.touches ?? [], player: before.mover });
  }

  /** Learns the whole line. Says whether there was anything new. */
  async learnAll(moves) {
    const had = this.known.size;
    for (let at = moves.length; at > Math.max(0, moves.length - LONGEST); at -= 1) await this.learn(moves.slice(0, at));
    return this.known.size > had;
  }

  /** Whose the closed boxes of a board of lines are, by number: 0 for the first player, 1 for the second. */
  owners(scene, moves) {
    const [panel] = scene.panels;
    if (panel?.kind !== "grid" || !isLineBoard(panel)) return undefined;
    const steps = this.of(moves);
    const owners = new Map();
    panel.cells.forEach((_, cell) => {
      const sides = sidesOf(panel, cell);
      if (sides.length === 0 || sides.some((side) => panel.cells[side].trim() === "")) return;
      const keys = new Set(sides.map((side) => `0:${side}`));
      const closing = steps.findLast((step) => step?.touches.some((target) => keys.has(targetKey(target))));
      if (closing && SEATS.includes(closing.player)) owners.set(cell, SEATS.indexOf(closing.player));
    });
    return owners;
  }
}
