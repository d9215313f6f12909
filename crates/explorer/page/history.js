// The history: every move of the line as a button that goes there, and the curve of values.
import { h, replace } from "./dom.js";
import { markFor, markSign } from "./mark.js";
import { drawCurve } from "./curve.js";

export class History {
  constructor(jump) {
    this.jump = jump;
    this.steps = h("ol", { class: "steps", start: "0" });
    this.curve = h("div", { class: "curve-box" });
    this.node = h("section", { class: "card history", "aria-label": "History" }, h("h2", {}, "History"), this.curve, this.steps);
  }

  /** Shows the steps that are known; `signs` says whether values may be seen, `squares` has
   *  the squares of the moves where they are known. A move has the sign that it has for who made it. */
  show(line, steps, { signs, players = 2, squares = [] }) {
    replace(this.curve, signs ? drawCurve(steps, line.at, this.jump) : null);
    const entry = (move, index) => {
      const step = steps[index];
      const mark = step && markFor(step.mark, step.mover, step.player ?? step.mover, players);
      const sign = signs && step && index > 0 ? h("b", { class: `dot-sign ${mark}`, "aria-hidden": "true" }, markSign(mark)) : null;
      const wrong = signs && step?.mistake ? h("span", { class: "wrong", title: "a mistake: it gave something away" }, "!") : null;
      const label = index === 0 ? "start" : `${index}. ${move}${signs && step ? `: ${step.words}` : ""}`;
      return h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "step", "aria-current": index === line.at ? "step" : undefined, "aria-label": label, title: label, onclick: () => this.jump(index) },
          index > 0 && squares[index - 1] ? [squares[index - 1], h("small", {}, move)] : move,
          wrong,
          sign,
        ),
      );
    };
    replace(this.steps, ["start", ...line.moves].map(entry));
    this.scroll();
  }

  /** Brings the current move into sight inside the list. The page itself stays where it is. */
  scroll() {
    const node = this.steps.querySelector("[aria-current]");
    if (node === null) return;
    const [list, step] = [this.steps.getBoundingClientRect(), node.getBoundingClientRect()];
    if (step.bottom > list.bottom) this.steps.scrollTop += step.bottom - list.bottom + 4;
    if (step.top < list.top) this.steps.scrollTop -= list.top - step.top + 4;
  }
}
