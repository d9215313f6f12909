// The board: a scene on which moves can be made. A move says what is clicked to make it; one click may be enough, two may be needed
// (from and to), and several moves may share their clicks. Then the board asks which one is meant.
import { h, s, button, replace } from "./dom.js";
import { drawScene, targetKey } from "./scene.js";
import { clicksOf } from "./clicks.js";
import { markSign, worth } from "./mark.js";

const startsWith = (keys, start) => start.every((key, index) => keys[index] === key);

/** The best of some moves, for the sign on a square that several share. */
function bestOf(moves) {
  return moves.find((move) => move.best) ?? moves[0];
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

  /** Shows a position. `signs` says of a move whether its value may be seen; `live` whether moves can be made. */
  show(position, { signs, live }) {
    this.position = position;
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
    const { node, items } = drawScene(scene, { moves });
    this.items = items;
    this.clicks = clicksOf(this.position);
    this.moves = moves.filter((move) => this.keysOf(move).length > 0 && this.keysOf(move).every((key) => items.has(key)));
    const last = this.position.lastTouches ?? [];
    for (const key of last.map(targetKey)) items.get(key)?.element.classList.add("last");
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", `Board. ${scene.text}`);
    replace(this.host, node);
    this.mark();
  }

  /** Moves that the clicks so far leave open. */
  open() {
    return this.moves.filter((move) => startsWith(this.keysOf(move), this.picked));
  }

  /** What is clicked for a move. */
  keysOf(move) {
    return this.clicks.get(move.move);
  }

  /** Makes the items that can be clicked next known to mouse, keyboard and screen reader. */
  mark() {
    const next = new Map();
    for (const move of this.live ? this.open() : []) {
      const keys = this.keysOf(move);
      const key = keys[Math.min(this.picked.length, keys.length - 1)];
      next.set(key, [...(next.get(key) ?? []), move]);
    }
    for (const key of this.picked) this.items.get(key).element.classList.add("picked");
    for (const [key, moves] of next) this.arm(key, moves);
    this.armColumns(next);
    this.offer();
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
    const what = moves.length === 1 ? moves[0].move : `${moves.length} moves`;
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
    const corner = item.element.querySelector(".piece, .coin, .node-disc") !== null;
    const off = item.box ? 0.52 : 0.62;
    const [x, y, r] = corner ? [item.x + item.r * off, item.y + item.r * off, Math.min(size, 11)] : [item.x, item.y, size * 0.86];
    const small = !corner && !scored && text !== "" && r > 12;
    item.element.append(
      s(
        "g",
        { class: `badge ${move.mark}${move.best ? " best" : ""}`, "aria-hidden": "true" },
        s("circle", { cx: x, cy: y, r }),
        s("text", { class: "badge-sign", x, y: small ? y - 3 : y, "font-size": r * (sign.length > 2 ? 0.72 : 1.02) }, sign),
        small ? s("text", { class: "badge-length", x, y: y + r * 0.56, "font-size": r * 0.62 }, text) : null,
        count > 1 && !corner ? s("title", {}, `${count} moves`) : null,
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
    let open = this.moves.filter((move) => startsWith(this.keysOf(move), picked));
    if (open.length === 0) {
      picked = [key];
      open = this.moves.filter((move) => startsWith(this.keysOf(move), picked));
    }
    const whole = open.filter((move) => this.keysOf(move).length === picked.length);
    if (open.length === 1 || (again && whole.length === 1)) return this.play((whole[0] ?? open[0]).move);
    this.picked = open.length > 0 ? picked : [];
    return this.redraw();
  }

  /** Where clicks leave several moves open, they are offered by name. */
  offer() {
    const open = this.picked.length > 0 && this.live ? this.open() : [];
    const choose = (move) => button(move.square ? [move.square, " ", h("small", {}, move.move)] : move.move, () => this.play(move.move), { class: "small" });
    replace(
      this.chooser,
      open.length > 0 ? h("span", { class: "hint" }, "Which one? Click the next place, or choose:") : null,
      open.slice(0, 24).map(choose),
      open.length > 0 ? button("Never mind", () => this.clear(), { class: "small quiet" }) : null,
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
