// Pictures as files: the SVG as it is seen, with the colours that the style sheet gave it written into it.
import { h, button, download } from "./dom.js";

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "opacity", "display"];

/** The text of an SVG file of a picture on the page. */
export function svgText(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [[svg, ...svg.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((node, index) => {
    const style = getComputedStyle(node);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value !== "") to[index].setAttribute(name, value);
    }
    for (const name of ["class", "role", "tabindex", "data-target", "data-whole", "data-node"]) to[index].removeAttribute(name);
  });
  const [x, y, wide, high] = (svg.dataset.whole ?? svg.getAttribute("viewBox")).split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `${x} ${y} ${wide} ${high}`);
  copy.setAttribute("width", wide);
  copy.setAttribute("height", high);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const fill = getComputedStyle(svg.closest(".card") ?? document.body).backgroundColor;
  for (const [name, value] of Object.entries({ x, y, width: wide, height: high, fill })) ground.setAttribute(name, value);
  copy.prepend(ground);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** A picture with its title, its words and a button that saves it. */
export function framed(title, name, svg, words = [], tools = []) {
  const save = button("Save as SVG", () => download(`${name}.svg`, "image/svg+xml", svgText(svg)), { class: "small" });
  return h(
    "figure",
    { class: "card picture-card" },
    h("div", { class: "picture-head" }, h("h2", {}, title), h("div", { class: "picture-tools" }, tools, save)),
    h("div", { class: "scroll" }, svg),
    words.length > 0 ? h("figcaption", {}, words.map((line) => h("p", {}, line))) : null,
  );
}
