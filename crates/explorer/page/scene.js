// A scene: the panels of a position, side by side. Which picture a panel gets is decided here and nowhere else.
import { h } from "./dom.js";
import { drawGrid } from "./grid.js";
import { drawHeap, UPRIGHT } from "./heap.js";
import { drawRow } from "./row.js";
import { drawUpright } from "./upright.js";
import { areSides, drawPits, drawSides } from "./pits.js";
import { drawGraphBoard } from "./graphboard.js";
import { drawFields } from "./fields.js";

const DRAW = { grid: drawGrid, heap: drawHeap, row: drawRow, upright: drawUpright, pits: drawPits, graph: drawGraphBoard, fields: drawFields };

/** Which picture a panel gets. */
function kindOf(panel) {
  if (panel.kind !== "row") return panel.kind;
  return panel.counts ? "pits" : panel.upright ? "upright" : "row";
}

/** The name of a target among the items of a scene. */
export function targetKey(target) {
  const item = target.edge !== undefined ? `e${target.edge}` : target.item;
  return item === undefined ? String(target.panel) : `${target.panel}:${item}`;
}

/** Whether some move takes stones from the middle of a heap, as in Kayles: then heaps lie. */
function takesFromMiddle(scene, moves) {
  return moves.some((move) =>
    scene.panels.some((panel, index) => {
      if (panel.kind !== "heap") return false;
      const taken = move.touches.filter((target) => target.panel === index && target.item !== undefined).map((target) => target.item);
      return taken.length > 0 && Math.max(...taken) < panel.stones - 1;
    }),
  );
}

/** How high the highest heap is beside a heap: of its own part, where a part has several. */
function highest(heaps, panel) {
  const beside = heaps.filter((heap) => heap.part === panel.part);
  return Math.max(0, ...(panel.part !== undefined && beside.length > 1 ? beside : heaps).map((heap) => heap.stones));
}

/** Pictures of one part of a sum stand together where a part has several. */
function byPart(panels, drawn) {
  const groups = [];
  panels.forEach((panel, index) => {
    const before = groups.at(-1);
    if (panel.part !== undefined && before?.part === panel.part) before.figures.push(drawn[index]);
    else groups.push({ part: panel.part, figures: [drawn[index]] });
  });
  return groups.map(({ figures }) => (figures.length === 1 ? figures[0] : h("div", { class: "part" }, figures)));
}

/** The board of two players' pits, which are two panels and one picture. */
function drawTray(scene, totals, how) {
  const { node, items } = drawSides(scene.panels, totals, how);
  const figure = h("div", { class: "figure pits" }, node);
  const all = items.flatMap((side, index) => [[String(index), { element: figure, name: scene.panels[index].title }], ...[...side].map(([key, item]) => [`${index}:${key}`, item])]);
  return { node: h("div", { class: "scene beside" }, figure), items: new Map(all) };
}

/** Draws a scene. Returns the picture, and its items by the keys of targets. `totals` are what players have gained, `owners` whose
 *  squares are, by number, as far as the line of play tells. */
export function drawScene(scene, { moves = [], bare = false, totals, owners } = {}) {
  if (areSides(scene.panels)) return drawTray(scene, totals, { bare });
  const heaps = scene.panels.filter((panel) => panel.kind === "heap");
  const tall = Math.max(0, ...heaps.map((heap) => heap.stones));
  const lying = tall > UPRIGHT || takesFromMiddle(scene, moves);
  const tallest = Math.max(0, ...scene.panels.filter((panel) => panel.upright).map((panel) => panel.items.length));
  const items = new Map();
  const drawn = scene.panels.map((panel, index) => {
    const kind = kindOf(panel);
    const picture = (DRAW[kind] ?? drawFields)(panel, { lying, tall: highest(heaps, panel), tallest, bare, owners });
    for (const [key, item] of picture.items) items.set(`${index}:${key}`, item);
    const many = scene.panels.length > 1;
    const name = panel.title ?? (many && panel.part !== undefined ? `part ${panel.part}` : undefined);
    const labelled = !bare && many && name !== undefined && panel.kind !== "fields";
    const figure = h("div", { class: `figure ${kind}` }, picture.node, labelled ? h("div", { class: "caption" }, name) : null);
    items.set(String(index), { element: figure, name: name ?? panel.kind });
    return figure;
  });
  const groups = byPart(scene.panels, drawn);
  const kinds = new Set(scene.panels.map(kindOf));
  const direction = (heaps.length > 0 && lying) || (kinds.has("row") && scene.panels.length > 1) ? "stack" : "beside";
  const node = h("div", { class: `scene ${direction} ${[...kinds].map((kind) => `has-${kind}`).join(" ")}`, vars: { "--figures": groups.length } }, groups);
  if (scene.panels.length === 0) node.append(h("pre", { class: "drawing" }, scene.text));
  return { node, items };
}
