// Thermographs: the two walls of a game as its temperature rises, Left's values on the left as the books draw them, and the mast.
import { s } from "./dom.js";

/** A number that may be a fraction as text, such as `-3/4`. */
export function fraction(value) {
  if (typeof value === "number") return value;
  const [over, under = "1"] = String(value).split("/");
  return Number(over) / Number(under);
}

const corners = (wall) => wall.map((corner) => ({ t: fraction(corner.temperature), v: fraction(corner.value), words: String(corner.value) }));

/** Draws a thermograph. A small one has no scale. */
export function drawThermograph(graph, { small = false, label = "thermograph" } = {}) {
  const [left, right] = [corners(graph.left), corners(graph.right)];
  const values = [...left, ...right].map((corner) => corner.v);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const top = Math.max(fraction(graph.temperature), 0) + 1;
  const room = Math.max(0.5, (high - low) * 0.15);
  const [wide, tall, edge] = small ? [150, 110, 12] : [420, 280, 34];
  const x = (v) => edge + ((high + room - v) / (high - low + 2 * room)) * (wide - 2 * edge);
  const y = (t) => tall - edge - ((t + 1) / (top + 1)) * (tall - 2 * edge);
  const wall = (points, name) => {
    const last = points.at(-1);
    const path = [...points, { ...last, t: top }].map(({ v, t }, index) => `${index === 0 ? "M" : "L"}${x(v).toFixed(1)} ${y(t).toFixed(1)}`).join("");
    return s("path", { class: `wall ${name}`, d: path });
  };
  const whole = Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, index) => Math.ceil(low) + index);
  const every = Math.max(1, Math.ceil(whole.length / 10));
  const scale = small
    ? null
    : [
        whole.filter((_, index) => index % every === 0).map((v) => [s("path", { class: "grid-line", d: `M${x(v)} ${edge / 2}V${tall - edge}` }), s("text", { class: "axis-text mid", x: x(v), y: tall - edge + 16 }, String(v).replace("-", "−"))]),
        Array.from({ length: Math.floor(top) + 2 }, (_, index) => index - 1).map((t) => s("text", { class: "axis-text end", x: edge - 6, y: y(t) + 4 }, String(t).replace("-", "−"))),
      ];
  return s(
    "svg",
    { class: small ? "picture thermograph small" : "picture thermograph", viewBox: `0 0 ${wide} ${tall}`, width: wide, height: tall, role: "img", "aria-label": label },
    scale,
    s("path", { class: "axis", d: `M${edge} ${y(0)}H${wide - edge}` }),
    wall(left, "left-wall"),
    wall(right, "right-wall"),
    s("circle", { class: "mast", cx: x(fraction(graph.mean)), cy: y(fraction(graph.temperature)), r: small ? 3 : 4.5 }),
  );
}
