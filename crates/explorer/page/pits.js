// Pits with seeds, as in Kalah. Two rows of pits that belong to the two players are one board: the first player's pits are below and run
// to the right, the second's are above and run to the left, and the stores at the ends hold what each has gained.
import { s } from "./dom.js";

const STEP = 76;
const R = 32;
const SEED = 5.2;
const MOST = 12;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Seeds that lie in a pit, in a spiral so that they never overlap. */
function seeds(count, x, y, wide = 1) {
  if (count > MOST) return [];
  const place = (index) => {
    const [far, turn] = [SEED * 1.72 * Math.sqrt(index + 0.4), index * GOLDEN];
    return s("circle", { class: "seed", cx: (x + far * Math.cos(turn) * wide).toFixed(1), cy: (y + far * Math.sin(turn)).toFixed(1), r: SEED });
  };
  return Array.from({ length: count }, (_, index) => place(index));
}

function pit(item, index, x, y, bare) {
  const count = Number(item.text);
  const element = s(
    "g",
    { class: "item" },
    s("circle", { class: "pit", cx: x, cy: y, r: R }),
    seeds(count, x, y - (bare ? 0 : 4)),
    bare ? null : s("text", { class: count > MOST ? "pit-count many" : "pit-count", x, y: count > MOST ? y : y + R - 9 }, item.text),
  );
  return { element, x, y, r: R, corner: 0.62, name: `pit ${index + 1} with ${item.text}` };
}

/** One row of pits by itself. */
export function drawPits(panel, { bare = false } = {}) {
  const items = new Map(panel.items.map((item, index) => [String(index), pit(item, index, (index + 0.5) * STEP, STEP / 2, bare)]));
  const [width, height] = [Math.max(1, panel.items.length) * STEP, STEP];
  return { node: s("svg", { class: "panel pits", viewBox: `0 0 ${width} ${height}`, width, height }, [...items.values()].map((item) => item.element)), items };
}

/** Whether two pictures are the two sides of a board of pits. */
export function areSides([one, other, ...more]) {
  const isSide = (panel, title) => panel?.kind === "row" && panel.counts && panel.title === title;
  return more.length === 0 && isSide(one, "first") && isSide(other, "second");
}

function store(x, high, total, name, bare) {
  const y = high / 2;
  return s(
    "g",
    { class: `store-box ${name}` },
    s("title", {}, `the ${name} player's store: ${total}`),
    s("rect", { class: "store", x: x - R, y: 8, width: 2 * R, height: high - 16, rx: R }),
    bare ? null : s("text", { class: "store-count", x, y }, String(total)),
    bare ? null : s("text", { class: "coordinate", x, y: y + 20 }, name),
  );
}

/** The board of both players. Returns one picture, and the pits of each player by number. */
export function drawSides([first, second], totals, { bare = false } = {}) {
  const count = Math.max(1, first.items.length, second.items.length);
  const stores = totals !== undefined;
  const left = stores ? STEP : 0;
  const x = (index) => left + (index + 0.5) * STEP;
  const own = new Map(first.items.map((item, index) => [String(index), pit(item, index, x(index), STEP * 1.5 + 6, bare)]));
  const others = new Map(second.items.map((item, index) => [String(index), pit(item, index, x(count - 1 - index), STEP * 0.5 + 2, bare)]));
  const [width, height] = [count * STEP + 2 * left, 2 * STEP + 8];
  const node = s(
    "svg",
    { class: "panel pits", viewBox: `-2 -2 ${width + 4} ${height + 4}`, width: (width + 4) * 1.1, height: (height + 4) * 1.1 },
    s("rect", { class: "tray", x: 0, y: 0, width, height, rx: 22 }),
    stores ? [store(STEP / 2, height, totals[1], "second", bare), store(width - STEP / 2, height, totals[0], "first", bare)] : null,
    [...own.values(), ...others.values()].map((item) => item.element),
  );
  return { node, items: [own, others] };
}
