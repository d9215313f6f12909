// A row of items with something written on them, such as coins. Those that are gone leave a faint ring.
import { s } from "./dom.js";

const STEP = 58;
const R = 25;
const LONG = 10;

function coin(item, index) {
  const [x, y] = [(index % LONG) * STEP + STEP / 2, Math.floor(index / LONG) * STEP + STEP / 2];
  const size = item.text.length > 4 ? 12 : item.text.length > 2 ? 15 : 19;
  const element = s(
    "g",
    { class: item.there ? "item" : "item gone" },
    s("circle", { class: "coin", cx: x, cy: y, r: R }),
    item.there ? s("circle", { class: "coin-rim", cx: x, cy: y, r: R - 4 }) : null,
    s("text", { class: "coin-text", x, y, "font-size": size }, item.text),
  );
  return [String(index), { element, x, y, r: R, name: item.there ? `item ${index + 1}, ${item.text}` : `item ${index + 1}, gone` }];
}

/** Draws a row. Returns the picture and its items by number. */
export function drawRow(panel, { bare = false } = {}) {
  const items = new Map(panel.items.map(coin));
  const width = Math.max(1, Math.min(panel.items.length, LONG)) * STEP;
  const height = Math.max(1, Math.ceil(panel.items.length / LONG)) * STEP;
  const svg = s("svg", { class: "panel row", viewBox: `0 0 ${width} ${height + 4}`, width: width * (bare ? 1 : 1.25), height: (height + 4) * (bare ? 1 : 1.25) }, [...items.values()].map((item) => item.element));
  return { node: svg, items };
}
