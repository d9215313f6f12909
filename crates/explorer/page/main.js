// The page: its frame, and which view the address asks for.
//
// playview.js is a game being played. It knows a source of positions (source.js asks the server, offlinesource.js is the page to
// keep) and draws with scene.js, which has one file for each kind of picture. Plain modules, no build step; every element is made
// in dom.js. The tests in a browser are crates/cli/tests/browser.
import { h, replace } from "./dom.js";
import { themeSwitch } from "./theme.js";
import { keysDialog, listen } from "./keys.js";
import { readLink } from "./link.js";
import { showGallery } from "./gallery.js";
import { GameView } from "./gameview.js";
import { cancelShown, failureBox } from "./job.js";

const host = document.querySelector("main");
let current;

function nav(page) {
  for (const link of document.querySelectorAll(".top nav a")) {
    const here = link.getAttribute("href") === (page === "playground" ? "#/playground" : "#/");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Makes the view of a link; the gallery where it names none. */
async function view(link, place) {
  if (link.page === "playground") {
    const { Playground } = await import("./playground.js");
    return new Playground(place, link);
  }
  if (link.page === "game" || link.page === "own" || link.page === "table") return new GameView(place, link);
  return { open: () => showGallery(place), leave: () => {} };
}

/** Shows what the address asks for. Every view has a place of its own: what is made for an older address comes late into a place
 *  that nobody sees. */
async function route() {
  current?.leave();
  cancelShown();
  current = undefined;
  const place = h("div", { class: "view" }, h("p", { class: "hint loading" }, "One moment …"));
  replace(host, place);
  const isSeen = () => place.isConnected;
  try {
    const link = await readLink(location.hash);
    if (!isSeen()) return;
    nav(link.page);
    document.body.dataset.view = link.page || "gallery";
    if (link.broken.length > 0) throw new Error("This link is broken: a part of it cannot be read.");
    const made = await view(link, place);
    if (!isSeen()) return;
    current = made;
    await made.open();
  } catch (failure) {
    replace(place, failureBox(failure), h("p", {}, h("a", { href: "#/" }, "To the gallery")));
  }
  if (isSeen()) globalThis.scrollTo(0, 0);
}

const dialog = keysDialog();
const help = h("button", { type: "button", class: "icon", "aria-label": "Keys", title: "Keys (?)", onclick: () => dialog.showModal() }, "?");
document.querySelector(".top .tools").append(themeSwitch(), help);
listen(dialog, () => (current?.tab === "board" ? current.play : undefined), () => document.querySelector("#search")?.focus());
globalThis.addEventListener("hashchange", route);
route();
