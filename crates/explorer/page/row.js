// A row of items with something written on them: coins, or dominoes where they belong to players. Those that are gone leave a faint
// outline.
import { s } from "./dom.js";

const STEP = 58;
const R = 25;
const LONG = 10;
const DOMINO = { step: 46, wide: 30, high: 64 };

const nameOf = (item, index) => (item.there ? `item ${index + 1}, ${item.text}` : `item ${index + 1}, gone`);

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
  return [String(index), { element, x, y, r: R, name: nameOf(item, index) }];
}

function domino(item, index) {
  const { step, wide, high } = DOMINO;
  const [x, y] = [(index + 0.5) * step, high / 2 + 3];
  const element = s(
    "g",
    { class: item.there ? `item domino ${item.owner}` : "item domino gone" },
    s("rect", { class: "domino-face", x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 5 }),
    s("text", { class: "disc-text", x, y: y - 12, "font-size": 17 }, item.text),
  );
  return [String(index), { element, x, y: y + 14, r: 15, name: `${nameOf(item, index)}, ${item.owner === "both" ? "anybody's" : `the ${item.owner} player's`}` }];
}

/** Draws a row. Returns the picture and its items by number. */
export function drawRow(panel, { bare = false } = {}) {
  const owned = panel.items.some((item) => item.owner !== undefined);
  const items = new Map(panel.items.map(owned ? domino : coin));
  const long = owned ? panel.items.length : Math.min(panel.items.length, LONG);
  const width = Math.max(1, long) * (owned ? DOMINO.step : STEP);
  const height = owned ? DOMINO.high + 4 : Math.max(1, Math.ceil(panel.items.length / LONG)) * STEP;
  const ground = owned ? s("path", { class: "ground", d: `M4 ${height + 2}H${width - 4}` }) : null;
  const svg = s("svg", { class: "panel row", viewBox: `0 0 ${width} ${height + 6}`, width: width * (bare ? 1 : 1.25), height: (height + 6) * (bare ? 1 : 1.25) }, ground, [...items.values()].map((item) => item.element));
  return { node: svg, items };
}
