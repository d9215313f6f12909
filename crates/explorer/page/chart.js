// A sequence as a chart: a stem for every term, to be zoomed and moved. What repeats is shaded.
import { h, s, button, replace } from "./dom.js";
import { counted } from "./names.js";

/** The chart is narrower on a phone, so that its letters stay readable. */
const WIDE = globalThis.innerWidth < 620 ? 400 : 720;
const HIGH = 260;
const LEFT = 40;
const BOTTOM = 28;
const LEAST = 8;

/** The height of a term, and its words. Results are high or low, totals show the first player's. */
function term(value) {
  if (typeof value === "number") return { height: value, words: String(value) };
  if (Array.isArray(value)) return { height: value[0], words: value.join(" · ") };
  const height = { first: 1, second: -1, draw: 0, win: 1, lose: -1 }[value];
  return { height: height ?? 0, words: String(value), odd: height === undefined };
}

function ticks(from, to, most) {
  const raw = Math.max(1, (to - from) / most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= raw);
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}

export class Chart {
  constructor(answer) {
    this.from = answer.from;
    this.terms = answer.values.map(term);
    this.period = answer.period;
    this.view = [answer.from, answer.from + this.terms.length];
    this.svg = s("svg", { class: "picture chart", viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, height: HIGH, role: "img", tabindex: "0", "aria-label": `${this.terms.length} terms: ${this.terms.slice(0, 30).map((one) => one.words).join(", ")}` });
    this.tools = [
      button("+", () => this.zoom(0.5), { class: "icon small", "aria-label": "Zoom in" }),
      button("−", () => this.zoom(2), { class: "icon small", "aria-label": "Zoom out" }),
      button("◀", () => this.shift(-0.5), { class: "icon small", "aria-label": "To the left" }),
      button("▶", () => this.shift(0.5), { class: "icon small", "aria-label": "To the right" }),
    ];
    this.svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.drag();
    this.draw();
  }

  wheel(event) {
    if (!event.ctrlKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    const box = this.svg.getBoundingClientRect();
    this.zoom(event.deltaY > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
  }

  drag() {
    let start = null;
    this.svg.addEventListener("pointerdown", (event) => (start = { x: event.clientX, view: this.view }));
    this.svg.addEventListener("pointermove", (event) => {
      if (start === null || event.buttons === 0) return;
      const moved = ((start.x - event.clientX) / this.svg.getBoundingClientRect().width) * (start.view[1] - start.view[0]);
      this.view = start.view;
      this.shift(moved / (start.view[1] - start.view[0]));
    });
    this.svg.addEventListener("pointerup", () => (start = null));
  }

  /** Shows more or fewer terms, around a place between 0 and 1. */
  zoom(times, around = 0.5) {
    const [a, b] = this.view;
    const size = Math.max(LEAST, Math.min(this.terms.length, (b - a) * times));
    const at = a + (b - a) * around;
    this.view = [at - size * around, at + size * (1 - around)];
    this.shift(0);
  }

  shift(share) {
    const size = this.view[1] - this.view[0];
    const least = this.from;
    const most = Math.max(least, this.from + this.terms.length - size);
    const a = Math.max(least, Math.min(most, this.view[0] + share * size));
    this.view = [a, a + size];
    this.draw();
  }

  draw() {
    const [a, b] = this.view;
    const [i, j] = [Math.max(0, Math.floor(a - this.from)), Math.min(this.terms.length, Math.ceil(b - this.from))];
    const seen = this.terms.slice(i, j);
    const high = Math.max(1, ...seen.map((one) => one.height));
    const low = Math.min(0, ...seen.map((one) => one.height));
    const x = (n) => LEFT + ((n - a + 0.5) / (b - a)) * (WIDE - LEFT - 8);
    const y = (value) => 12 + ((high - value) / (high - low)) * (HIGH - BOTTOM - 18);
    const wide = Math.max(1.5, Math.min(18, ((WIDE - LEFT) / (b - a)) * 0.62));
    const stem = (one, index) => {
      const n = this.from + i + index;
      const kind = one.odd ? "endless" : one.height < 0 ? "behind" : one.height === 0 ? "equal" : "ahead";
      const top = Math.min(y(one.height), y(0));
      return s(
        "g",
        { class: `stem ${kind}` },
        s("title", {}, `${n}: ${one.words}`),
        s("rect", { x: x(n) - wide / 2, y: top, width: wide, height: Math.max(2, Math.abs(y(one.height) - y(0))), rx: Math.min(3, wide / 3) }),
        b - a <= 32 ? s("text", { class: "axis-text mid", x: x(n), y: one.height < 0 ? y(one.height) + 13 : top - 4 }, one.words) : null,
      );
    };
    replace(
      this.svg,
      this.shade(x, a, b),
      ticks(low, high, 6).map((value) => [s("path", { class: "grid-line", d: `M${LEFT} ${y(value)}H${WIDE - 4}` }), s("text", { class: "axis-text end", x: LEFT - 6, y: y(value) + 4 }, String(value).replace("-", "−"))]),
      seen.map(stem),
      ticks(Math.ceil(a), b - 1, 12).map((n) => s("text", { class: "axis-text mid", x: x(n), y: HIGH - 8 }, String(n))),
    );
  }

  /** Where the period begins, every other period shaded. */
  shade(x, a, b) {
    const { period } = this;
    if (!period || period.length < 2) return null;
    const bands = [];
    for (let n = period.start; n < b && bands.length < 200; n += 2 * period.length) {
      const [left, right] = [Math.max(x(n - 0.5), LEFT), Math.min(x(n + period.length - 0.5), WIDE - 4)];
      if (n + period.length > a && right > left) bands.push(s("rect", { class: "band", x: left, y: 6, width: right - left, height: HIGH - BOTTOM - 6 }));
    }
    return bands;
  }
}

/** What is said of a sequence below its chart. */
export function sequenceWords(answer) {
  const { period } = answer;
  const found = [`${counted(answer.terms, "term")}, ${answer.parameter} from ${answer.from}; ${answer.proof}.`];
  if (period) found.push(`Period ${period.length} from ${period.start} on${period.saltus ? `, rising by ${period.saltus} each time` : ""}: ${period.proof}.`);
  if (answer.largest) found.push(`Largest value ${answer.largest.value}, first at ${answer.largest.at}.`);
  return found;
}

/** A small form that asks for another range. */
export function rangeForm(answer, parameters, ask) {
  const number = (name, value) => h("label", { class: "field inline" }, h("span", {}, name), h("input", { type: "number", name, value: String(value), class: "narrow" }));
  const which = h("select", { name: "parameter", "aria-label": "Parameter that runs" }, parameters.map((one) => h("option", one.name === answer.parameter ? { selected: "" } : {}, one.name)));
  const send = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    ask({ parameter: data.get("parameter"), from: Number(data.get("from")), to: Number(data.get("to")) });
  };
  return h("form", { class: "range", onsubmit: send }, which, number("from", answer.from), number("to", answer.to), h("button", { class: "small" }, "Show"));
}
