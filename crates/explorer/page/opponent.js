// How the computer plays. With a server the server chooses; a page to keep chooses here, by the same rules.

/** The levels in the order of the menu: name, words. */
export const LEVELS = [
  ["people", "two people"],
  ["perfect", "against perfect play"],
  ["traps", "against perfect play with traps"],
  ["slips", "against a player who slips"],
  ["random", "against random moves"],
];

const any = (moves, chance) => moves[Math.floor(chance() * moves.length)];

/** A move for a position. `wrongAfter(move)` tells how many answers to a move are wrong. */
export function chooseMove(moves, level, wrongAfter, slip = 4, chance = Math.random) {
  if (moves.length === 0) return undefined;
  if (level === "random" || (level === "slips" && chance() * slip < 1)) return any(moves, chance).move;
  const best = moves.filter((move) => move.best);
  if (best.length === 0) return any(moves, chance).move;
  if (level === "traps") {
    const wrong = best.map(wrongAfter);
    const most = Math.max(...wrong);
    return best[wrong.indexOf(most)].move;
  }
  const fast = best.filter((move) => move.fast);
  return any(fast.length > 0 ? fast : best, chance).move;
}
