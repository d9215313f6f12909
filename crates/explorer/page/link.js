// Links: everything that restores a view is in the fragment of the address, which never leaves the browser. Own rules go in packed.
//
//   #/                         the gallery
//   #/game/coins?i={…}&m=left;right
//   #/own?r=PACKED&i={…}&m=…   rules that a person wrote
//   #/table/NAME?m=…
//   …&o=perfect&s=second&n=4&h=best   the opponent, the person's side, one slip in so many moves, the hints
//   #/playground               #/playground/coins

const SETTINGS = { o: "level", s: "side", n: "slip", h: "hints" };

async function through(bytes, stream) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** Packs a text into letters that an address may have. */
export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text that was packed. */
export async function unpack(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

/** The fragment of a view. */
export async function writeLink({ page, name, rules, instance, moves = [], tab, settings = {} }) {
  const parts = [];
  if (rules !== undefined) parts.push(`r=${await pack(rules)}`);
  if (instance && Object.keys(instance).length > 0) parts.push(`i=${encodeURIComponent(JSON.stringify(instance))}`);
  if (moves.length > 0) parts.push(`m=${encodeURIComponent(moves.join(";"))}`);
  if (tab && tab !== "board") parts.push(`t=${tab}`);
  for (const [key, name] of Object.entries(SETTINGS)) if (settings[name] !== undefined) parts.push(`${key}=${settings[name]}`);
  const path = ["#", page, name].filter((part) => part !== undefined && part !== "").join("/");
  return (path === "#" ? "#/" : path) + (parts.length > 0 ? `?${parts.join("&")}` : "");
}

/** What a fragment says. A broken part is left out. */
export async function readLink(fragment) {
  const [path, query = ""] = fragment.replace(/^#\/?/, "").split("?");
  const [page = "", name] = path.split("/").map(decodeURIComponent);
  const given = new Map(query.split("&").map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
  const view = { page, name, moves: [], tab: given.get("t") ?? "board" };
  const broken = [];
  const take = async (key, read) => {
    if (!given.has(key)) return undefined;
    try {
      return await read(given.get(key));
    } catch {
      broken.push(key);
      return undefined;
    }
  };
  view.rules = await take("r", unpack);
  view.instance = (await take("i", (text) => JSON.parse(decodeURIComponent(text)))) ?? {};
  view.moves = (await take("m", (text) => decodeURIComponent(text).split(";").filter(Boolean))) ?? [];
  // A line of moves is seen as it was shared, whatever this browser remembers.
  view.settings = view.moves.length > 0 ? { level: "people", hints: "all" } : {};
  for (const [key, name] of Object.entries(SETTINGS)) if (given.has(key)) view.settings[name] = given.get(key);
  view.broken = broken;
  return view;
}
