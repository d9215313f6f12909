// How a person plays: against whom, on which side, with which hints. The browser remembers it; an address that tells it wins.
import { LEVELS } from "./opponent.js";
import { recall } from "./store.js";

/** The steps of hints: name, text, title. */
export const HINTS = [
  ["hidden", "Hidden", "no values: think for yourself"],
  ["best", "Best move", "only the best moves are marked"],
  ["all", "All values", "every move with its value"],
];

/** The names of the players who can be chosen. */
export const SIDES = ["first", "second", "third"];

const names = (options) => options.map(([name]) => name);
const oneOf = (known, ...wanted) => wanted.find((name) => known.includes(name));

/** So many moves to one slip, as a number that makes sense. */
export function slipOf(value) {
  return Math.max(2, Math.min(50, Math.round(Number(value)) || 4));
}

/** The settings to begin with. What is not known is left out. */
export function startSettings(given = {}) {
  return {
    level: oneOf(names(LEVELS), given.level, recall("opponent", "people"), "people"),
    side: oneOf(SIDES, given.side, "first"),
    slip: slipOf(given.slip ?? recall("slip", 4)),
    hints: oneOf(names(HINTS), given.hints, recall("hints", "all"), "all"),
  };
}

/** The settings that an address has to tell. A link for others tells opponent and hints in any case. */
export function toldSettings({ level, side, slip, hints }, forOthers = false) {
  const told = {};
  if (forOthers || level !== "people" || recall("opponent", "people") !== "people") told.level = level;
  if (level !== "people" && side !== "first") told.side = side;
  if (level === "slips") told.slip = slip;
  if (forOthers || hints !== "all" || recall("hints", "all") !== "all") told.hints = hints;
  return told;
}
