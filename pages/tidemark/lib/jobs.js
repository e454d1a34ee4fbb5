/** Long work: known while any is under way, told once when it is over. Shapes are those of types.js. */
import { computed, onBeforeUnmount, reactive, watch } from "./vue.js";
import { posted } from "./api.js";
import { bridge } from "./host.js";

const WATCHING = 1500;
const IDLE = 30000;
/** After something was asked for: short work is over by then and is never shown. */
const SOON = 700;

export const jobs = reactive({ list: [] });

/** Those under way. */
export const running = computed(() => jobs.list.filter((each) => each.state === "running"));

/** Whether what was asked for is still under way. */
export const isJob = (answer) => "state" in answer;

/** The newest of a kind, or undefined. */
export const ofKind = (kind) => jobs.list.find((each) => each.kind === kind);

const listeners = new Set();
let timer = 0;
let asking = null;
/** What the host calls the stream, while it streams. */
let stream = "";
let opening = false;

/** For the setup of a component: `told(job)` is called for each job that is over while it stands. */
export function whenOver(told) {
  listeners.add(told);
  onBeforeUnmount(() => listeners.delete(told));
}

/** Follow the jobs for as long as the page is open. */
export function follow() {
  watch(posted, () => next(SOON));
  look();
}

/** Ask now. Not one of the answers that the view waits for. */
export function look() {
  asking ??= ask().finally(() => {
    asking = null;
    next(running.value.length && !stream ? WATCHING : IDLE);
  });
  return asking;
}

async function ask() {
  try {
    take(await bridge.apiGet("jobs", {}));
  } catch {
    // The plugin is being reloaded, or closed: the view says so.
  }
}

/** Live while anything runs. Where too many listen, or the host cannot stream, we go on asking. */
async function listen() {
  if (stream || opening) return;
  opening = true;
  try {
    stream = await bridge.subscribeSSE("jobs/events", { onMessage: heard, onError: leave });
  } catch {
    stream = "";
  } finally {
    opening = false;
  }
}

function heard({ eventType, parsed }) {
  if (eventType === "end") leave();
  else if (parsed?.answer) take(parsed);
}

function leave() {
  const left = stream;
  stream = "";
  if (left) bridge.unsubscribeSSE(left).catch(() => {});
  next(running.value.length ? WATCHING : IDLE);
}

function take(told) {
  const before = new Map(running.value.map((each) => [each.id, each]));
  jobs.list = told.answer;
  for (const [id, was] of before) {
    const job = told.answer.find((each) => each.id === id) ?? { ...was, state: "done" };
    if (job.state === "running") continue;
    listeners.forEach((each) => each(job));
  }
  if (running.value.length) listen();
  else if (stream) leave();
}

function next(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(look, milliseconds);
}
