// The instance as a form that the parameters make. Lists are written as people write them, `5, 3, 7`, or as JSON.
import { h } from "./dom.js";
import { exact } from "./numbers.js";

/** The text that a value has in a field. */
function asText(type, value) {
  if (value === undefined) return "";
  if (type === "[int]" && Array.isArray(value)) return value.join(", ");
  return type === "text" ? String(value) : JSON.stringify(value);
}

/** The value of a text, or an error in words. */
export function readValue(type, text) {
  const trimmed = text.trim();
  if (type === "text") return text;
  if (type === "int") {
    if (!/^[-−]?\d+$/.test(trimmed)) throw new Error("a whole number is needed");
    const digits = trimmed.replace("−", "-");
    return Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
  }
  const bracketed = trimmed.startsWith("[") ? trimmed : type === "[text]" && !trimmed.includes('"') ? JSON.stringify(trimmed.split(/[\s,]+/).filter(Boolean)) : `[${trimmed}]`;
  try {
    return JSON.parse(bracketed, exact);
  } catch {
    throw new Error(type === "[int]" ? "numbers with commas are needed, such as 5, 3, 7" : "a list is needed, such as [[0, 1], [1, 2]]");
  }
}

function field(parameter, value, changed) {
  const { name, type } = parameter;
  const error = h("span", { class: "field-error", role: "alert" });
  const range = parameter.least !== undefined && parameter.most !== undefined ? ` (say ${parameter.least} to ${parameter.most})` : "";
  let input;
  if (type === "bool") input = h("input", { type: "checkbox", name, checked: value === true });
  else if (type === "int") input = h("input", { type: "text", inputmode: "numeric", name, value: asText(type, value), autocomplete: "off" });
  else input = h("input", { type: "text", name, value: asText(type, value), spellcheck: "false", autocomplete: "off", class: "wide" });
  const read = () => {
    error.textContent = "";
    input.removeAttribute("aria-invalid");
    if (type === "bool") return input.checked;
    if (input.value.trim() === "" && type === "int") return undefined;
    try {
      return readValue(type, input.value);
    } catch (problem) {
      error.textContent = problem.message;
      input.setAttribute("aria-invalid", "true");
      throw problem;
    }
  };
  input.addEventListener("input", changed);
  const node = h("label", { class: "field" }, h("span", {}, name, h("small", {}, ` ${type}${range}`)), input, error);
  return { name, node, read };
}

/** A form for parameters. `read()` gives the instance, or throws where a field is wrong. */
export function instanceForm(parameters, instance, submit, { action = "Go", changed = () => {} } = {}) {
  const fields = parameters.map((parameter) => field(parameter, instance?.[parameter.name] ?? parameter.default, changed));
  const read = () => {
    const found = {};
    let problem;
    for (const one of fields) {
      try {
        const value = one.read();
        if (value !== undefined) found[one.name] = value;
      } catch (wrong) {
        problem ??= wrong;
      }
    }
    if (problem) throw problem;
    return found;
  };
  const send = (event) => {
    event.preventDefault();
    let found;
    try {
      found = read();
    } catch {
      return;
    }
    submit(found);
  };
  const node = h("form", { class: "instance", onsubmit: send }, fields.map((one) => one.node), action ? h("button", { class: "primary" }, action) : null);
  return { node, read };
}
