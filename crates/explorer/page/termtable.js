// A sequence whose terms are no numbers, such as values of partizan games: every term on a line.
import { s } from "./dom.js";

const LINE = 26;
const LETTER = 8.4;
const MOST = 200;
const LONGEST = 90;

const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** Whether terms are best written out: some of them is neither a number nor a result. */
export function isWritten(values) {
  return values.some((value) => typeof value === "string" && !["first", "second", "draw", "win", "lose"].includes(value));
}

/** Draws the terms, one on each line. */
export function drawTerms(answer) {
  const rows = answer.values.slice(0, MOST).map((value, index) => ({ n: answer.from + index, text: Array.isArray(value) ? value.join(" · ") : String(value) }));
  const longest = Math.max(...rows.map(({ text }) => cut(text).length));
  const [wide, high] = [90 + longest * LETTER, (rows.length + 1) * LINE];
  const line = ({ n, text }, index) => {
    const y = (index + 1) * LINE + LINE / 2;
    return [
      s("path", { class: "grid-line", d: `M0 ${(index + 1) * LINE}H${wide}` }),
      s("text", { class: "axis-text end", x: 52, y: y + 4 }, String(n)),
      s("text", { class: "term-text", x: 70, y: y + 5 }, s("title", {}, text), cut(text)),
    ];
  };
  const head = [s("text", { class: "axis-text end", x: 52, y: LINE / 2 + 4 }, answer.parameter), s("text", { class: "axis-text", x: 70, y: LINE / 2 + 4 }, "value")];
  return s("svg", { class: "picture terms", viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img", "aria-label": `${rows.length} terms: ${rows.map(({ text }) => text).join(", ")}` }, head, rows.map(line));
}
