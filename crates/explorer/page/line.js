// The line of play: the moves that were made, and where in it the person stands. Undone moves stay until another one is made.

export class Line {
  constructor(moves = [], at = moves.length) {
    this.moves = [...moves];
    this.at = Math.min(at, moves.length);
  }

  /** The moves up to where the person stands. */
  made() {
    return this.moves.slice(0, this.at);
  }

  /** Makes a move here; moves that were undone are forgotten, unless it is the same move again. */
  play(move) {
    if (this.moves[this.at] !== move) this.moves = [...this.made(), move];
    this.at += 1;
  }

  /** Goes to a place in the history. Says whether that changed anything. */
  jump(at) {
    const to = Math.max(0, Math.min(at, this.moves.length));
    const moved = to !== this.at;
    this.at = to;
    return moved;
  }
}
