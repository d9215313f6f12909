// The playground: write rules, see mistakes at once at their places, solve them, read the plan, play them. What is written is kept in
// the browser.
import { h, button, download, prose, replace } from "./dom.js";
import { ask, get } from "./api.js";
import { Editor } from "./editor.js";
import { instanceForm } from "./form.js";
import { runShown, failureBox } from "./job.js";
import { drawAnswer } from "./answer.js";
import { drawPlan } from "./plan.js";
import { drawScene } from "./scene.js";
import { allGames } from "./gallery.js";
import { writeLink } from "./link.js";
import { gameTitle } from "./names.js";
import { sendable } from "./numbers.js";
import { remember, recall } from "./store.js";

const QUIET = 220;
const MOST_DRAFTS = 30;

/** Keeps a text under the name of its game, the latest last. */
function keepDraft(text) {
  const name = /\bgame\s+([A-Za-z_]\w*)/.exec(text.replace(/\/\/.*/g, ""))?.[1];
  if (name === undefined || text === FIRST_RULES) return;
  const others = recall("drafts", []).filter((draft) => draft.name !== name);
  remember("drafts", [...others, { name, text }].slice(-MOST_DRAFTS));
}

const FIRST_RULES = `/// Take one or two stones, or half of an even heap; who takes the last stone loses.
game halves(n: int = 10) {
    require n >= 1 : "there must be a stone";
    state { left in 0..=n = n; }
    move take(k in 1..=2) when k <= left { left -= k; }
    move half when left % 2 == 0 and left > 0 { left = left / 2; }
    stuck => win;                          // whoever took the last stone has lost

    show "stones: {left}";
    sample { n in 1..=40; }
    example { n: 7 } gives { winner: second };
}
`;

export class Playground {
  constructor(host, view) {
    this.host = host;
    this.view = view;
  }

  async open() {
    const named = this.view.name ? (await get(`games/${encodeURIComponent(this.view.name)}`)).rules : undefined;
    const text = this.view.rules ?? named ?? recall("draft", FIRST_RULES);
    this.instance = Object.keys(this.view.instance ?? {}).length > 0 ? this.view.instance : this.view.rules || named ? {} : recall("instance", {});
    this.editor = new Editor(text, () => this.changed());
    this.diagnostics = h("div", { class: "diagnostics", role: "status", "aria-live": "polite" });
    this.formBox = h("div", {});
    this.preview = h("div", { class: "preview" });
    this.result = h("div", { class: "result" });
    this.work = h("div", { class: "work" });
    this.parameters = "";
    this.known = [];
    replace(this.host, this.layout());
    await this.check();
  }

  layout() {
    this.solveButton = button("Solve", () => this.solve(), { class: "primary" });
    this.planButton = button("Plan", () => this.plan());
    this.playButton = button("Play it", () => this.play());
    const opener = h("select", { "aria-label": "Start from a game", onchange: (event) => this.load(event.target) }, h("option", { value: "" }, "Start from …"));
    const group = (label, names, prefix) => h("optgroup", { label }, names.map((name) => h("option", { value: prefix + name }, gameTitle(name))));
    const own = recall("drafts", []).map((draft) => draft.name);
    if (own.length > 0) opener.append(group("What you wrote", own.reverse(), "own:"));
    allGames().then((games) => opener.append(group("The gallery", games.map((game) => game.name), "")), () => undefined);
    const tools = h("div", { class: "editor-tools" }, opener, button("Download", () => this.save(), { class: "small" }), button("New", () => this.editor.replaceText(FIRST_RULES), { class: "small" }));
    const left = h("section", { class: "write", "aria-label": "Rules" }, h("div", { class: "write-head" }, h("h1", {}, "Playground"), tools), this.editor.box, this.diagnostics);
    const actions = h("div", { class: "actions" }, this.solveButton, this.planButton, this.playButton);
    const right = h("section", { class: "try", "aria-label": "Try it" }, h("div", { class: "card" }, h("h2", {}, "The instance"), this.formBox, actions), this.work, this.result, this.preview);
    return h("div", { class: "playground" }, left, right);
  }

  async load(select) {
    const name = select.value;
    select.value = "";
    if (name === "") return;
    const own = recall("drafts", []).find((draft) => `own:${draft.name}` === name);
    const rules = own ? own.text : (await get(`games/${encodeURIComponent(name)}`)).rules;
    this.instance = {};
    this.parameters = "";
    this.editor.replaceText(rules);
  }

