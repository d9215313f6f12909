// The gallery: every game with its picture, what it is, and instances one click away.
import { h, prose, replace } from "./dom.js";
import { get } from "./api.js";
import { drawScene } from "./scene.js";
import { writeLink } from "./link.js";
import { firstSentence, gameTitle, kindWords } from "./names.js";
import { failureBox } from "./job.js";

let games;

/** The games, fetched once. */
export function allGames() {
  games ??= get("games").then((answer) => answer.games);
  games.catch(() => (games = undefined));
  return games;
}

async function link(game, instance, text, properties) {
  return h("a", { ...properties, href: await writeLink({ page: "game", name: game.name, instance }) }, text);
}

async function card(game) {
  const title = await link(game, {}, gameTitle(game.name), { class: "cover" });
  const others = game.instances.slice(1, 4);
  const samples = await Promise.all(others.map((one) => link(game, one.instance, one.words, { class: "sample", title: `${gameTitle(game.name)}: ${one.words}` })));
  const picture = h("div", { class: "thumb", "aria-hidden": "true" }, drawScene(game.scene, { bare: true }).node);
  return h(
    "article",
    { class: "game-card", "data-name": game.name },
    picture,
    h("div", { class: "card-text" }, h("h2", {}, title), h("p", { class: "kind" }, kindWords(game.kind, game.players)), h("p", { class: "about" }, prose(firstSentence(game.about)))),
    samples.length > 0 ? h("div", { class: "samples" }, samples) : null,
  );
}

async function tableList() {
  const { tables } = await get("tables").catch(() => ({ tables: [] }));
  if (tables.length === 0) return null;
  const row = async (table) =>
    h("li", {}, h("a", { href: await writeLink({ page: "table", name: table.name }) }, table.name), ` ${gameTitle(table.game)}, ${table.positions.toLocaleString("en")} positions`);
  return h("section", { class: "card tables" }, h("h2", {}, "Table files"), h("ul", {}, await Promise.all(tables.map(row))));
}

/** Shows the gallery in `host`. */
export async function showGallery(host) {
  let all;
  try {
    all = await allGames();
  } catch (failure) {
    replace(host, failureBox(failure));
    return;
  }
  const cards = await Promise.all(all.map(card));
  const texts = all.map((game) => `${game.name} ${gameTitle(game.name)} ${game.about}`.toLowerCase());
  const count = h("p", { class: "hint", role: "status" });
  const filter = (wanted) => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    cards.forEach((node, index) => {
      node.hidden = !words.every((word) => texts[index].includes(word));
      shown += node.hidden ? 0 : 1;
    });
    count.textContent = shown === all.length ? `${shown} games` : `${shown} of ${all.length} games`;
  };
  const search = h("input", { type: "search", id: "search", placeholder: "Search: nim, row, graph …", "aria-label": "Search the games", oninput: (event) => filter(event.target.value) });
  filter("");
  replace(
    host,
    h("div", { class: "intro" }, h("h1", {}, "Who wins, and how?"), h("p", {}, "Choose a game: see the exact value of every move, and play against perfect play.")),
    await tableList(),
    h("div", { class: "search-row" }, search, count),
    h("div", { class: "gallery" }, cards),
  );
}
