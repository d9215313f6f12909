// The page: its frame, and which view the address asks for.
import { h, replace } from "./dom.js";
import { themeSwitch } from "./theme.js";
import { keysDialog, listen } from "./keys.js";
import { readLink } from "./link.js";
import { showGallery } from "./gallery.js";
import { GameView } from "./gameview.js";
import { cancelShown, failureBox } from "./job.js";

const host = document.querySelector("main");
let current;
/** How often the address has changed: who comes late with an older one shows nothing. */
let changes = 0;

function nav(page) {
  for (const link of document.querySelectorAll(".top nav a")) {
    const here = link.getAttribute("href") === (page === "playground" ? "#/playground" : "#/");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Makes the view of a link; the gallery where it names none. */
async function view(link) {
  if (link.page === "playground") {
    const { Playground } = await import("./playground.js");
    return new Playground(host, link);
  }
  if (link.page === "game" || link.page === "own" || link.page === "table") return new GameView(host, link);
  return { open: () => showGallery(host), leave: () => {} };
}

async function route() {
  changes += 1;
  const change = changes;
  current?.leave();
  cancelShown();
  current = undefined;
  const link = await readLink(location.hash);
  if (change !== changes) return;
  nav(link.page);
  document.body.dataset.view = link.page || "gallery";
  replace(host, h("p", { class: "hint loading" }, "One moment …"));
  try {
    if (link.broken.length > 0) throw new Error("This link is broken: a part of it cannot be read.");
    const made = await view(link);
    if (change !== changes) return;
    current = made;
    await current.open();
  } catch (failure) {
    if (change !== changes) return;
    replace(host, failureBox(failure), h("p", {}, h("a", { href: "#/" }, "To the gallery")));
  }
  if (change === changes) globalThis.scrollTo(0, 0);
}

const dialog = keysDialog();
const help = h("button", { type: "button", class: "icon", "aria-label": "Keys", title: "Keys (?)", onclick: () => dialog.showModal() }, "?");
document.querySelector(".top .tools").append(themeSwitch(), help);
listen(dialog, () => (current?.tab === "board" ? current.play : undefined), () => document.querySelector("#search")?.focus());
globalThis.addEventListener("hashchange", route);
route();
