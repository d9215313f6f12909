// A game: its title, the instance, and four tabs. The board is first; pictures, rules and plan are made when somebody looks.
import { h, button, download, prose, replace } from "./dom.js";
import { ask, get } from "./api.js";
import { ServerSource } from "./source.js";
import { PlayView } from "./playview.js";
import { Line } from "./line.js";
import { instanceForm } from "./form.js";
import { runShown, failureBox } from "./job.js";
import { writeLink } from "./link.js";
import { gameTitle } from "./names.js";
import { allGames } from "./gallery.js";
import { sendable } from "./numbers.js";
import { toldSettings } from "./settings.js";
import { reached } from "./plain.js";
import { drawPlan } from "./plan.js";

const TABS = [
  ["board", "Board"],
  ["pictures", "Pictures"],
  ["plan", "Plan"],
  ["rules", "Rules"],
];

/** What is known of a game before it is solved: title, description, parameters, instances. */
async function facts(view) {
  if (view.page === "game") {
    const game = (await allGames()).find((one) => one.name === view.name);
    if (game === undefined) throw new Error(`There is no game called ${view.name}. The gallery lists all of them.`);
    return game;
  }
  if (view.page === "table") {
    const table = (await get("tables")).tables.find((one) => one.name === view.name);
    if (table === undefined) throw new Error(`There is no table called ${view.name}. The server was started without it.`);
    const about = `The table file ${table.name} holds ${table.positions.toLocaleString("en")} positions of ${JSON.stringify(table.instance)}`;
    return { name: table.game, about, parameters: [], instances: [] };
  }
  const checked = await ask("check", { rules: view.rules });
  return { name: checked.outline?.name ?? "own rules", about: checked.outline?.about ?? "", parameters: checked.parameters, instances: checked.instances };
}

export class GameView {
  constructor(host, view) {
    this.host = host;
    this.view = view;
    this.tab = TABS.some(([name]) => name === view.tab) ? view.tab : "board";
    this.line = new Line(view.moves);
  }

  /** The question that every request about this game begins with. */
  question() {
    const { page, name, rules, instance } = this.view;
    const which = page === "game" ? { game: name } : page === "table" ? { table: name } : { rules };
    return page === "table" ? which : { ...which, instance: sendable(this.game.parameters, instance) };
  }

  async open() {
    this.game = await facts(this.view);
    this.source = new ServerSource(this.question());
    this.problem = h("div", { class: "problem" });
    this.work = h("div", { class: "work" });
    this.play = new PlayView(this.source, this.line, {
      changed: () => {
        replace(this.problem);
        this.remember();
      },
      failed: (failure) => this.fail(failure),
      settings: this.view.settings,
      unsolved: (position) => this.offerJob(position),
    });
    this.body = h("div", { class: "tab-body", id: "tab-body", role: "tabpanel" });
    replace(this.host, this.head(), this.problem, this.work, this.tabBar(), this.body);
    await this.show(this.tab);
  }

  head() {
    const { about } = this.game;
    const [first, ...rest] = about.split(/(?<=[.!?])\s+/);
    const lead = h("p", { class: "lead" }, prose(first));
    const whole = rest.length > 0 ? h("details", { class: "about-game" }, h("summary", {}, lead, h("span", { class: "more-link" }, "more")), h("p", { class: "lead" }, prose(rest.join(" ")))) : lead;
    const share = button("Copy link", () => this.share(share), { class: "small", title: "A link that restores rules, instance, moves, opponent and hints" });
    const edit = this.view.page === "table" ? null : button("Change the rules", () => this.edit(), { class: "small" });
    return h(
      "header",
      { class: "game-head" },
      h("div", { class: "title-row" }, h("h1", {}, gameTitle(this.game.name)), h("div", { class: "title-tools" }, share, edit)),
      whole,
      this.instanceBar(),
    );
  }

  instanceBar() {
    const { parameters, instances } = this.game;
    if (parameters.length === 0) return null;
    const chips = instances.slice(0, 8).map((one) => {
      const current = JSON.stringify(one.instance) === JSON.stringify(this.current());
      return button(one.words, () => this.go(one.instance), { class: "sample", "aria-pressed": String(current) });
    });
    const form = instanceForm(parameters, this.current(), (instance) => this.go(instance), { action: "Play this" });
    return h("div", { class: "instances samples" }, chips, h("details", { class: "own-instance" }, h("summary", {}, "Another instance …"), form.node));
  }

  /** The whole instance, with defaults. */
  current() {
    const defaults = this.game.parameters.filter((one) => one.default !== undefined).map((one) => [one.name, one.default]);
    return { ...Object.fromEntries(defaults), ...this.view.instance };
  }

  async go(instance) {
    location.hash = await writeLink({ ...this.view, instance, moves: [], tab: this.tab, settings: toldSettings(this.play, true) });
  }

