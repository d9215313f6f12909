// Bars that lie: one for each row, made of parts in the colours of the marks. The survey of a game is drawn with these.
import { s } from "./dom.js";
import { markSign } from "./mark.js";
import { counted } from "./names.js";

/** Bars are narrower on a phone, so that their letters stay readable. */
const WIDE = globalThis.innerWidth < 620 ? 360 : 560;
const NAME = 80;
const HIGH = 24;

function bar(row, index, most) {
  const y = index * (HIGH + 6);
  const total = row.parts.reduce((sum, part) => sum + part.count, 0);
  const room = WIDE - NAME - 64;
  let x = NAME;
  const parts = row.parts
    .filter((part) => part.count > 0)
    .map((part) => {
      const width = Math.max(1.5, (part.count / most) * room);
      const box = s(
        "g",
        { class: `bar ${part.mark}` },
        s("title", {}, `${row.name}: ${part.count.toLocaleString("en")} ${part.word ?? ""}`),
        s("rect", { x, y, width, height: HIGH, rx: 3 }),
        width > 16 && part.mark !== "plain" ? s("text", { class: "bar-sign", x: x + width / 2, y: y + HIGH / 2 }, markSign(part.mark)) : null,
      );
      x += width + 1;
      return box;
    });
  return s("g", {}, s("text", { class: "axis-text end", x: NAME - 8, y: y + HIGH / 2 + 4 }, row.name), parts, s("text", { class: "axis-text", x: x + 6, y: y + HIGH / 2 + 4 }, total.toLocaleString("en")));
}

/** Draws bars. A row is `{ name, parts: [{ mark, count, word }] }`. */
export function drawBars(rows, label) {
  const most = Math.max(1, ...rows.map((row) => row.parts.reduce((sum, part) => sum + part.count, 0)));
  const high = rows.length * (HIGH + 6);
  return s("svg", { class: "picture bars", viewBox: `0 -4 ${WIDE} ${high + 4}`, width: WIDE, height: high + 4, role: "img", "aria-label": label }, rows.map((row, index) => bar(row, index, most)));
}

/** The marks of a counted game. */
const COUNTED = { win: "ahead", draw: "equal", lose: "behind" };

const SIDES = [
  ["won", "win", "won by the player to move"],
  ["drawn", "draw", "drawn"],
  ["lost", "lose", "lost by the player to move"],
];

const sides = (row, scored = false) => SIDES.filter(([name]) => row[name] !== undefined).map(([name, mark, word]) => ({ mark: scored ? COUNTED[mark] : mark, count: row[name], word }));
const plainRows = (rows) => rows.map((row) => ({ name: row.to === undefined ? String(row.value) : `${row.value} to ${row.to}`, parts: [{ mark: "plain", count: row.count }] }));

/** The pictures of a survey: title and picture of each. */
export function surveyPictures(survey) {
  const found = [];
  if (survey.outcomes) found.push(["All positions", drawBars([{ name: "positions", parts: sides(survey.outcomes, survey.scores !== undefined) }], "Positions won, drawn and lost")]);
  if (survey.remoteness) {
    const rows = survey.remoteness.slice(0, 60).map((row) => ({ name: counted(row.value, "move"), parts: sides(row) }));
    found.push(["By remoteness: how long best play lasts", drawBars(rows, "Positions by remoteness")]);
  }
  for (const [name, title] of [["scores", "By what the player to move gains on the other"], ["values", "By value"], ["nimbers", "By nimber"], ["moves", "By the number of moves"], ["best_moves", "By the number of best moves"]]) {
    if (Array.isArray(survey[name]) && survey[name].length > 0 && survey[name][0].count !== undefined && survey[name][0].value !== undefined) {
      found.push([title, drawBars(plainRows(survey[name].slice(0, 60)), title)]);
    }
  }
  return found;
}
