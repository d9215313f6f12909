// A page to keep: one solved game with all its positions in the page itself. No server, no requests.
import { h, replace } from "./dom.js";
import { themeSwitch } from "./theme.js";
import { keysDialog, listen } from "./keys.js";
import { Line } from "./line.js";
import { unpack } from "./link.js";
import { PlayView } from "./playview.js";
import { OfflineSource } from "./offlinesource.js";
import { gameTitle } from "./names.js";

// The game in the page: JSON, packed and written as text.
const data = JSON.parse(await unpack(document.querySelector("#offline").textContent.trim()));
document.body.dataset.view = "game";
const host = document.querySelector("main");

/** The moves that the address names. */
function given() {
  const found = /[#&?]m=([^&]*)/.exec(location.hash);
  return found ? decodeURIComponent(found[1]).split(";").filter(Boolean) : [];
}

function instanceWords() {
  return Object.entries(data.instance)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(", ");
}

const dialog = keysDialog();
const help = h("button", { type: "button", class: "icon", "aria-label": "Keys", title: "Keys (?)", onclick: () => dialog.showModal() }, "?");
document.querySelector(".top .tools").append(themeSwitch(), help);
document.title = `${gameTitle(data.game)} — Perfect Play`;

const play = new PlayView(new OfflineSource(data), new Line(given()), {
  changed: () => {
    const moves = play.line.made();
    globalThis.history.replaceState(null, "", moves.length > 0 ? `#m=${encodeURIComponent(moves.join(";"))}` : "#");
  },
  failed: () => play.position === undefined && play.line.jump(0) && play.refresh(),
});
replace(
  host,
  h("header", { class: "game-head" }, h("h1", {}, gameTitle(data.game)), h("p", { class: "lead" }, data.about), h("p", { class: "hint" }, instanceWords())),
  play.node,
  data.rules ? h("details", { class: "more" }, h("summary", {}, "The rules"), h("pre", { class: "rules card" }, h("code", {}, data.rules))) : null,
);
listen(dialog, () => play);
play.refresh();