  save() {
    download(`${this.name ?? "rules"}.game`, "text/plain", this.editor.text());
  }

  changed() {
    remember("draft", this.editor.text());
    keepDraft(this.editor.text());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), QUIET);
  }

  /** Asks what is wrong, and shows it in the text and below it. */
  async check() {
    const rules = this.editor.text();
    this.asked?.abort();
    this.asked = new AbortController();
    let answer;
    try {
      answer = await ask("check", { rules, instance: sendable(this.known, this.instance) }, this.asked.signal);
    } catch (failure) {
      if (failure.name !== "AbortError") replace(this.diagnostics, failureBox(failure));
      return;
    }
    if (rules !== this.editor.text()) return;
    this.editor.mark(answer.in_instance ? [] : answer.diagnostics);
    // Broken rules may have no names to tell; those of the last good ones are still the best guess.
    if (answer.words.length > 0) this.editor.names = answer.words;
    this.name = answer.outline?.name;
    this.showDiagnostics(answer);
    this.showForm(answer.parameters);
    replace(this.preview, answer.scene ? h("div", { class: "card" }, h("h2", {}, "The start"), drawScene(answer.scene).node) : null);
    this.isGood = answer.good;
    this.enable();
  }

  /** What can be asked now: nothing of broken rules, and one solve at a time. */
  enable() {
    for (const node of [this.planButton, this.playButton]) node.disabled = !this.isGood;
    this.solveButton.disabled = !this.isGood || this.isSolving;
  }

  /** A place for the result of what was asked last: what comes later from earlier questions is not shown. */
  resultOf() {
    const number = (this.questions = (this.questions ?? 0) + 1);
    return (...nodes) => (number === this.questions ? replace(this.result, ...nodes) : undefined);
  }

  showDiagnostics({ good, diagnostics, in_instance: inInstance }) {
    const one = (problem) => {
      const where = problem.place && !inInstance ? `line ${problem.place.line}` : inInstance ? "instance" : "";
      const text = [h("b", {}, where), " ", prose(problem.message), (problem.notes ?? []).map((note) => h("span", { class: "note" }, prose(note))), problem.help ? h("span", { class: "note help" }, prose(problem.help)) : null];
      return problem.place && !inInstance ? button(text, () => this.editor.goTo(problem.place), { class: "diagnostic" }) : h("div", { class: "diagnostic" }, text);
    };
    replace(this.diagnostics, good ? h("p", { class: "fine" }, "✓ Nothing wrong with these rules") : diagnostics.map(one));
  }

  /** The form is made anew only where the parameters are others, so that nobody loses what they type. */
  showForm(parameters) {
    const shape = JSON.stringify(parameters);
    if (shape === this.parameters) return;
    if (parameters.length === 0 && this.parameters !== "" && this.name === undefined) return;
    this.parameters = shape;
    this.known = parameters;
    this.form = instanceForm(parameters, this.instance, () => this.solve(), { action: null, changed: () => this.readForm() });
    replace(this.formBox, parameters.length === 0 ? h("p", { class: "hint" }, "This game has no parameters.") : this.form.node);
  }

  readForm() {
    try {
      this.instance = this.form.read();
    } catch {
      return;
    }
    remember("instance", this.instance);
    this.changed();
  }

  body() {
    return { rules: this.editor.text(), instance: sendable(this.known, this.instance) };
  }

  async solve() {
    if (this.solveButton.disabled) return;
    const show = this.resultOf();
    show();
    this.isSolving = true;
    this.enable();
    try {
      const answer = await runShown(this.work, "Solving", "solve", this.body());
      show(answer === null ? h("p", { class: "card notice cancelled", role: "status" }, "Cancelled. Nothing was found out.") : drawAnswer(answer));
    } catch (failure) {
      show(failureBox(failure));
    }
    this.isSolving = false;
    this.enable();
  }

  async plan() {
    const show = this.resultOf();
    try {
      show(drawPlan(await ask("explain", this.body())));
    } catch (failure) {
      show(failureBox(failure));
    }
  }

  async play() {
    location.hash = await writeLink({ page: "own", rules: this.editor.text(), instance: this.instance });
  }

  leave() {
    clearTimeout(this.timer);
    this.asked?.abort();
  }
}
