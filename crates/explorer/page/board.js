// The board: a scene on which moves can be made. A move says what is clicked to make it; one click may be enough, two may be needed
// (from and to), and several moves may share their clicks. Then the board asks which one is meant.
import { h, s, button, replace } from "./dom.js";
import { drawScene, targetKey } from "./scene.js";
import { clicksOf, fits, isWhole, nextKeys } from "./clicks.js";
import { markSign, worth } from "./mark.js";
import { chip } from "./movelist.js";
import { counted } from "./names.js";

/** The best of some moves, for the sign on a square that several share. */
function bestOf(moves) {
  return moves.find((move) => move.best) ?? moves[0];
}

/** Whether moves do the same to what is drawn and are worth the same, as taking the last coin from either side. */
function areAlike(scene, moves) {
  if (scene.panels.some((panel) => panel.kind === "grid" || panel.kind === "fields")) return false;
  const sameAs = ({ touches, gains, mark, remoteness, value }) => JSON.stringify([touches, gains, mark, remoteness, value]);
  return moves.every((move) => sameAs(move) === sameAs(moves[0]));
}

export class Board {
  /** `play(move)` is called with the move that was clicked. */
  constructor(play) {
    this.play = play;
    this.picked = [];
    this.host = h("div", { class: "board", tabindex: "-1" });
    this.chooser = h("div", { class: "chooser", "aria-live": "polite" });
    this.node = h("div", { class: "board-box" }, this.host, this.chooser);
  }

  /** Shows a position. `signs` says of a move whether its value may be seen; `live` whether moves can be made; `isFirst` whether nobody
   *  has moved yet, so that a word on how to move is welcome. */
  show(position, { signs, live, isFirst = false }) {
    this.position = position;
    this.isFirst = isFirst;
    this.signs = signs;
    this.live = live && !position.over;
    this.picked = [];
    this.draw();
  }

  /** The element of a key, made fit to have the focus even where nothing can be clicked. */
  place(key) {
    const element = this.items.get(key)?.element;
    if (element && !element.hasAttribute("tabindex")) {
      element.setAttribute("tabindex", "-1");
      element.setAttribute("data-place", key);
    }
    return element;
  }

  /** Draws anew after half a move; the keyboard stays where it was. */
  redraw() {
    const focused = this.node.contains(document.activeElement) ? document.activeElement : null;
    this.draw();
    if (focused) (this.place(focused.getAttribute("data-target")) ?? this.host).focus({ preventScroll: true });
  }

  draw() {
    const { scene, moves } = this.position;
    const { node, items } = drawScene(scene, { moves, totals: this.position.totals, owners: this.position.owners });
    this.items = items;
    this.clicks = clicksOf(this.position);
    this.moves = moves.filter((move) => this.isOnBoard(this.clicks.get(move.move)));
    const last = this.position.lastTouches ?? [];
    for (const key of last.map(targetKey)) items.get(key)?.element.classList.add("last");
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", `Board. ${scene.text}`);
    replace(this.host, node);
    this.mark();
  }

  /** Whether a move can be made by clicks on what is drawn. */
  isOnBoard({ keys, more }) {
    return keys.length + more.size > 0 && [...keys, ...more].every((key) => this.items.has(key));
  }

  /** Moves that some clicks leave open. */
  open(picked = this.picked) {
    return this.moves.filter((move) => fits(this.clicks.get(move.move), picked));
  }

  /** Makes the items that can be clicked next known to mouse, keyboard and screen reader. */
  mark() {
    const open = this.live ? this.open() : [];
    const next = new Map();
    for (const move of open) {
      for (const key of nextKeys(this.clicks.get(move.move), this.picked)) next.set(key, [...(next.get(key) ?? []), move]);
    }
    // Where one move is whole and others go on, another click on the last place means that one.
    const whole = this.picked.length > 0 ? this.whole(open) : [];
    if (whole.length === 1) next.set(this.picked.at(-1), whole);
    for (const key of this.picked) this.items.get(key).element.classList.add("picked");
    // What all moves that are left have in common tells none of them from another.
    for (const [key, moves] of next) if (this.picked.length === 0 || moves.length < open.length || this.isNext(key, moves)) this.arm(key, moves);
    this.armColumns(next);
    this.offer(open);
  }

  /** Moves for which some clicks are enough. */
  whole(open, picked = this.picked) {
    return open.filter((move) => isWhole(this.clicks.get(move.move), picked));
  }

  /** Whether a place is the next in the order of clicks of some moves. */
  isNext(key, moves) {
    return moves.some((move) => this.clicks.get(move.move).keys[this.picked.length] === key);
  }

  /** Where pieces fall, a click anywhere above the place where one comes to rest means that place: a column has one free end. */
  armColumns(next) {
    const [panel] = this.position.scene.panels;
    if (panel?.kind !== "grid" || this.picked.length > 0 || next.size === 0) return;
    const blank = (cell) => [panel.blank, ".", " ", ""].includes(panel.cells[cell]);
    const columns = [...next.keys()].map((key) => {
      const cell = Number(key.split(":")[1]);
      const column = Array.from({ length: panel.rows }, (_, row) => row * panel.columns + (cell % panel.columns));
      const at = column.indexOf(cell);
      return { key, above: column.slice(0, at), falls: column.slice(0, at).every(blank) && !column.slice(at + 1).some(blank) };
    });
    if (!columns.every((column) => column.falls)) return;
    for (const { key, above } of columns) {
      for (const cell of above) {
        const { element } = this.items.get(`0:${cell}`);
        element.classList.add("open", "falls");
        element.addEventListener("click", (event) => this.clicked(event, key));
      }
    }
  }

