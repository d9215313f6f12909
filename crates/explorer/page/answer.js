// The answer of `solve`, in words and figures.
import { h, bytes, duration, signed } from "./dom.js";
import { chip } from "./movelist.js";

const title = (player) => player.charAt(0).toUpperCase() + player.slice(1);
const few = (moves) => (moves.length > 12 ? [...moves.slice(0, 12), "…"] : moves).join(", ");

/** How it looks for the player who starts. */
function markOf(answer) {
  if (answer.kind === "payoffs") return "payoffs";
  if (typeof answer.value === "number") return answer.value > 0 ? "ahead" : answer.value < 0 ? "behind" : "equal";
  if (answer.outcome === "draw") return answer.remoteness === undefined ? "endless" : "draw";
  return answer.outcome ?? "unknown";
}

function sentence(answer) {
  const length = answer.remoteness === undefined ? "" : ` in ${answer.remoteness} ${answer.remoteness === 1 ? "move" : "moves"}`;
  if (answer.payoffs) return `Best play pays ${answer.payoffs.join(", ")}`;
  if (answer.winner === undefined) return "Nobody wins alone";
  if (answer.winner === "draw") return typeof answer.value === "number" ? "Equal scores" : length ? `A draw${length}` : "A draw without end";
  const by = typeof answer.value === "number" ? ` by ${Math.abs(answer.value)}` : "";
  const score = answer.scores ? `, ${Math.max(...answer.scores)} to ${Math.min(...answer.scores)}` : "";
  return `${title(answer.winner)} wins${by}${score}${length}`;
}

/** Draws the answer. */
export function drawAnswer(answer) {
  const value = typeof answer.value === "number" ? signed(answer.value) : answer.value;
  const rows = [
    ["best moves", answer.best_moves?.length > 0 ? few(answer.best_moves) : ""],
    ["line of play", answer.line?.length > 0 ? few(answer.line) : ""],
    ["nimber", answer.nimber ?? answer.loopy],
    ["value", value],
    ["how", `${answer.proof}; ${answer.method}, ${answer.positions.toLocaleString("en")} positions, ${bytes(answer.bytes)}, ${duration(answer.seconds)}`],
  ];
  const row = ([name, text]) => [h("dt", {}, name), h("dd", {}, String(text))];
  return h(
    "section",
    { class: "card answer", role: "status" },
    h("div", { class: "verdict-line" }, chip(markOf(answer)), h("p", { class: "verdict-words" }, sentence(answer))),
    h("dl", { class: "facts-list" }, rows.filter(([, text]) => text !== undefined && text !== "").map(row)),
  );
}
