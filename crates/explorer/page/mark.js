// How a value looks: a colour and a sign for each of the nine marks that the server gives. The signs differ even in one colour, and
// the colours are those of Okabe and Ito, which the colour-blind can tell apart.

/** The sign, the word and whether the mark is good, bad or neither, by the name of the mark. */
const MARKS = {
  win: { sign: "W", word: "wins" },
  lose: { sign: "L", word: "loses" },
  draw: { sign: "D", word: "draws" },
  endless: { sign: "∞", word: "draws without end" },
  ahead: { sign: "▲", word: "comes out ahead" },
  behind: { sign: "▼", word: "comes out behind" },
  equal: { sign: "=", word: "equal scores" },
  payoffs: { sign: "◆", word: "totals" },
  unknown: { sign: "?", word: "not known" },
};

/** All marks by name, for the legend. */
export const MARK_NAMES = Object.keys(MARKS);

/** The sign of a mark: a letter or symbol that no other mark has. */
export function markSign(mark) {
  return (MARKS[mark] ?? MARKS.unknown).sign;
}

const OTHER = { win: "lose", lose: "win", ahead: "behind", behind: "ahead" };

/** What a mark for one of two players is for the other one. */
export function otherMark(mark) {
  return OTHER[mark] ?? mark;
}

/** A mark for one player, told for another. Of more than two players what is won by one says nothing of another. */
export function markFor(mark, whose, player, players) {
  if (whose === player || OTHER[mark] === undefined) return mark;
  return players > 2 ? "unknown" : otherMark(mark);
}

/** A mark in a word or two. */
export function markWord(mark) {
  return (MARKS[mark] ?? MARKS.unknown).word;
}

/** The exact value of a move in a few signs: what it keeps, and how far the end is. */
export function worth(move) {
  const length = move.remoteness === undefined ? "" : String(move.remoteness);
  switch (move.mark) {
    case "ahead":
    case "behind":
    case "equal":
      return String(move.value).replace("-", "−").replace(/^(?=[1-9])/, "+");
    case "payoffs":
      return (move.payoffs ?? []).join(" · ");
    case "unknown":
      return "";
    default:
      return length;
  }
}

/** A value of a partizan game, or the nimber, beside what is won: `→ *3`, `{2|0}`. */
export function algebra(thing) {
  // In a counted game the value is the score, which is told already.
  const mark = thing.mark ?? thing.verdict?.mark;
  if (mark === "ahead" || mark === "behind" || mark === "equal") return "";
  if (thing.loopy !== undefined) return thing.loopy;
  if (thing.nimber !== undefined) return `*${thing.nimber}`;
  return typeof thing.value === "string" ? thing.value : "";
}
