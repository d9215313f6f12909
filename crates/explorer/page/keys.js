// The keyboard, and the page that shows the keys. Keys do nothing while a person writes.
import { h } from "./dom.js";
import { MARK_NAMES, markSign, markWord } from "./mark.js";

/** The keys as the help shows them. */
const KEYS = [
  ["1 … 9, 0", "play the move with this number"],
  ["← →", "one move back, one move on"],
  ["Home End", "to the start, to the end of the line"],
  ["u", "undo (against the computer: its answer too)"],
  ["b", "play the best move"],
  ["h", "hints: hidden, best move, all values"],
  ["/", "search the games"],
  ["Esc", "forget half a move; close this"],
  ["?", "these keys"],
];

/** The dialog with all keys. */
export function keysDialog() {
  const rows = KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, key.split(" ").map((part) => (part === "…" ? " … " : h("kbd", {}, part.replace(",", ""))))), h("td", {}, what)));
  const dialog = h(
    "dialog",
    { class: "keys", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h("table", {}, h("tbody", {}, rows)),
    h("h2", {}, "Signs"),
    h("ul", { class: "legend" }, MARK_NAMES.map((mark) => h("li", {}, h("span", { class: `chip ${mark}` }, h("b", {}, markSign(mark))), ` ${markWord(mark)}`))),
    h("p", { class: "hint" }, "The number beside a sign tells how many moves are left, or by how many points."),
    h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")),
  );
  document.body.append(dialog);
  return dialog;
}

/** Whether a person is writing just now. */
function isWriting(event) {
  const where = event.composedPath()[0];
  if (!(where instanceof Element)) return false;
  return where.matches("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true]") || where.closest(".cm-editor") !== null;
}

/** What a key does to a game that is shown. */
function playKey(key, play) {
  if (/^[0-9]$/.test(key)) return () => play.playNumber((Number(key) + 9) % 10);
  return {
    ArrowLeft: () => play.jump(play.line.at - 1),
    ArrowRight: () => play.jump(play.line.at + 1),
    Home: () => play.jump(0),
    End: () => play.jump(play.line.moves.length),
    u: () => play.undo(),
    b: () => play.playBest(),
    h: () => play.nextHints(),
    Escape: () => play.board.clear(),
  }[key];
}

/** Listens. `current()` is the game that is shown, if any; `search()` goes to the search field. */
export function listen(dialog, current, search = () => {}) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return;
    if (event.key === "?") {
      event.preventDefault();
      if (dialog.open) dialog.close();
      else dialog.showModal();
      return;
    }
    if (dialog.open) return;
    if (event.key === "/") {
      event.preventDefault();
      search();
      return;
    }
    const play = current();
    const onRadio = event.target instanceof Element && event.target.matches("input[type=radio]");
    const act = play && !(onRadio && event.key.startsWith("Arrow")) ? playKey(event.key, play) : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}
