// A board of squares, with letters for columns and numbers for rows as the drawings of the command line have them.
import { s, columnName } from "./dom.js";

const CELL = 48;
const MARGIN = 20;
const LINE_SIGNS = new Set([" ", "o", "+", "-", "|"]);

/** The men of chess by their letters: large ones are White's, small ones Black's. */
const MEN = { k: "\u265A", q: "\u265B", r: "\u265C", b: "\u265D", n: "\u265E", p: "\u265F" };

const isMan = (text) => text.length === 1 && text.toLowerCase() in MEN;

/** Whether the pieces of a board are men of chess: both kings are there, and nothing that is no man. */
function isChess(panel) {
  return panel.cells.includes("K") && panel.cells.includes("k") && panel.cells.every((text) => isBlank(panel, text) || isMan(text));
}

/** Whether a cell is no square at all: a dash, or a space where empty squares show something else. */
function isVoid(panel, text) {
  return text === "-" || (text === " " && panel.blank !== undefined && panel.blank !== " ");
}

/** Whether a cell is empty. */
function isBlank(panel, text) {
  return text === panel.blank || text === "." || text === " " || text === "";
}

/** Whose a piece is: as the moves tell, or by the usual marks where they do not. */
function ownerOf(panel, text) {
  const known = panel.pieces ?? [];
  if (known.length > 0) return known.find((piece) => piece.text === text)?.owner ?? "neutral";
  return { X: "first", O: "second" }[text] ?? "neutral";
}

/** The squares around a box on a board of lines: above, below, left, right. Nothing where a cell is no box. */
export function sidesOf(panel, cell) {
  const [row, column] = [Math.floor(cell / panel.columns), cell % panel.columns];
  return row % 2 === 1 && column % 2 === 1 ? [cell - panel.columns, cell + panel.columns, cell - 1, cell + 1] : [];
}

/** Whether the board is drawn with lines between dots, as in Dots and Boxes. */
export function isLineBoard(panel) {
  return panel.rows % 2 === 1 && panel.columns % 2 === 1 && panel.cells.includes("o") && panel.cells.every((cell) => LINE_SIGNS.has(cell));
}

/** Where the squares of one direction begin, and where they end: dots are narrow on a board of lines. */
function places(count, lines) {
  const ends = [0];
  for (let i = 0; i < count; i += 1) ends.push(ends[i] + (lines && i % 2 === 0 ? CELL / 3 : CELL));
  return ends;
}

function cross(x, y, r, owner) {
  const d = r * 0.72;
  return s("path", { class: `piece ${owner} stroke`, d: `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}` });
}

/** A man of chess: White's are light with a dark outline, Black's dark with a light one, in every theme. */
function man(text, x, y, r) {
  const white = text !== text.toLowerCase();
  return s("g", { class: `piece man ${white ? "white" : "black"}` }, s("text", { class: "man-sign", x, y: y + 1, "font-size": r * 2.3 }, `${MEN[text.toLowerCase()]}\uFE0E`));
}

function piece(text, x, y, r, { chess, owner }) {
  if (chess) return man(text, x, y, r);
  if (text === "X") return cross(x, y, r, owner);
  if (text === "O") return s("circle", { class: `piece ${owner} stroke`, cx: x, cy: y, r: r * 0.78 });
  if (text === "#") return s("rect", { class: "piece block", x: x - r * 1.18, y: y - r * 1.18, width: r * 2.36, height: r * 2.36, rx: 3 });
  return s(
    "g",
    { class: `piece ${owner}` },
    s("circle", { class: "disc", cx: x, cy: y, r }),
    s("text", { class: "disc-text", x, y, "font-size": text.length > 2 ? 13 : 18 }, text),
  );
}

/** A closed box on a board of lines, in the colour and with the number of who closed it. */
function ownedBox(owner, { x, y, w, h, cx, cy }) {
  const whose = owner === 0 ? "first" : "second";
  return s("g", { class: `owned ${whose}` }, s("rect", { class: "owned-face", x: x + 3, y: y + 3, width: w - 6, height: h - 6, rx: 5 }), s("text", { class: "owned-text", x: cx, y: cy }, owner === 0 ? "1st" : "2nd"));
}

function lineSign(text, box, owner) {
  if (owner !== undefined) return ownedBox(owner, box);
  const { x, y, w, h, cx, cy } = box;
  if (text === "o" || text === "+") return s("circle", { class: "dot", cx, cy, r: 6 });
  if (text === "-") return s("path", { class: "drawn", d: `M${x - 2} ${cy}H${x + w + 2}` });
  if (text === "|") return s("path", { class: "drawn", d: `M${cx} ${y - 2}V${y + h + 2}` });
  return null;
}

function coordinates(panel, across, down) {
  const column = (_, c) => s("text", { class: "coordinate", x: (across[c] + across[c + 1]) / 2, y: -8 }, columnName(c));
  const row = (_, r) => s("text", { class: "coordinate", x: -11, y: (down[r] + down[r + 1]) / 2 + 4 }, String(r + 1));
  return [Array.from({ length: panel.columns }, column), Array.from({ length: panel.rows }, row)];
}

/** The size of a board on the page: squares as large as fits, within reason. */
function size(wide, high, panel, bare) {
  const square = bare ? CELL : Math.max(30, Math.min(84, 440 / Math.max(panel.rows, panel.columns), 640 / panel.columns));
  const times = square / CELL;
  return { width: Math.round(wide * times), height: Math.round(high * times) };
}

/** Draws a grid. Returns the picture and its squares by number: element, middle and radius. */
export function drawGrid(panel, { bare = false, owners } = {}) {
  const lines = isLineBoard(panel);
  const chess = isChess(panel);
  const decisive = new Set(panel.decisive ?? []);
  const [across, down] = [places(panel.columns, lines), places(panel.rows, lines)];
  const items = new Map();
  const squares = panel.cells.map((text, index) => {
    const [r, c] = [Math.floor(index / panel.columns), index % panel.columns];
    const box = { x: across[c], y: down[r], w: across[c + 1] - across[c], h: down[r + 1] - down[r] };
    [box.cx, box.cy] = [box.x + box.w / 2, box.y + box.h / 2];
    const none = !lines && isVoid(panel, text);
    const blank = none || isBlank(panel, text);
    const inside = lines ? lineSign(text, box, owners?.get(index)) : blank ? null : piece(text, box.cx, box.cy, CELL * 0.36, { chess, owner: ownerOf(panel, text) });
    const wall = none ? "square void" : lines ? "square line" : (r + c) % 2 ? "square odd" : "square";
    const element = s("g", { class: decisive.has(index) ? "item decisive" : "item" }, s("rect", { class: wall, x: box.x, y: box.y, width: box.w, height: box.h }), inside);
    const name = `${columnName(c)}${r + 1}`;
    items.set(String(index), { element, x: box.cx, y: box.cy, r: Math.min(box.w, box.h) / 2, name: blank ? name : `${name} ${text}`, box });
    return element;
  });
  const [width, height] = [across[panel.columns], down[panel.rows]];
  const margin = bare ? 2 : MARGIN;
  const frame = lines || panel.cells.some((text) => isVoid(panel, text)) ? null : s("rect", { class: "frame", x: 0, y: 0, width, height });
  const svg = s(
    "svg",
    { class: "panel grid", viewBox: `${-margin} ${-margin} ${width + margin + 2} ${height + margin + 2}`, ...size(width + margin + 2, height + margin + 2, panel, bare) },
    squares,
    frame,
    bare ? null : coordinates(panel, across, down),
  );
  return { node: svg, items };
}
