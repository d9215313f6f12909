// A graph as a board: nodes, edges, and the tokens that stand on nodes. What hangs on a ground is drawn upward from it; any other
// graph is laid out by springs, from a circle and without chance, so that a position always looks the same.
import { s } from "./dom.js";

const R = 17;

/** How far each node is from the ground, along edges in any direction. */
function levels(panel) {
  const level = panel.nodes.map(() => -1);
  let front = [panel.ground];
  level[panel.ground] = 0;
  while (front.length > 0) {
    const next = [];
    for (const node of front) {
      for (const { from, to } of panel.edges) {
        const other = from === node ? to : to === node ? from : -1;
        if (other >= 0 && level[other] < 0) {
          level[other] = level[node] + 1;
          next.push(other);
        }
      }
    }
    front = next;
  }
  return level.map((is) => Math.max(is, 0));
}

/** Nodes level by level above the ground. */
function upward(panel) {
  const level = levels(panel);
  const rows = [];
  level.forEach((is, node) => (rows[is] ??= []).push(node));
  const widest = Math.max(...rows.map((row) => row.length));
  const places = [];
  rows.forEach((row, is) => {
    row.forEach((node, index) => {
      places[node] = { x: ((index + 1) / (row.length + 1)) * Math.max(widest, 2) * 90, y: (rows.length - 1 - is) * 84 };
    });
  });
  return places;
}

/** The node above every node, where the arrows make a tree; null where they do not. */
function treeOf(panel) {
  const above = panel.nodes.map(() => -1);
  for (const { from, to } of panel.edges) {
    if (above[to] >= 0 || from === to) return null;
    above[to] = from;
  }
  const roots = above.filter((from) => from < 0).length;
  return panel.directed && roots === 1 && panel.edges.length === panel.nodes.length - 1 ? above : null;
}

/** A tree from its root downward: leaves side by side, every node above the middle of its own. */
function downward(panel, above) {
  const below = panel.nodes.map(() => []);
  above.forEach((from, node) => from >= 0 && below[from].push(node));
  const places = [];
  // Nodes in the order of a walk from the root, so that all of a node's own come after it.
  const order = [];
  const open = [{ node: above.indexOf(-1), depth: 0 }];
  while (open.length > 0) {
    const { node, depth } = open.pop();
    order.push(node);
    places[node] = { x: 0, y: depth * 92 };
    open.push(...below[node].map((next) => ({ node: next, depth: depth + 1 })).reverse());
  }
  let leaves = 0;
  for (const node of order) if (below[node].length === 0) places[node].x = 86 * leaves++;
  for (const node of order.reverse()) {
    const own = below[node].map((next) => places[next].x);
    if (own.length > 0) places[node].x = (Math.min(...own) + Math.max(...own)) / 2;
  }
  return places;
}

/** Where the nodes are. */
function layOut(panel) {
  if (panel.ground !== undefined) return upward(panel);
  const above = treeOf(panel);
  return above === null ? springs(panel) : downward(panel, above);
}

/** Nodes on a circle, then moved apart by springs. */
function springs(panel) {
  const n = panel.nodes.length;
  const radius = Math.max(70, n * 22);
  const places = panel.nodes.map((_, i) => ({ x: radius * Math.cos((2 * Math.PI * i) / n - Math.PI / 2), y: radius * Math.sin((2 * Math.PI * i) / n - Math.PI / 2) }));
  if (n < 5 || n > 60) return places;
  const wish = 95;
  for (let round = 0; round < 220; round += 1) {
    const push = places.map(() => ({ x: 0, y: 0 }));
    const add = (i, j, force) => {
      const [dx, dy] = [places[j].x - places[i].x, places[j].y - places[i].y];
      const far = Math.max(1, Math.hypot(dx, dy));
      const f = force(far) / far;
      push[i].x += dx * f;
      push[i].y += dy * f;
      push[j].x -= dx * f;
      push[j].y -= dy * f;
    };
    for (let i = 0; i < n; i += 1) for (let j = i + 1; j < n; j += 1) add(i, j, (far) => -(wish * wish) / far);
    for (const { from, to } of panel.edges) if (from !== to) add(from, to, (far) => (far * far) / wish / 2);
    const heat = 12 * (1 - round / 220);
    places.forEach((at, i) => {
      const far = Math.max(1, Math.hypot(push[i].x, push[i].y));
      at.x += (push[i].x / far) * Math.min(far, heat);
      at.y += (push[i].y / far) * Math.min(far, heat);
    });
  }
  return places;
}

/** How large a node is drawn: nodes above a ground are joints, the ground is a line. */
function radius(panel, node) {
  if (panel.ground === undefined) return R;
  return node === panel.ground ? -4 : 8;
}

