// The pictures of a game. Each question is asked; those that do not apply to the game say so in a line, those that take long offer a job.
import { h, button, prose, replace } from "./dom.js";
import { ask } from "./api.js";
import { runShown, failureBox } from "./job.js";
import { plain } from "./plain.js";
import { framed } from "./save.js";
import { drawTriangle } from "./triangle.js";
import { drawTerms, isWritten } from "./termtable.js";
import { wayTo } from "./intervals.js";
import { counted } from "./names.js";
import { Chart, rangeForm, sequenceWords } from "./chart.js";
import { drawGameGraph } from "./gamegraph.js";
import { drawThermograph } from "./thermograph.js";
import { surveyPictures } from "./bars.js";

const TITLES = { graph: "The game graph", triangle: "The triangle of intervals", sequence: "The sequence", value: "Thermographs", survey: "The survey" };

export class Pictures {
  /** `walk(moves)` goes to a position on the board. */
  constructor(question, game, line, walk) {
    Object.assign(this, { question, game, line, walk });
    this.places = Object.fromEntries(Object.keys(TITLES).map((name) => [name, h("div", { class: "picture-place", "data-picture": name })]));
    this.absent = h("ul", { class: "absent" });
    this.node = h("div", { class: "pictures" }, ["triangle", "graph", "sequence", "value", "survey"].map((name) => this.places[name]), this.absent);
  }

  body(name) {
    return name === "value" ? { ...this.question, moves: this.line.made() } : this.question;
  }

  async open() {
    await Promise.all(Object.keys(TITLES).map((name) => this.load(name, this.body(name))));
    if (this.node.querySelector("figure, .notice") === null) this.node.prepend(h("p", { class: "hint" }, "There is no picture for this game."));
  }

  async load(name, body) {
    try {
      this.draw(name, await ask(name, body));
    } catch (failure) {
      if (failure.isLimit && name !== "graph") this.offer(name, body, failure);
      else this.absent.append(h("li", {}, h("b", {}, `${TITLES[name]}: `), prose([plain(failure).heading, ...plain(failure).lines].join("; "))));
    }
  }

  offer(name, body, failure) {
    const host = this.places[name];
    const start = async () => {
      try {
        const answer = await runShown(host, TITLES[name], name, body);
        if (answer === null) this.offer(name, body, failure);
        else this.draw(name, answer);
      } catch (problem) {
        replace(host, failureBox(problem));
      }
    };
    replace(host, h("div", { class: "notice card" }, h("h2", {}, TITLES[name]), h("p", {}, prose(plain(failure).heading)), button("Draw it in the background", start)));
  }

  draw(name, answer) {
    replace(this.places[name], this[name](answer));
  }

  triangle(answer) {
    const words = ["Each cell is a row of coins that can be left: its place tells which, its number what the player to move gains on the other from there on.", "The line is one line of best play, from the whole row at the top."];
    const note = h("p", { class: "hint", role: "status" });
    const walk = async (left, right) => {
      const moves = await wayTo(this.question, left, right, answer.items).catch(() => null);
      if (moves === null) note.textContent = "No moves from the start lead to that row.";
      else this.walk(moves);
    };
    return [framed(TITLES.triangle, `${answer.game}-triangle`, drawTriangle(answer, walk), [...words, "Click a cell to go there."]), note];
  }

  graph(answer) {
    const { svg, order, tools } = drawGameGraph(answer, this.line.made(), this.walk);
    const words = {
      remoteness: "The higher, the longer best play lasts from there; the end is at the bottom.",
      length: "The higher, the longer play can last from there; the end is at the bottom.",
      depth: "Each row is one move further from the start.",
    };
    return framed(`${TITLES.graph}: ${counted(answer.nodes.length, "position")}`, `${answer.game}-graph`, svg, [`${words[order]} Thick lines are best moves. Click a position to go there; drag to move the picture.`], tools);
  }

  sequence(answer) {
    if (!Array.isArray(answer.values) || answer.values.length === 0 || Array.isArray(answer.parameters)) return null;
    const written = isWritten(answer.values);
    const chart = written ? { svg: drawTerms(answer), tools: [] } : new Chart(answer);
    const running = this.game.parameters.filter((one) => one.type === "int" || one.type === "[int]");
    const again = (range) => {
      replace(this.absent);
      this.load("sequence", { ...this.question, ...range });
    };
    const kind = answer.kind === undefined || answer.kind === "mixed" ? "values" : answer.kind;
    return framed(`${TITLES.sequence}: ${kind} as ${answer.parameter} runs`, `${answer.game}-sequence`, chart.svg, sequenceWords(answer), [chart.tools, rangeForm(answer, running, again)]);
  }

  value(answer) {
    if (!answer.thermograph) return null;
    const words = [answer.value ? `Value ${answer.value}` : "", `mean ${answer.mean}`, `temperature ${answer.temperature}`].filter(Boolean).join(", ");
    const whole = framed("The thermograph of this position", `${answer.game}-thermograph`, drawThermograph(answer.thermograph, { label: words }), [`${words}.`]);
    const option = (one) =>
      h("figure", { class: "option-graph" }, drawThermograph(one.thermograph, { small: true, label: one.move }), h("figcaption", {}, h("b", {}, one.move), ` ${one.player}`, h("br"), one.value && one.value.length < 24 ? one.value : `mean ${one.mean}`));
    const options = answer.options.filter((one) => one.thermograph).slice(0, 24);
    return [whole, options.length > 0 ? h("section", { class: "card" }, h("h2", {}, "Thermographs of its options"), h("div", { class: "option-graphs" }, options.map(option))) : null];
  }

  survey(answer) {
    const found = surveyPictures(answer);
    const total = answer.positions === undefined ? "" : `${answer.positions.toLocaleString("en")} positions, ${answer.over?.toLocaleString?.("en") ?? 0} of them ended.`;
    return found.map(([title, svg], index) => framed(index === 0 ? `${TITLES.survey}: ${title.toLowerCase()}` : title, `${answer.game}-survey-${index}`, svg, index === 0 && total ? [total] : []));
  }
}
