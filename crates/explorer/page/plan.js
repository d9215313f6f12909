// The plan as `explain` gives it: what kind of game it is, each fact with its reason, the method and those that were passed over.
import { h, bytes, duration, prose } from "./dom.js";

const FACTS = {
  impartial: "Impartial: both players have the same moves",
  sum: "A sum of independent parts",
  heap: "Parts are heaps",
  row: "A row",
  forward: "Play goes forward",
  acyclic: "No position comes again",
  constant_total: "The total is the same however it is played",
  last_mover_wins: "Who moves last wins",
  declared: "What the file declares",
};

function fact([name, { holds, why }]) {
  const [sign, word] = holds === true ? ["✓", "yes"] : holds === false ? ["✗", "no"] : ["?", "not known"];
  return h(
    "li",
    { class: `fact ${holds === true ? "yes" : holds === false ? "no" : "open"}` },
    h("span", { class: "fact-sign", role: "img", "aria-label": word }, sign),
    h("div", {}, h("strong", {}, FACTS[name] ?? name.replaceAll("_", " ")), h("p", {}, prose(why))),
  );
}

function amount({ positions, bytes: size, seconds } = {}) {
  const facts = [positions === undefined ? "" : `${positions.toLocaleString("en")} positions`, size === undefined ? "" : bytes(size), seconds === undefined ? "" : duration(seconds)];
  return facts.filter(Boolean).join(", ");
}

function passed({ method, why, predicted }) {
  const cost = amount(predicted);
  return h("tr", {}, h("th", { scope: "row" }, method.replaceAll("_", " ")), h("td", {}, prose(why), cost ? h("small", {}, ` (${cost})`) : null));
}

/** Draws the plan. */
export function drawPlan(plan) {
  const facts = Object.entries(plan.facts ?? {});
  const predicted = amount(plan.predicted);
  const took = amount(plan);
  return h(
    "div",
    { class: "plan" },
    h(
      "section",
      { class: "card" },
      h("h2", {}, "The plan"),
      h("p", { class: "kind" }, plan.kind),
      h("p", { class: "method" }, h("b", {}, plan.method.replaceAll("_", " ")), " — ", prose(plan.why)),
      predicted ? h("p", { class: "hint" }, `Predicted: ${predicted}`) : null,
      took && plan.seconds !== undefined ? h("p", { class: "hint" }, `It took ${took}`) : null,
    ),
    facts.length > 0 ? h("section", { class: "card" }, h("h2", {}, "What is known of the game, and why"), h("ul", { class: "facts" }, facts.map(fact))) : null,
    plan.passed_over?.length > 0
      ? h("section", { class: "card" }, h("h2", {}, "Methods that were passed over"), h("div", { class: "scroll" }, h("table", { class: "passed" }, h("tbody", {}, plan.passed_over.map(passed)))))
      : null,
  );
}
