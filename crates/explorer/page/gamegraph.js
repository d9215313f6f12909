// The game graph of a small game: every position once, in layers (the end at the bottom), in the colours of its value.
// A click goes there.
import { s } from "./dom.js";
import { markSign } from "./mark.js";
import { counted } from "./names.js";
import { zoomable } from "./zoom.js";

const WIDE = 58;
const HIGH = 74;
/** With more lines than this those that are no best moves are faint. */
const MANY = 150;
const R = 18;

/** How long play can last at most from every position; null where it can last for ever. */
function longest(graph) {
  const out = graph.nodes.map(() => []);
  const before = graph.nodes.map(() => []);
  for (const { from, to } of graph.edges) {
    out[from].push(to);
    before[to].push(from);
  }
  const left = out.map((to) => to.length);
  const height = graph.nodes.map(() => 0);
  const ready = graph.nodes.map((_, index) => index).filter((index) => left[index] === 0);
  let done = 0;
  for (; done < ready.length; done += 1) {
    for (const from of before[ready[done]]) {
      height[from] = Math.max(height[from], height[ready[done]] + 1);
      left[from] -= 1;
      if (left[from] === 0) ready.push(from);
    }
  }
  return done === graph.nodes.length ? height : null;
}

/** How positions lie in layers: by remoteness; where that is not known by how long play can last, or else by the distance from the
 *  start. */
function layersOf(graph) {
  const known = graph.nodes.every((node) => node.remoteness !== undefined);
  const height = known ? graph.nodes.map((node) => node.remoteness) : longest(graph);
  const most = Math.max(...(height ?? graph.nodes.map((node) => node.depth)));
  const layers = Array.from({ length: most + 1 }, () => []);
  graph.nodes.forEach((node, index) => layers[height ? most - height[index] : node.depth].push(index));
  return { layers: layers.filter((layer) => layer.length > 0), order: known ? "remoteness" : height ? "length" : "depth" };
}

/** Moves every layer's positions near those they are joined with, some rounds to and fro. */
function untangle(layers, graph) {
  const at = new Map();
  const place = (layer) => layer.forEach((node, index) => at.set(node, index - (layer.length - 1) / 2));
  layers.forEach(place);
  const joined = graph.nodes.map(() => []);
  for (const { from, to } of graph.edges) {
    joined[from].push(to);
    joined[to].push(from);
  }
  for (let round = 0; round < 12; round += 1) {
    const order = round % 2 ? [...layers].reverse() : layers;
    for (const layer of order) {
      const wish = new Map(layer.map((node) => [node, joined[node].length === 0 ? at.get(node) : joined[node].reduce((sum, other) => sum + at.get(other), 0) / joined[node].length]));
      layer.sort((a, b) => wish.get(a) - wish.get(b));
      place(layer);
    }
  }
  return at;
}

/** A shortest way from the start to every position, as moves. */
function ways(graph) {
  const out = graph.nodes.map(() => []);
  for (const edge of graph.edges) out[edge.from].push(edge);
  const found = graph.nodes.map(() => null);
  found[0] = [];
  let front = [0];
  while (front.length > 0) {
    const next = [];
    for (const node of front) {
      for (const { to, move } of out[node]) {
        if (found[to] === null) {
          found[to] = [...found[node], move];
          next.push(to);
        }
      }
    }
    front = next;
  }
  return found;
}

/** The positions along some moves. */
function along(graph, moves) {
  const nodes = [0];
  for (const move of moves) {
    const edge = graph.edges.find((one) => one.from === nodes.at(-1) && one.move === move);
    if (edge === undefined) break;
    nodes.push(edge.to);
  }
  return nodes;
}

/** Draws the graph. `walk(moves)` goes to a position; `moves` is the line that is marked. */
export function drawGameGraph(graph, moves, walk) {
  const { layers, order } = layersOf(graph);
  const across = untangle(layers, graph);
  const row = new Map();
  layers.forEach((layer, index) => layer.forEach((node) => row.set(node, index)));
  const widest = Math.max(...layers.map((layer) => layer.length));
  const wide = Math.max(320, widest * WIDE + 20);
  const x = (node) => wide / 2 + across.get(node) * WIDE;
  // Wide layers need room between them, or lines hide one another.
  const high = Math.max(HIGH, Math.min(2.2 * HIGH, wide / 14));
  const y = (node) => 26 + row.get(node) * high;
  const path = along(graph, moves);
  const on = new Set(path.slice(1).map((node, index) => `${path[index]}-${node}`));
  const way = ways(graph);
  const edge = ({ from, to, best, move }) => {
    const same = row.get(from) === row.get(to);
    const bend = same ? 30 : 0;
    const middle = { x: (x(from) + x(to)) / 2, y: (y(from) + y(to)) / 2 - bend };
    return s("path", { class: `graph-edge${best ? " best" : ""}${on.has(`${from}-${to}`) ? " on" : ""}`, d: `M${x(from)} ${y(from)}Q${middle.x} ${middle.y} ${x(to)} ${y(to)}` }, s("title", {}, `${move}${best ? ", a best move" : ""}`));
  };
  const node = (one, index) => {
    const label = `${one.text.replaceAll("\n", " / ")}: ${one.words}`;
    const go = () => way[index] && walk(way[index]);
    const text = one.short.length <= 5 ? one.short : markSign(one.mark);
    return s(
      "g",
      {
        class: `graph-node ${one.over && one.mark === "payoffs" ? "over" : one.mark}${path.includes(index) ? " on" : ""}`,
        role: "button",
        tabindex: "0",
        "aria-label": label,
        "data-node": String(index),
        onclick: go,
        onkeydown: (event) => event.key === "Enter" && go(),
      },
      s("title", {}, `${one.text}\n${one.words}`),
      s("circle", { cx: x(index), cy: y(index), r: R }),
      s("text", { x: x(index), y: y(index), "font-size": text.length > 3 ? 10 : 12 }, text),
    );
  };
  const tall = 52 + (layers.length - 1) * high;
  const name = graph.edges.length > MANY ? "picture gamegraph crowded" : "picture gamegraph";
  const svg = s("svg", { class: name, viewBox: `0 0 ${wide} ${tall}`, width: wide, height: tall, role: "group", "aria-label": `The game graph: ${counted(graph.nodes.length, "position")}` }, graph.edges.map(edge), graph.nodes.map(node));
  return { svg, order, tools: zoomable(svg, wide, tall) };
}
