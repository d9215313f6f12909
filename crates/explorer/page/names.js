// Names as people read them.

/** `cat_and_mouse` as a title. */
export function gameTitle(name) {
  return name
    .split("_")
    .filter(Boolean)
    .map((word) => (["and", "of", "the"].includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
}

/** The first sentence of a description. */
export function firstSentence(about) {
  const found = /^.*?[.!?](?=\s|$)/s.exec(about);
  return found ? found[0] : about;
}

/** How a game is won, in a word or two. */
export function kindWords(kind, players) {
  const how = { outcome: "won or lost", score: "most points", payoffs: "own total" }[kind] ?? kind;
  return players > 2 ? `${players} players, ${how}` : how;
}

/** So many of something: `1 move`, `1,000 moves`. */
export function counted(count, noun) {
  return `${Number(count).toLocaleString("en")} ${noun}${Number(count) === 1 ? "" : "s"}`;
}