function edgePath(from, to, bend, [begin, end]) {
  if (from === to) return `M${from.x - 9} ${from.y - 12}C${from.x - 40} ${from.y - 62} ${from.x + 40} ${from.y - 62} ${from.x + 9} ${from.y - 12}`;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const far = Math.max(1, Math.hypot(dx, dy));
  const [ux, uy] = [dx / far, dy / far];
  const [mx, my] = [(from.x + to.x) / 2 - uy * bend, (from.y + to.y) / 2 + ux * bend];
  return `M${from.x + ux * begin} ${from.y + uy * begin}Q${mx} ${my} ${to.x - ux * end} ${to.y - uy * end}`;
}

/** How far an edge bends, so that edges between the same nodes lie apart. */
function bends(edges) {
  const seen = new Map();
  return edges.map(({ from, to }) => {
    const key = from < to ? `${from}-${to}` : `${to}-${from}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? 0 : (count % 2 ? 26 : -26) * Math.ceil(count / 2) * (from < to ? 1 : -1);
  });
}

function arrowHead(from, to, bend) {
  if (from === to) return null;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI - (bend * 180) / Math.PI / Math.max(60, Math.hypot(dx, dy));
  const far = Math.max(1, Math.hypot(dx, dy));
  const tip = { x: to.x - (dx / far) * (R + 2), y: to.y - (dy / far) * (R + 2) };
  return s("path", { class: "arrow", d: "M0 0L-9 -4.5V4.5Z", transform: `translate(${tip.x} ${tip.y}) rotate(${angle})` });
}

function drawEdge(panel, edge, index, places, bend) {
  const [from, to] = [places[edge.from], places[edge.to]];
  const d = edgePath(from, to, bend, [radius(panel, edge.from), radius(panel, edge.to) + (panel.directed ? 3 : 0)]);
  const whose = edge.owner ? ` ${edge.owner}` : "";
  const element = s(
    "g",
    { class: edge.there ? `item edge${whose}` : "item edge gone" },
    s("path", { class: "edge-reach", d }),
    s("path", { class: "edge-line", d }),
    panel.directed ? arrowHead(from, to, bend) : null,
  );
  const middle = from === to ? { x: from.x, y: from.y - 48 } : { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return [`e${index}`, { element, ...middle, r: 11, name: `edge ${index} from ${edge.from} to ${edge.to}` }];
}

function drawNode(panel, node, index, at, names) {
  if (index === panel.ground) {
    return [String(index), { element: s("g", { class: "item" }, s("path", { class: "ground", d: `M${at.x - 60} ${at.y + 6}H${at.x + 60}` })), x: at.x, y: at.y, r: R, name: "ground" }];
  }
  const token = (name, i) =>
    s(
      "g",
      { class: `token t${names.indexOf(name) % 2}` },
      s("title", {}, name),
      s("circle", { class: "token-disc", cx: at.x + 15 + i * 16, cy: at.y - 15, r: 11 }),
      s("text", { class: "token-text", x: at.x + 15 + i * 16, y: at.y - 15 }, [...name][0]?.toUpperCase() ?? "•"),
    );
  const small = panel.ground !== undefined;
  const element = s(
    "g",
    { class: node.there ? "item node" : "item node gone" },
    s("circle", { class: node.tokens.length > 0 ? "node-disc held" : "node-disc", cx: at.x, cy: at.y, r: small ? 8 : R }),
    small ? null : s("text", { class: "node-text", x: at.x, y: at.y }, node.text),
    node.pays === undefined ? null : s("text", { class: "pays-text", x: at.x, y: at.y + R + 15 }, node.pays),
    node.tokens.map(token),
  );
  const held = node.tokens.length > 0 ? `, ${node.tokens.join(" and ")}` : "";
  return [String(index), { element, x: at.x, y: at.y, r: R, corner: 1, name: `node ${node.text}${held}${node.pays === undefined ? "" : `, pays ${node.pays}`}` }];
}

/** Draws a graph. Returns the picture, its nodes by number and its edges by `e` and number. */
export function drawGraphBoard(panel) {
  const places = layOut(panel);
  const bend = bends(panel.edges);
  const edges = panel.edges.map((edge, index) => drawEdge(panel, edge, index, places, bend[index]));
  const names = [...new Set(panel.nodes.flatMap((node) => node.tokens))].sort();
  const nodes = panel.nodes.map((node, index) => drawNode(panel, node, index, places[index], names));
  const xs = places.map((at) => at.x);
  const ys = places.map((at) => at.y);
  const loops = panel.edges.some((edge) => edge.from === edge.to) ? 30 : 0;
  const [left, top] = [Math.min(0, ...xs) - 44, Math.min(0, ...ys) - 40 - loops];
  const [wide, high] = [Math.max(0, ...xs) - left + 56, Math.max(0, ...ys) - top + (panel.nodes.some((node) => node.pays !== undefined) ? 52 : 34)];
  const all = [...edges, ...nodes];
  const svg = s("svg", { class: "panel graph", viewBox: `${left} ${top} ${wide} ${high}`, width: wide, height: high }, all.map(([, item]) => item.element));
  return { node: svg, items: new Map(all) };
}