  async edit() {
    const rules = this.view.rules ?? (await get(`games/${encodeURIComponent(this.view.name)}`)).rules;
    location.hash = await writeLink({ page: "playground", rules, instance: this.view.instance });
  }

  tabBar() {
    const tab = ([name, text]) => button(text, () => this.show(name), { role: "tab", id: `tab-${name}`, "aria-controls": "tab-body", "aria-selected": String(name === this.tab), "data-tab": name });
    const shown = this.view.page === "table" ? TABS.slice(0, 1) : TABS;
    this.bar = h("div", { class: "tabs", role: "tablist", onkeydown: (event) => this.tabKey(event) }, shown.map(tab));
    return this.bar;
  }

  /** Arrows go from tab to tab, as a tab list is expected to do. */
  tabKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.stopPropagation();
    const tabs = [...this.bar.children];
    const to = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    to.focus();
    this.show(to.dataset.tab);
  }

  async show(tab) {
    this.tab = tab;
    for (const node of this.bar.children) node.setAttribute("aria-selected", String(node.dataset.tab === tab));
    this.body.setAttribute("aria-labelledby", `tab-${tab}`);
    try {
      if (tab === "board") {
        replace(this.body, this.play.node);
        await this.play.refresh();
        return;
      }
      replace(this.body, h("p", { class: "hint" }, "One moment …"));
      if (tab === "pictures") await this.showPictures();
      if (tab === "plan") await this.showPlan();
      if (tab === "rules") await this.showRules();
    } catch (failure) {
      this.fill(tab, failureBox(failure));
    }
    if (this.tab === tab) this.remember();
  }

  /** Shows something in a tab, unless another one was chosen meanwhile. */
  fill(tab, ...nodes) {
    if (this.tab === tab) replace(this.body, ...nodes);
  }

  async showPictures() {
    const { Pictures } = await import("./pictures.js");
    const pictures = new Pictures(this.question(), this.game, this.line, (moves) => this.walkTo(moves));
    if (this.tab !== "pictures") return;
    replace(this.body, pictures.node);
    await pictures.open();
  }

  async showPlan() {
    const answer = await ask("explain", this.question());
    this.fill("plan", drawPlan(answer));
  }

  async showRules() {
    const rules = this.view.rules ?? (await get(`games/${encodeURIComponent(this.view.name)}`)).rules;
    const { colourRules } = await import("./words.js");
    const save = button("Download", () => download(`${this.game.name}.game`, "text/plain", rules), { class: "small" });
    const edit = button("Change in the playground", () => this.edit(), { class: "small" });
    this.fill("rules", h("div", { class: "rules-tools" }, edit, save), h("pre", { class: "rules card" }, h("code", {}, colourRules(rules))));
  }

  /** Goes to the board with other moves. */
  walkTo(moves) {
    this.line.moves = [...moves];
    this.line.at = moves.length;
    this.play.steps = [];
    this.show("board");
  }

  /** Keeps the address up to date, so that it can be shared and reloaded. */
  async remember() {
    const before = location.hash;
    const link = await writeLink({ ...this.view, moves: this.line.made(), tab: this.tab, settings: toldSettings(this.play) });
    // Who went elsewhere meanwhile is not brought back.
    if (this.left || location.hash !== before || link === before) return;
    globalThis.history.replaceState(null, "", link);
    replace(this.problem);
  }

  async share(node) {
    await this.remember();
    const link = await writeLink({ ...this.view, moves: this.line.made(), tab: this.tab, settings: toldSettings(this.play, true) });
    const text = new URL(link, location.href).href;
    try {
      await navigator.clipboard.writeText(text);
      node.textContent = "Copied";
    } catch {
      globalThis.prompt("The link to this position:", text);
    }
    setTimeout(() => (node.textContent = "Copy link"), 1500);
  }

  fail(failure) {
    // A board that never was is not shown empty.
    this.play.node.hidden = this.play.position === undefined;
    replace(this.problem, failureBox(failure), this.line.at > 0 ? button("Back to the start", () => this.walkTo([]), { class: "small" }) : null);
  }

  /** A game too large for a quick answer can be solved as a job. */
  offerJob(position) {
    const why = reached(position.unsolved);
    return h("div", { class: "notice card" }, h("p", {}, "This game is too large for a quick answer. You can play it all the same."), why ? h("p", { class: "hint" }, why) : null, button("Solve it in the background", () => this.solve(), { class: "primary" }));
  }

  async solve() {
    const made = this.line.made();
    replace(this.play.extra);
    try {
      const position = await runShown(this.work, `Solving ${gameTitle(this.game.name)}`, "position", this.source.body(made));
      if (position === null) {
        this.play.show();
        return;
      }
      this.source.known.clear();
      this.source.keep(made, position);
      await this.play.refresh();
    } catch (failure) {
      this.fail(failure);
    }
  }

  leave() {
    this.left = true;
    this.play?.leave();
  }
}
