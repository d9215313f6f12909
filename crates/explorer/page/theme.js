// Light and dark: as the system says, unless a person says otherwise. The choice is kept in the browser.
import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { remember, recall } from "./store.js";

const NEXT = { auto: "light", light: "dark", dark: "auto" };
const WORD = { auto: "as the system says", light: "light", dark: "dark" };

function apply(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The button that switches between system, light and dark. */
export function themeSwitch() {
  let theme = recall("theme", "auto");
  if (!(theme in NEXT)) theme = "auto";
  const label = () => `Colours: ${WORD[theme]}. Change`;
  const node = h("button", { type: "button", class: "icon", "aria-label": label(), title: label() }, icon(theme));
  node.addEventListener("click", () => {
    theme = NEXT[theme];
    remember("theme", theme);
    apply(theme);
    replace(node, icon(theme));
    node.setAttribute("aria-label", label());
    node.title = label();
  });
  apply(theme);
  return node;
}
