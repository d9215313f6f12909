// A game being played: board, verdict, moves, history. It knows a source of positions and a line of moves, and nothing of the server,
// so a page to keep uses it too.
import { h, button, choice, replace, select } from "./dom.js";
import { icon } from "./icons.js";
import { Board } from "./board.js";
import { MoveList, chip } from "./movelist.js";
import { History } from "./history.js";
import { Trail } from "./trail.js";
import { Working } from "./working.js";
import { Focus } from "./focus.js";
import { LEVELS } from "./opponent.js";
import { algebra, markFor, otherMark } from "./mark.js";
import { remember } from "./store.js";
import { HINTS, SIDES, slipOf, startSettings } from "./settings.js";

const PAUSE = 450;

const isBoard = (position) => position.scene.panels[0]?.kind === "grid";
const title = (player) => player.charAt(0).toUpperCase() + player.slice(1);

export class PlayView {
  /** `changed()` hears of every new line; `failed(problem)` of what went wrong; `unsolved(position)` offers more work. */
  constructor(source, line, { changed = () => {}, failed = () => {}, unsolved = () => null, settings = {} } = {}) {
    Object.assign(this, { source, line, changed, failed, unsolved });
    Object.assign(this, startSettings(settings));
    this.steps = [];
    this.trail = new Trail(source);
    this.turn = 0;
    this.board = new Board((move) => this.play(move));
    this.list = new MoveList((move) => this.play(move));
    this.past = new History((at) => this.jump(at));
    this.verdict = h("div", { class: "verdict", role: "status", "aria-live": "polite" });
    this.working = new Working();
    this.extra = h("div", { class: "extra" });
    this.node = this.layout();
    this.focus = new Focus(this);
  }

  layout() {
    const walk = (name, label, act, key) => button(icon(name), act, { class: "icon", disabled: true, "aria-label": label, title: `${label} (${key})` });
    this.back = walk("undo", "Undo", () => this.undo(), "u");
    this.forth = walk("redo", "Redo", () => this.jump(this.line.at + 1), "→");
    this.restart = walk("first", "To the start", () => this.jump(0), "Home");
    this.finish = walk("last", "To the end of the line", () => this.jump(this.line.moves.length), "End");
    this.help = button("Play the best move", () => this.playBest(), { class: "small", title: "b", disabled: true });
    this.again = button("New game", () => this.newGame(), { class: "primary", hidden: true });
    this.sides = h("span", { class: "sides" });
    const tools = h("div", { class: "tools" }, this.restart, this.back, this.forth, this.finish, this.help, this.again);
    const settings = h(
      "section",
      { class: "card settings", "aria-label": "Settings" },
      select("Playing", LEVELS, this.level, (level) => this.setLevel(level)),
      this.sides,
      choice("Hints", HINTS, this.hints, (hints) => this.setHints(hints)),
    );
    const stage = h("section", { class: "stage", "aria-label": "Position" }, this.working.node, this.verdict, this.extra, this.board.node, tools);
    return h("div", { class: "play" }, h("div", { class: "main-column" }, stage, this.past.node), h("div", { class: "side" }, settings, this.list.node));
  }

  /** Whether the value of a move may be seen. */
  sees(move) {
    if (move.mark === "unknown") return false;
    return this.hints === "all" || (this.hints === "best" && move.best === true);
  }

  isComputer(player) {
    return this.level !== "people" && player !== this.side;
  }

  /** Shows the position where the line stands, and lets the computer move where it is its turn. */
  async refresh() {
    this.turn += 1;
    this.busy = true;
    this.working.begin(this.position === undefined);
    const [turn, made] = [this.turn, this.line.made()];
    let position;
    try {
      position = await this.source.position(made);
      if (isBoard(position)) await this.trail.learn(made);
    } catch (problem) {
      if (turn === this.turn) this.refuse(problem);
      return;
    }
    if (turn !== this.turn) return;
    this.busy = false;
    this.working.end();
    this.position = position;
    this.node.hidden = false;
    this.steps = [...position.history, ...this.steps.slice(position.history.length, this.line.moves.length + 1)];
    this.good = { moves: this.line.moves, at: this.line.at, steps: this.steps };
    this.show();
    this.changed();
    this.learn(turn, position);
    if (!position.over && this.line.at === this.line.moves.length && this.isComputer(position.mover)) this.answer(turn, made);
  }

  /** What cannot be shown leaves the last position and its history in place. */
  refuse(problem) {
    this.busy = false;
    this.working.end();
    if (this.good) {
      Object.assign(this.line, { moves: this.good.moves, at: this.good.at });
      this.steps = this.good.steps;
      this.show();
    }
    this.failed(problem);
  }

  /** Whether the person may move now: nothing is under way, and it is not the computer's turn. */
  get isLive() {
    return !this.busy && this.position !== undefined && (!this.isComputer(this.position.mover) || this.line.at < this.line.moves.length);
  }

  /** Learns what the moves of a line changed that came with a link, and shows it. */
  async learn(turn, position) {
    if (!isBoard(position) || !(await this.trail.learnAll(this.line.moves))) return;
    if (turn === this.turn && this.board.picked.length === 0) this.show();
  }

  show() {
    if (this.position !== undefined) this.focus.around(() => this.draw(this.position));
  }

