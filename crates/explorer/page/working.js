// Work that is under way: a sign, and how long it has taken. A quick answer shows nothing of it.
import { h } from "./dom.js";

const SOON = 200;
const STEP = 100;
const LONG = 1500;

export class Working {
  constructor() {
    this.time = h("span", { "aria-hidden": "true" });
    this.words = h("span", {}, "Working …");
    this.node = h("div", { class: "working", role: "status", hidden: true }, h("p", { class: "hint" }, this.time, " ", this.words), h("progress", { "aria-label": "Working" }));
  }

  /** Begins; where nothing else is shown yet, the sign comes at once. */
  begin(atOnce) {
    this.end();
    const begun = performance.now();
    this.node.hidden = !atOnce;
    const tick = () => {
      const past = performance.now() - begun;
      this.node.hidden = !atOnce && past < SOON;
      this.words.textContent = past < LONG ? "Working …" : "Working … This game is large. A quick answer is tried for some seconds; without one it can still be played.";
      this.time.textContent = past < SOON ? "" : `${(past / 1000).toFixed(1)} s`;
    };
    tick();
    this.timer = setInterval(tick, STEP);
  }

  end() {
    clearInterval(this.timer);
    this.node.hidden = true;
  }
}
