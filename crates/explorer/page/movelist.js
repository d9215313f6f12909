// The moves as buttons, each with its sign, its exact value and how far the end is, as far as the person wants to see them.
import { h, button, replace, signed } from "./dom.js";
import { algebra, markSign, markWord, worth } from "./mark.js";

const FEW = 60;

/** A sign in its colour: a letter or symbol, so that it is read without colours too. */
export function chip(mark, text = "") {
  return h("span", { class: `chip ${mark}` }, h("b", { "aria-hidden": "true" }, markSign(mark)), text === "" ? null : h("span", {}, text));
}

/** What a move gains at once: `takes 5`, or the gains of all players where others are concerned. */
function gainWords(gains) {
  const found = gains.filter((gain) => gain !== 0);
  if (found.length === 0) return "";
  return found.length === 1 && found[0] > 0 ? `takes ${found[0]}` : `gains ${gains.map(signed).join(" : ")}`;
}

function moveButton(move, index, seen, play) {
  const key = index < 10 ? String((index + 1) % 10) : "";
  const words = seen ? (move.words ?? markWord(move.mark)) : "value hidden";
  const beside = seen ? algebra(move) : "";
  const gains = gainWords(move.gains ?? []);
  return h(
    "button",
    {
      type: "button",
      class: `move${seen && move.best ? " best" : ""}`,
      "data-move": move.move,
      "aria-label": `${move.square ? `${move.square}, ` : ""}${move.move}: ${words}${seen && move.best ? ", a best move" : ""}`,
      title: seen ? words : move.move,
      onclick: () => play(move.move),
    },
    h("kbd", { "aria-hidden": "true" }, key),
    h("span", { class: "move-name" }, move.square ?? move.move, move.square ? h("small", {}, move.move) : null, gains === "" ? null : h("small", {}, gains)),
    h("span", { class: "move-worth" }, beside && beside.length <= 14 ? h("span", { class: "algebra" }, beside) : null, seen ? chip(move.mark, worth(move)) : h("span", { class: "chip hidden-value" }, "·")),
  );
}

/** The list of the moves of a position. */
export class MoveList {
  constructor(play) {
    this.play = play;
    this.all = false;
    this.head = h("h2", {}, "Moves");
    this.list = h("div", { class: "moves" });
    this.node = h("section", { class: "card", "aria-label": "Moves" }, this.head, this.list);
  }

  show(position, { signs, live }) {
    const moves = position.moves;
    const count = position.moves_count ?? moves.length;
    replace(this.head, "Moves ", h("small", {}, count === 0 ? "" : count.toLocaleString("en")));
    const shown = this.all ? moves : moves.slice(0, FEW);
    const buttons = shown.map((move, index) => {
      const node = moveButton(move, index, signs(move), this.play);
      node.disabled = !live;
      return node;
    });
    const more = moves.length > shown.length ? button(`All ${moves.length.toLocaleString("en")} moves`, () => this.expand(position, { signs, live }), { class: "small" }) : null;
    const none = position.over ? h("p", { class: "hint" }, "The game is over.") : null;
    replace(this.list, buttons, more, moves.length === 0 ? none : null);
  }

  expand(position, how) {
    this.all = true;
    this.show(position, how);
  }
}
