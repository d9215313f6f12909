// Whole numbers of any size. JavaScript rounds those beyond 2^53, so the page keeps them as their digits: what is shown is exact, and
// what is sent back is a number again.

/** A reviver for `JSON.parse`: numbers that would be rounded become their digits. */
export function exact(_, value, context) {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source ? context.source : value;
}

function asNumber(value) {
  if (Array.isArray(value)) return value.map(asNumber);
  return typeof value === "string" && /^-?\d+$/.test(value) && JSON.rawJSON ? JSON.rawJSON(value) : value;
}

/** An instance as it is sent: digits become numbers where the parameter wants numbers. */
export function sendable(parameters, instance) {
  const wants = new Set(parameters.filter((one) => one.type.includes("int")).map((one) => one.name));
  return Object.fromEntries(Object.entries(instance).map(([name, value]) => [name, wants.has(name) ? asNumber(value) : value]));
}
