// The value of every position of the line as a curve: above the middle it stands well for the first player.
import { s } from "./dom.js";
import { markSign } from "./mark.js";

const WIDE = 340;
const HIGH = 120;
const EDGE = 18;

/** Draws the curve. `steps` are the positions from the start, `at` is where the person stands, `jump` goes there. */
export function drawCurve(steps, at, jump) {
  const known = steps.filter((step) => step?.height !== undefined);
  if (steps.length < 2 || known.length === 0) return null;
  const most = Math.max(1, ...known.map((step) => Math.abs(step.height)));
  const x = (index) => EDGE + (index / Math.max(1, steps.length - 1)) * (WIDE - 2 * EDGE);
  const y = (height) => HIGH / 2 - (height / most) * (HIGH / 2 - EDGE);
  const points = steps.map((step, index) => (step?.height === undefined ? null : [x(index), y(step.height), step, index])).filter(Boolean);
  const path = points.map(([px, py], index) => `${index === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const dot = ([px, py, step, index]) =>
    s(
      "g",
      { class: `curve-dot ${step.mark}${index === at ? " here" : ""}${step.mistake ? " mistake" : ""}`, onclick: () => jump(index) },
      s("title", {}, `${index}. ${step.move ?? "start"}: ${step.words}${step.mistake ? " (a mistake)" : ""}`),
      s("circle", { class: "reach", cx: px, cy: py, r: 10 }),
      s("circle", { class: "spot", cx: px, cy: py, r: index === at ? 5.5 : 3.5 }),
      step.mistake ? s("text", { class: "curve-sign", x: px, y: py - 8 }, "!") : null,
    );
  const top = most > 1 ? `+${most}` : markSign("win");
  const bottom = most > 1 ? `−${most}` : markSign("lose");
  return s(
    "svg",
    { class: "curve picture", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `How it stands for the first player, from the start to move ${steps.length - 1}` },
    s("path", { class: "axis", d: `M${EDGE} ${HIGH / 2}H${WIDE - EDGE}` }),
    s("text", { class: "axis-text", x: 2, y: EDGE + 3 }, top),
    s("text", { class: "axis-text", x: 2, y: HIGH / 2 + 4 }, "0"),
    s("text", { class: "axis-text", x: 2, y: HIGH - EDGE + 5 }, bottom),
    s("path", { class: "curve-line", d: path }),
    points.map(dot),
  );
}
