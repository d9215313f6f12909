// The server's answers. Small questions are answered at once; long ones are jobs that tell how far they are and can be cancelled.

import { exact } from "./numbers.js";

const BASE = "api/v1/";
const PAUSE = { first: 40, most: 400 };

/** What the server says where it has no answer. */
export class Failure extends Error {
  constructor(status, body) {
    const error = body?.error ?? {};
    super(error.message ?? `The server answered ${status}.`);
    this.status = status;
    this.error = error;
    this.body = body ?? {};
  }

  /** Whether more time or memory may help. */
  get isLimit() {
    return this.error.kind === "limit" || this.error.kind === "interrupted";
  }

  /** Everything that is said about it, as lines. */
  lines() {
    const found = this.error.diagnostics ?? [];
    const told = found.flatMap((one) => [...(one.message === this.message ? [] : [one.message]), ...(one.notes ?? []), one.help]);
    return [this.error.help, ...told].filter(Boolean);
  }
}

async function request(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(BASE + path, {
      method,
      signal,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Failure(0, { error: { message: "The server does not answer.", help: "Is `perfectplay serve` still running?" } });
  }
  const text = await answer.text();
  let read;
  try {
    read = JSON.parse(text, exact);
  } catch {
    // Not JSON: the number of the answer has to do.
  }
  if (!answer.ok) throw new Failure(answer.status, read);
  return read;
}

/** Fetches something that needs no question. */
export function get(path, signal) {
  return request("GET", path, undefined, signal);
}

/** Asks a small question. A server that is busy for a moment is asked again. */
export async function ask(path, question, signal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request("POST", path, question, signal);
    } catch (failure) {
      if (failure.status !== 503 || attempt >= 4) throw failure;
      await new Promise((done) => setTimeout(done, 200 * 2 ** attempt));
    }
  }
}

/** Looks after a job until it is settled. A server that is busy for a moment is asked again. */
async function settled(begun, path, told, signal) {
  let job = begun;
  let pause = PAUSE.first;
  while (job.state === "waiting" || job.state === "running") {
    told(job);
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(PAUSE.most, pause * 2);
    if (signal?.aborted) {
      await request("DELETE", path).catch(() => undefined);
      throw new DOMException("cancelled", "AbortError");
    }
    const before = job;
    job = await get(path).catch((failure) => {
      if (failure.status === 503) return before;
      throw failure;
    });
  }
  return job;
}

/** Runs a long question as a job. `told` hears of every step; aborting the signal cancels the job on the server too. */
export async function run(question, body, told, signal) {
  // Starting is never broken off: a job whose name is not known could not be cancelled.
  const begun = await request("POST", "jobs", { do: question, with: body });
  const path = `jobs/${begun.job}`;
  // Who closes the page does not want the answer.
  const drop = () => fetch(BASE + path, { method: "DELETE", keepalive: true }).catch(() => undefined);
  globalThis.addEventListener("pagehide", drop);
  let job;
  try {
    job = await settled(begun, path, told, signal);
  } finally {
    globalThis.removeEventListener("pagehide", drop);
  }
  told(job);
  if (job.state === "done") return job.answer;
  if (job.state === "cancelled") throw new DOMException("cancelled", "AbortError");
  throw new Failure(422, { error: job.error });
}