  draw(position) {
    const live = this.isLive;
    const how = { signs: (move) => this.sees(move), live, isFirst: this.line.at === 0 };
    const made = this.line.made();
    const trail = this.trail.of(this.line.moves);
    this.board.show({ ...position, lastTouches: trail[made.length - 1]?.touches ?? [], owners: this.trail.owners(position.scene, made) }, how);
    this.list.show(position, how);
    const squares = trail.map((step) => step?.square);
    this.past.show(this.line, this.steps, { signs: this.hints === "all", players: position.players, squares });
    this.showVerdict(position);
    this.showSides(position);
    replace(this.extra, position.solved === false && !position.over ? this.unsolved(position) : null);
    this.back.disabled = this.restart.disabled = this.line.at === 0;
    this.forth.disabled = this.finish.disabled = this.line.at === this.line.moves.length;
    this.again.hidden = !position.over;
    this.help.hidden = position.over;
    this.help.disabled = position.over || !live || !position.moves.some((move) => move.best);
  }

  showVerdict(position) {
    // At the end more may be paid than was gained on the way.
    const totals = (position.over ? position.verdict?.totals : undefined) ?? position.totals;
    const turn = position.over ? "The game is over" : `${title(position.mover)} to move`;
    const score = totals ? h("span", { class: "score" }, totals.map((total, player) => [player > 0 ? " : " : "", h("b", {}, String(total))])) : null;
    const secret = this.hints === "hidden" && !position.over;
    // The verdict tells the nimber itself.
    const beside = secret || position.nimber !== undefined ? "" : algebra(position);
    const mark = this.markShown(position);
    const words = secret ? "The verdict is hidden; think it over." : this.wordsShown(position, mark);
    replace(
      this.verdict,
      h("div", { class: "turn" }, h("span", { class: `turn-sign ${position.mover}`, "aria-hidden": "true" }), turn, score),
      h(
        "div",
        { class: "verdict-line" },
        secret ? chip("unknown") : chip(mark),
        h("p", { class: "verdict-words" }, words),
        beside && beside.length <= 40 ? h("span", { class: "algebra", title: "its value in the algebra of games" }, beside) : null,
      ),
    );
  }

  /** The mark of the verdict: against the computer the person's own, between people the mover's, and in the end the winner's. */
  markShown({ verdict, mover, over, players }) {
    if (this.level !== "people") return markFor(verdict.mark, mover, this.side, players);
    return over && players === 2 && (verdict.mark === "lose" || verdict.mark === "behind") ? otherMark(verdict.mark) : verdict.mark;
  }

  /** The words of the verdict. Who plays against the computer is told how it ended for them. */
  wordsShown({ verdict, over, players }, mark) {
    if (!over || this.level === "people" || players !== 2) return verdict.words;
    if (mark === "win" || mark === "ahead") return verdict.words.replace(/^\w+ has won/, "You have won");
    return mark === "lose" || mark === "behind" ? `You have lost: ${verdict.words}` : verdict.words;
  }

  showSides(position) {
    const names = SIDES.slice(0, Math.max(2, position.players));
    const shown = this.level === "people" ? null : select("You play", names.map((name) => [name, name]), this.side, (side) => this.setSide(side));
    const often = h("label", { class: "field" }, h("span", {}, "One in"), h("input", { type: "number", class: "narrow", min: "2", max: "50", value: String(this.slip), onchange: (event) => this.setSlip(event.target) }));
    replace(this.sides, shown, this.level === "slips" ? often : null);
  }

  /** Makes the person's move, by its name. While a move or its answer is under way another one is ignored. */
  play(move) {
    if (this.isLive) this.make(move);
  }

  make(move) {
    this.line.play(move);
    this.steps = this.steps.slice(0, this.line.at);
    return this.refresh();
  }

  /** Makes the move of the list with a number, if there is one. */
  playNumber(index) {
    const move = this.position?.moves[index];
    if (move) this.play(move.move);
  }

  playBest() {
    const moves = this.position?.moves ?? [];
    const best = moves.find((move) => move.best && move.fast) ?? moves.find((move) => move.best);
    if (best && !this.help.disabled) this.play(best.move);
  }

  async answer(turn, made) {
    await new Promise((done) => setTimeout(done, PAUSE));
    if (turn !== this.turn) return;
    try {
      const move = await this.source.opponent(made, this.level, this.slip);
      if (turn === this.turn && move !== undefined) this.make(move);
    } catch (problem) {
      if (turn === this.turn) this.failed(problem);
    }
  }

  /** Takes the last move back; against the computer also its answer. */
  undo() {
    let at = this.line.at - 1;
    while (at > 0 && this.steps[at] && this.isComputer(this.steps[at].mover)) at -= 1;
    this.jump(at);
  }

  jump(at) {
    if (this.line.jump(at)) this.refresh();
  }

  /** From the start, with the same opponent. */
  newGame() {
    Object.assign(this.line, { moves: [], at: 0 });
    this.steps = [];
    this.refresh();
  }

  setHints(hints) {
    this.hints = hints;
    remember("hints", hints);
    const input = this.node.querySelector(`.settings input[value="${hints}"]`);
    if (input) input.checked = true;
    if (this.position === undefined) return;
    this.show();
    this.changed();
  }

  /** Goes on to the next step of hints. */
  nextHints() {
    const names = HINTS.map(([name]) => name);
    this.setHints(names[(names.indexOf(this.hints) + 1) % names.length]);
  }

  setLevel(level) {
    this.level = level;
    remember("opponent", level);
    this.playFromHere();
  }

  setSlip(input) {
    this.slip = slipOf(input.value);
    input.value = String(this.slip);
    remember("slip", this.slip);
    this.changed();
  }

  setSide(side) {
    this.side = side;
    this.playFromHere();
  }

  /** Who chooses an opponent plays on from here: moves that were undone are forgotten, or the computer would wait for them. */
  playFromHere() {
    if (this.level !== "people") this.line.moves = this.line.made();
    this.refresh();
  }

  /** Stops what is under way, when the page shows something else. */
  leave() {
    this.turn += 1;
    this.working.end();
  }
}
