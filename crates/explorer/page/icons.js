// Small pictures for buttons, drawn here so that no font needs to have them.
import { s } from "./dom.js";

const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  undo: "M9 14L4 9l5-5M4 9h9a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9h-9a6 6 0 0 0 0 12h3",
  last: "M18 5v14M5 5l9 7-9 7z",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M12 7h5M12 12h8M12 17h5",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
};

/** An icon by its name. */
export function icon(name) {
  return s("svg", { class: "glyph", viewBox: "0 0 24 24", width: 19, height: 19, "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
