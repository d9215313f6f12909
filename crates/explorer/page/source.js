// Where positions come from: the server. `offlinesource.js` has the same functions for a page without one.
import { ask } from "./api.js";

const KEPT = 400;

export class ServerSource {
  /** `question` names the game: `game`, `rules` or `table`, and the instance. */
  constructor(question) {
    this.question = question;
    this.known = new Map();
    this.seed = Math.floor(Math.random() * 1e9);
  }

  body(moves) {
    return { ...this.question, moves };
  }

  /** The position after some moves. */
  position(moves) {
    const key = moves.join(";");
    if (!this.known.has(key)) {
      if (this.known.size > KEPT) this.known.clear();
      const answer = ask("position", this.body(moves));
      this.known.set(key, answer);
      answer.catch(() => this.known.delete(key));
    }
    return this.known.get(key);
  }

  /** Keeps an answer that a job gave. */
  keep(moves, position) {
    this.known.set(moves.join(";"), Promise.resolve(position));
  }

  /** The computer's move there. */
  async opponent(moves, level, slip) {
    this.seed = (this.seed * 48271) % 2147483647;
    return (await ask("opponent", { ...this.body(moves), level, slip, seed: this.seed })).move;
  }
}
