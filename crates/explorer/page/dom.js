// Elements. Every node of the page is made here, so a text is never read as markup and no style or script is written inline:
// the content security policy refuses both.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.setAttribute("class", value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, is] of Object.entries(value)) node.style.setProperty(key, is);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** An element of HTML: `h("button", { class: "plain", onclick: play }, "Play")`. */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An element of SVG. */
export function s(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Puts children in place of all that a node holds. */
export function replace(node, ...children) {
  node.replaceChildren(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** A button with a text. */
export function button(text, act, properties = {}) {
  return h("button", { type: "button", onclick: act, ...properties }, text);
}

/** One of several choices, as a group of buttons that radio buttons make. */
export function choice(label, options, chosen, change) {
  const name = `choice-${label.replace(/\W+/g, "-")}`;
  const radio = ([value, text, title]) =>
    h(
      "label",
      { title },
      h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }),
      h("span", {}, text),
    );
  return h("fieldset", { class: "choice" }, h("legend", {}, label), h("div", { class: "options" }, options.map(radio)));
}

/** A select box with a label. */
export function select(label, options, chosen, change) {
  const option = ([value, text]) => h("option", { value, ...(value === chosen ? { selected: "" } : {}) }, text);
  return h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h("select", { onchange: (event) => change(event.target.value) }, options.map(option)),
  );
}

/** Hands a text to the person as a file. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A text whose words in backticks are code. */
export function prose(text) {
  return String(text)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

/** A number with a true minus sign. */
export function signed(number) {
  return number > 0 ? `+${number}` : String(number).replace("-", "−");
}

/** The name of a column: a, b, …, z, aa, ab, … */
export function columnName(column) {
  const letter = String.fromCharCode(97 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/** A number of bytes as people write it. */
export function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [size, unit] = [count, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${size >= 100 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** A stretch of time as people write it. */
export function duration(seconds) {
  if (seconds < 1e-3) return `${Math.max(1, Math.round(seconds * 1e6))} µs`;
  if (seconds < 1) return `${Math.round(seconds * 1e3)} ms`;
  if (seconds < 90) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
