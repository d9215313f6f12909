// The words of the rules language, and the pieces of a line in their colours. The editor and the rules tab share both.
import { h } from "./dom.js";

/** Words that cannot be names. */
export const KEYWORDS = "and break continue else false fn for game if in let move mover not opponent or return state then true turn var when".split(" ");

/** Words that have a meaning at the beginning of an item or beside it. */
export const ITEMS =
  "again as by claim draw end estimate example first forever from gain gives grid lose measure objective payoffs players regions require sample score second show split starts stuck sum symmetry third where win winner".split(" ");

/** Types and domains. */
export const TYPES = "int bool text set of".split(" ");

/** Functions that are built in. */
export const FUNCTIONS = "abs all any bit_and bit_or count divisors gcd isqrt len max min popcount pow reverse shl shr sign sort sum xor".split(" ");

const KIND = new Map([
  ...FUNCTIONS.map((word) => [word, "function"]),
  ...ITEMS.map((word) => [word, "item"]),
  ...TYPES.map((word) => [word, "type"]),
  ...KEYWORDS.map((word) => [word, "keyword"]),
]);

const PIECE = /(\/\/\/.*)|(\/\/.*)|("(?:[^"\\\n]|\\.)*"?)|('(?:[^'\\\n]|\\.)')|(\d+)|([A-Za-z_]\w*)|(=>|->|\.\.=?|[-+*/%=!<>]=?)/y;
const GROUPS = ["doc", "comment", "string", "string", "number", "word", "operator"];

/** The piece of a line at a place: its end and what it is (`doc`, `comment`, `string`, `number`, `keyword`, …, or null). */
export function pieceAt(text, from) {
  PIECE.lastIndex = from;
  const found = PIECE.exec(text);
  if (found === null) return { end: from + 1, kind: null };
  const group = GROUPS[found.slice(1).findIndex((part) => part !== undefined)];
  return { end: PIECE.lastIndex, kind: group === "word" ? (KIND.get(found[0]) ?? null) : group };
}

/** Rules in colours, as nodes. */
export function colourRules(text) {
  return text.split("\n").map((line) => {
    const pieces = [];
    for (let at = 0; at < line.length; ) {
      const { end, kind } = pieceAt(line, at);
      const part = line.slice(at, end);
      pieces.push(kind === null ? part : h("span", { class: `c-${kind}` }, part));
      at = end;
    }
    return h("span", { class: "code-line" }, pieces, "\n");
  });
}
