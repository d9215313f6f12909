// A row that stands: a string that grows from the ground. An edge belongs to a player by its colour, or has something written on it;
// what is above a place that is cut falls.
import { s } from "./dom.js";

const HIGH = 50;
const WIDE = 60;

function edge(item, index, count) {
  const [x, low] = [WIDE / 2, (count - index) * HIGH];
  const [top, y] = [low - HIGH, low - HIGH / 2];
  const whose = item.owner ? ` ${item.owner}` : "";
  const element = s(
    "g",
    { class: item.there ? `item edge${whose}` : "item edge gone" },
    s("path", { class: "edge-reach", d: `M${x} ${low}V${top}` }),
    s("path", { class: "edge-line", d: `M${x} ${low - (index === 0 ? 0 : 7)}V${top + 7}` }),
    s("circle", { class: "node-disc joint", cx: x, cy: top, r: 7 }),
    item.owner === undefined ? s("text", { class: "edge-text", x: x + 12, y }, item.text) : null,
  );
  return [String(index), { element, x, y, r: 13, name: `edge ${index + 1} of ${count}, ${item.owner ?? item.text}${item.there ? "" : ", gone"}` }];
}

/** Draws a string. Returns the picture and its edges by number, the lowest is 0. */
export function drawUpright(panel, { bare = false, tallest = 1 } = {}) {
  const count = panel.items.length;
  const items = new Map(panel.items.map((item, index) => edge(item, index, count)));
  const above = (Math.max(tallest, count, 1) - count) * HIGH;
  const high = count * HIGH;
  const times = bare ? 1 : 1.15;
  const box = { viewBox: `0 ${-above - 10} ${WIDE} ${high + above + 16}`, width: WIDE * times, height: (high + above + 16) * times };
  return { node: s("svg", { class: "panel upright", ...box }, s("path", { class: "ground", d: `M4 ${high}H${WIDE - 4}` }), [...items.values()].map((item) => item.element)), items };
}
