// A scene: the panels of a position, side by side. Which picture a panel gets is decided here and nowhere else.
import { h } from "./dom.js";
import { drawGrid } from "./grid.js";
import { drawHeap, UPRIGHT } from "./heap.js";
import { drawRow } from "./row.js";
import { drawGraphBoard } from "./graphboard.js";
import { drawFields } from "./fields.js";

const DRAW = { grid: drawGrid, heap: drawHeap, row: drawRow, graph: drawGraphBoard, fields: drawFields };

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

/** Draws a scene. Returns the picture, and its items by the keys of targets. */
export function drawScene(scene, { moves = [], bare = false } = {}) {
  const heaps = scene.panels.filter((panel) => panel.kind === "heap");
  const tall = Math.max(0, ...heaps.map((heap) => heap.stones));
  const lying = tall > UPRIGHT || takesFromMiddle(scene, moves);
  const items = new Map();
  const drawn = scene.panels.map((panel, index) => {
    const picture = (DRAW[panel.kind] ?? drawFields)(panel, { lying, tall, bare });
    for (const [key, item] of picture.items) items.set(`${index}:${key}`, item);
    const many = scene.panels.length > 1;
    const name = panel.title ?? (many && panel.part !== undefined ? `part ${panel.part}` : undefined);
    const labelled = !bare && many && name !== undefined && panel.kind !== "fields";
    const figure = h("div", { class: `figure ${panel.kind}` }, picture.node, labelled ? h("div", { class: "caption" }, name) : null);
    items.set(String(index), { element: figure, name: name ?? panel.kind });
    return figure;
  });
  const groups = byPart(scene.panels, drawn);
  const kinds = new Set(scene.panels.map((panel) => panel.kind));
  const direction = heaps.length > 0 && lying ? "stack" : "beside";
  const node = h("div", { class: `scene ${direction} ${[...kinds].map((kind) => `has-${kind}`).join(" ")}` }, groups);
  if (scene.panels.length === 0) node.append(h("pre", { class: "drawing" }, scene.text));
  return { node, items };
}
