// A picture to look at closely: buttons, the wheel with Ctrl, and dragging change which part of it is seen. What is saved is the whole.
import { button } from "./dom.js";

const LEAST = 0.05;
/** A pointer that moved less than this was a click. */
const SLIP = 5;

/** Makes a picture of a given size one that is zoomed and moved. Returns its tools. */
export function zoomable(svg, wide, high) {
  let view = { x: 0, y: 0, wide, high };
  const show = () => {
    view.wide = Math.max(wide * LEAST, Math.min(wide, view.wide));
    view.high = (view.wide / wide) * high;
    view.x = Math.max(0, Math.min(wide - view.wide, view.x));
    view.y = Math.max(0, Math.min(high - view.high, view.y));
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.wide} ${view.high}`);
    svg.classList.toggle("near", view.wide < wide);
  };
  const zoom = (times, across = 0.5, down = 0.5) => {
    const [x, y] = [view.x + view.wide * across, view.y + view.high * down];
    const next = Math.max(wide * LEAST, Math.min(wide, view.wide * times));
    view = { x: x - next * across, y: y - (next / wide) * high * down, wide: next };
    show();
  };
  let held = null;
  svg.addEventListener("pointerdown", (event) => (held = { x: event.clientX, y: event.clientY, view, moved: false }));
  svg.addEventListener("pointermove", (event) => {
    if (held === null || event.buttons === 0) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (Math.hypot(dx, dy) > SLIP) held.moved = true;
    const scale = held.view.wide / svg.getBoundingClientRect().width;
    view = { ...held.view, x: held.view.x - dx * scale, y: held.view.y - dy * scale };
    show();
  });
  // The click at the end of a drag is none.
  svg.addEventListener("click", (event) => held?.moved && event.stopPropagation(), { capture: true });
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    },
    { passive: false },
  );
  svg.dataset.whole = `0 0 ${wide} ${high}`;
  svg.classList.add("zoomable");
  show();
  return [
    button("+", () => zoom(0.6), { class: "icon small", "aria-label": "Zoom in" }),
    button("−", () => zoom(1 / 0.6), { class: "icon small", "aria-label": "Zoom out" }),
    button("All", () => zoom(Infinity), { class: "small", "aria-label": "Show all of it" }),
  ];
}
