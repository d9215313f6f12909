// A job on the page: what it does, how far it is, and a button that cancels it.
import { h, button, bytes, duration, prose, replace } from "./dom.js";
import { run } from "./api.js";
import { plain } from "./plain.js";

function words(job) {
  if (job.state === "waiting") return job.ahead ? `waiting; ${job.ahead} before it` : "waiting";
  const progress = job.progress;
  if (!progress) return "starting";
  const facts = [
    progress.phase,
    progress.positions > 0 ? `${progress.positions.toLocaleString("en")} positions` : "",
    progress.bytes > 0 ? bytes(progress.bytes) : "",
    duration(progress.seconds),
    progress.seconds_left !== undefined ? `about ${duration(progress.seconds_left)} left` : "",
  ];
  return facts.filter(Boolean).join(" · ");
}

/** The jobs that are shown just now. */
const shown = new Set();

/** Cancels all jobs that are shown, when the page shows something else. */
export function cancelShown() {
  for (const stop of shown) stop.abort();
}

/** Runs a job and shows it in `host` meanwhile. The answer is null where it was cancelled. */
export async function runShown(host, title, question, body) {
  const stop = new AbortController();
  shown.add(stop);
  const bar = h("progress", { max: "1", "aria-label": title });
  const line = h("p", { class: "hint", role: "status" }, "starting");
  const cancel = button("Cancel", () => {
    cancel.disabled = true;
    line.textContent = "cancelling";
    stop.abort();
  }, { class: "cancel" });
  replace(host, h("div", { class: "job card" }, h("div", { class: "job-head" }, h("strong", {}, title), cancel), bar, line));
  const told = (job) => {
    if (stop.signal.aborted) return;
    line.textContent = words(job);
    if (job.progress?.share !== undefined) bar.value = job.progress.share;
    else bar.removeAttribute("value");
  };
  try {
    return await run(question, body, told, stop.signal);
  } catch (problem) {
    if (problem.name !== "AbortError") throw problem;
    return null;
  } finally {
    shown.delete(stop);
    replace(host);
  }
}

/** What went wrong, as a box. */
export function failureBox(failure) {
  const { heading, lines, details } = plain(failure);
  const paragraph = (line) => h("p", {}, prose(line));
  const more = details.length > 0 ? h("details", { class: "hint" }, h("summary", {}, "Details"), details.map(paragraph)) : null;
  return h("div", { class: "failure card", role: "alert" }, h("strong", {}, prose(heading)), lines.map(paragraph), more);
}
