// Heaps as stones: upright as a stack, or lying as a row of pins where moves take from the middle or where there are many.
import { s } from "./dom.js";

const STEP = 36;
const R = 15;
const LONG = 15;
const MOST = 90;
const LETTER = 10.5;

/** Heaps up to this height stand upright. */
export const UPRIGHT = 9;

function place(index, stones, lying) {
  if (!lying) return { x: STEP / 2 + 6, y: (stones - 1 - index) * STEP + STEP / 2 };
  return { x: (index % LONG) * STEP + STEP / 2, y: Math.floor(index / LONG) * STEP + STEP / 2 };
}

/** A heap too high for stones: a bar with its number, as wide as the number needs. */
function drawBar(words) {
  const wide = Math.max(160, Math.ceil(words.length * LETTER) + 28);
  return s(
    "svg",
    { class: "panel heap", viewBox: `0 0 ${wide} 60`, width: wide, height: 60 },
    s("title", {}, words),
    s("rect", { class: "heap-bar", x: 2, y: 2, width: wide - 4, height: 56, rx: 12 }),
    s("text", { class: "heap-count", x: wide / 2, y: 31 }, words),
  );
}

/** Draws a heap. Returns the picture and its stones by number, the lowest is 0. */
export function drawHeap(panel, { lying = false, bare = false, tall = 0 } = {}) {
  const stones = panel.stones;
  const items = new Map();
  if (stones > MOST) {
    return { node: drawBar(`${BigInt(stones).toLocaleString("en")} stones`), items };
  }
  const circles = Array.from({ length: stones }, (_, index) => {
    const { x, y } = place(index, stones, lying);
    const element = s("g", { class: "item" }, s("circle", { class: "stone", cx: x, cy: y, r: R }));
    items.set(String(index), { element, x, y, r: R, name: `stone ${index + 1} of ${stones}` });
    return element;
  });
  // Heaps that lie are as wide as the longest, so that all stones are of one size.
  const wide = lying ? Math.max(1, Math.min(Math.max(tall, stones), LONG)) * STEP : STEP + 12;
  const rows = lying ? Math.max(1, Math.ceil(stones / LONG)) : Math.max(stones, 0);
  const above = lying ? 0 : (Math.max(tall, stones, 1) - rows) * STEP;
  const high = rows * STEP;
  const foot = bare ? 8 : 28;
  const ground = lying ? null : s("path", { class: "ground", d: `M2 ${high + 4}H${wide - 2}` });
  const count = bare ? null : s("text", { class: lying ? "coordinate start" : "coordinate", x: lying ? 3 : wide / 2, y: high + 20 }, lying ? `${stones} in all` : String(stones));
  const times = bare ? 1 : lying && wide === LONG * STEP ? 1.1 : 1.3;
  const svg = s("svg", { class: "panel heap", viewBox: `0 ${-above} ${wide} ${high + above + foot}`, width: wide * times, height: (high + above + foot) * times }, ground, circles, count);
  return { node: svg, items };
}