  arm(key, moves) {
    const item = this.items.get(key);
    const shown = moves.filter((move) => this.signs(move));
    const what = moves.length === 1 ? moves[0].move : counted(moves.length, "move");
    const words = moves.length === 1 && shown.length === 1 && moves[0].words ? `, ${moves[0].words}` : "";
    item.element.classList.add("open");
    item.element.setAttribute("role", "button");
    item.element.setAttribute("tabindex", "0");
    item.element.setAttribute("data-target", key);
    item.element.setAttribute("aria-label", `${item.name}: ${what}${words}`);
    item.element.addEventListener("click", (event) => this.clicked(event, key));
    item.element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.click(key);
    });
    if (shown.length > 0 && item.x !== undefined) this.badge(item, bestOf(shown), moves.length);
    else if (item.box) item.element.append(s("circle", { class: "open-dot", cx: item.x, cy: item.y, r: 4 }));
  }

  /** The sign of a move on its square, stone, coin or node. */
  badge(item, move, count) {
    const text = worth(move).length <= 4 ? worth(move) : "";
    const size = Math.min(item.r, 17);
    const scored = move.mark === "ahead" || move.mark === "behind" || move.mark === "equal";
    const sign = scored && text !== "" && text.length <= 3 ? text : markSign(move.mark);
    const corner = item.corner !== undefined || item.element.querySelector(".piece, .coin") !== null;
    const off = item.corner ?? (item.box ? 0.52 : 0.62);
    const [x, y, r] = corner ? [item.x + item.r * off, item.y + item.r * off, Math.min(size, 11)] : [item.x, item.y, size * 0.86];
    const small = !corner && !scored && text !== "" && r > 12;
    item.element.append(
      s(
        "g",
        { class: `badge ${move.mark}${move.best ? " best" : ""}`, "aria-hidden": "true" },
        s("circle", { cx: x, cy: y, r }),
        s("text", { class: "badge-sign", x, y: small ? y - 3 : y, "font-size": r * (sign.length > 2 ? 0.72 : 1.02) }, sign),
        small ? s("text", { class: "badge-length", x, y: y + r * 0.56, "font-size": r * 0.62 }, text) : null,
        count > 1 && !corner ? s("title", {}, counted(count, "move")) : null,
      ),
    );
  }

  /** The second click of a double click is none of its own, unless it says that half a move is whole. */
  clicked(event, key) {
    if (event.detail < 2 || this.picked.length > 0) this.click(key);
  }

  click(key) {
    const again = this.picked.at(-1) === key;
    let picked = again ? this.picked : [...this.picked, key];
    let open = this.open(picked);
    if (open.length === 0) {
      picked = [key];
      open = this.open(picked);
    }
    // A click on the same place again, or one that is all that some move needs, says that half a move is whole.
    const whole = this.whole(open, picked);
    if (open.length === 1 || (again && whole.length === 1) || (open.length > 1 && areAlike(this.position.scene, open))) return this.play((whole[0] ?? open[0]).move);
    this.picked = open.length > 0 ? picked : [];
    return this.redraw();
  }

  /** How a move is made by clicks, in a line. */
  howTo(open) {
    if (this.moves.length === 0) return this.position.moves.length > 0 ? "Choose a move from the list." : "";
    if (this.picked.length > 0) return open.length > 1 ? "Which one? Click the next place, or choose:" : "";
    const clicks = open.map((move) => this.clicks.get(move.move));
    const most = Math.max(...clicks.map(({ keys }) => keys.length));
    const isGrid = this.position.scene.panels[0]?.kind === "grid";
    if (most === 0 && clicks.some(({ more }) => more.size > 2)) return "Click the squares of a move one after the other.";
    if (most >= 2 && !isGrid) return "Click all that a move takes, one after the other.";
    if (most >= 3) return "Click a piece, then a square, then another one.";
    if (most === 2) return "Click a piece, then a square.";
    return this.isFirst ? "Click on the board, or choose a move from the list." : "";
  }

  /** Says how to click; where clicks leave several moves open, they are offered by name, with their values as far as they are seen. */
  offer(open) {
    const half = this.picked.length > 0 && this.live;
    const choose = (move) => button([move.square ?? move.move, move.square ? h("small", {}, move.move) : null, this.signs(move) ? chip(move.mark, worth(move)) : null], () => this.play(move.move), { class: `small${this.signs(move) && move.best ? " best" : ""}` });
    const hint = this.live ? this.howTo(open) : "";
    replace(
      this.chooser,
      hint === "" ? null : h("span", { class: "hint" }, hint),
      half ? open.slice(0, 24).map(choose) : null,
      half && open.length > 24 ? h("span", { class: "hint" }, `and ${open.length - 24} more`) : null,
      half ? button("Never mind", () => this.clear(), { class: "small quiet" }) : null,
    );
  }

  /** Forgets half a move. Says whether there was one. */
  clear() {
    if (this.picked.length === 0) return false;
    this.picked = [];
    this.redraw();
    return true;
  }
}
