// What the server refuses, in words for people. Its own words, which name parts of the interface, are kept as the details.

const LIMITS = {
  time: "This takes longer than a quick answer may.",
  memory: "This needs more memory than the server may use.",
};

/** A text whose long numbers have separators; names of moves and code keep theirs. */
export function separated(text) {
  return String(text)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/(?<![\w(.[,])\d{5,}(?![\w)\].])/g, (digits) => BigInt(digits).toLocaleString("en"))))
    .join("`");
}

/** How far the work came, if that is known. */
export function reached({ positions } = {}) {
  return positions > 0 ? `It was stopped after ${positions.toLocaleString("en")} positions.` : "";
}

/** An error as a heading, lines below it, and details for those who want them. */
export function plain(failure) {
  const error = failure.error ?? {};
  const lines = (failure.lines?.() ?? []).map(separated);
  const message = separated(failure.message);
  const limit = error.kind === "limit" ? LIMITS[error.limit] : undefined;
  if (limit) return { heading: limit, lines: [reached(error)].filter(Boolean), details: [message, ...lines] };
  const refused = /^move (\d+) is not legal/.exec(failure.message);
  if (refused) return { heading: `Move ${refused[1]} cannot be made: the rules do not allow it there.`, lines: [], details: [message, ...lines] };
  return { heading: message, lines, details: [] };
}
