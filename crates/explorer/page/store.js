// What the browser keeps between visits. A browser may refuse to keep anything (private windows, files): then nothing is kept, and
// nothing breaks.

const PREFIX = "perfectplay.";

/** Keeps a value under a name. */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Nothing is kept.
  }
}

/** What was kept under a name, or `otherwise`. */
export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}
