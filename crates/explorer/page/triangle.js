// The triangle of an interval game: every row of items that can be left, the whole row at the top, as a heat map with the line of play.
import { s, signed } from "./dom.js";

const SIZE = 46;

/** Draws the triangle. `walk(left, right)` goes to the position where so many items are gone at the left and at the right. */
export function drawTriangle(answer, walk) {
  const n = answer.items;
  const most = Math.max(1, ...answer.cells.map((cell) => Math.abs(cell.value)));
  const middle = ({ left, right }) => ({ x: ((left + n - right) / 2) * SIZE, y: (left + right) * SIZE * 0.9 + SIZE / 2 });
  // Never so strong that the number on it is hard to read.
  const strengthOf = (one) => (one.value === 0 ? 0.08 : 0.1 + 0.36 * (Math.abs(one.value) / most));
  const cell = (one) => {
    const { x, y } = middle(one);
    const kind = one.value > 0 ? "ahead" : one.value < 0 ? "behind" : "equal";
    const strength = strengthOf(one);
    const best = [one.best_left ? "left" : "", one.best_right ? "right" : ""].filter(Boolean).join(" or ");
    const words = `items ${one.left + 1} to ${n - one.right}: ${signed(one.value)} for the player to move${best ? `; best: ${best}` : ""}`;
    const go = () => walk(one.left, one.right);
    return s(
      "g",
      {
        class: `heat ${kind}`,
        role: "button",
        tabindex: "0",
        "aria-label": `${words}. Go there`,
        "data-cell": `${one.left} ${one.right}`,
        onclick: go,
        onkeydown: (event) => event.key === "Enter" && go(),
      },
      s("title", {}, words),
      s("rect", { x: x - SIZE / 2 + 1, y: y - SIZE * 0.45 + 1, width: SIZE - 2, height: SIZE * 0.9 - 2, rx: 6, "fill-opacity": strength.toFixed(2) }),
    );
  };
  const number = (one) => {
    const { x, y } = middle(one);
    return s("text", { class: "heat-text", x, y }, signed(one.value));
  };
  const shown = answer.cells.filter((one) => one.left + one.right < n);
  const line = answer.line.filter((one) => one.left + one.right < n).map(middle);
  const path = line.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  const labels = (answer.labels ?? []).map((label, index) => s("text", { class: "axis-text mid", x: (index + 0.5) * SIZE, y: n * SIZE * 0.9 + 16 }, String(label)));
  return s(
    "svg",
    { class: "picture triangle", viewBox: `-4 -2 ${n * SIZE + 8} ${n * SIZE * 0.9 + 26}`, width: (n * SIZE + 8) * 1.35, height: (n * SIZE * 0.9 + 26) * 1.35, role: "group", "aria-label": `Values of all ${answer.cells.length} intervals` },
    shown.map(cell),
    s("path", { class: "play-line", d: path }),
    line.map(({ x, y }) => s("rect", { class: "play-dot", x: x - SIZE / 2 + 2, y: y - SIZE * 0.45 + 2, width: SIZE - 4, height: SIZE * 0.9 - 4, rx: 5 })),
    shown.map(number),
    labels,
  );
}
