// Anything else: the variables of a position by name.
import { h } from "./dom.js";

/** Draws variables as a small table. Returns the picture and its fields by number. */
export function drawFields(panel) {
  const items = new Map();
  const row = (field, index) => {
    const element = h("div", { class: "item field-card" }, h("dt", {}, field.name), h("dd", {}, field.text));
    items.set(String(index), { element, name: `${field.name} ${field.text}` });
    return element;
  };
  return { node: h("dl", { class: "panel fields" }, panel.fields.map(row)), items };
}
