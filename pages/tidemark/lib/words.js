/** What people read in the place of numbers: days, names, what becomes of a memory. */
import { host, t, word } from "./host.js";

const DAY = 86400;
const SOON = 7 * DAY;
const CLAUSES = 2;

/** "today", "yesterday", "3 days ago", else the date. Unix seconds. */
export function when(at, now) {
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0) return t("time.today");
  if (days === 1) return t("time.yesterday");
  if (days > 1 && days < 30) return t("time.days_ago", { n: days });
  return date(at);
}

/** The day, without the year if it is this one. */
export function date(at) {
  const then = new Date(at * 1000);
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { month: "short", day: "numeric" };
  if (then.getFullYear() !== new Date().getFullYear()) options.year = "numeric";
  return new Intl.DateTimeFormat(host.locale, options).format(then);
}

/** Day and minute. */
export function moment(at) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(host.locale, options).format(new Date(at * 1000));
}

/** What becomes of a memory: a sentence and how urgent it is ("alarm", "water", "shore", ""). */
export function future(memory, now) {
  const { status, purge_at } = memory.standing;
  if (status === "binned") {
    const left = purge_at === null ? null : days(purge_at - now);
    return { text: left === null ? t("future.binned") : t("future.purged_in", { n: left }), tone: "" };
  }
  if (status === "quarantined") return { text: t("future.quarantined"), tone: "alarm" };
  if (status === "archived") return { text: t("future.archived"), tone: "" };
  if (memory.successor) return { text: t(`future.${memory.successor.how}`), tone: "" };
  if (kept(memory)) return { text: t("future.kept"), tone: "shore" };
  if (memory.sinks_at === null) return { text: t("future.stays"), tone: "" };
  const left = memory.sinks_at - now;
  if (left <= 0) return { text: t("future.sinks_now"), tone: "alarm" };
  const tone = left < SOON ? "alarm" : "water";
  if (left < DAY) return { text: t("future.sinks_today"), tone };
  if (left > 548 * DAY) return { text: t("future.sinks_years", { n: Math.round(left / (365 * DAY)) }), tone };
  if (left > 60 * DAY) return { text: t("future.sinks_months", { n: Math.round(left / (30.4 * DAY)) }), tone };
  return { text: t("future.sinks_days", { n: days(left) }), tone };
}

/** Why a memory was moved: what a reason begins with, in words. */
export function because(reason) {
  const [cause, policy] = reason.split(" ");
  return word("reason", cause, { policy });
}

/** What an owner is called; never a raw id alone. */
export function called(owner) {
  if (owner.name) return owner.name;
  return t(owner.kind === "group" ? "names.group" : "names.person", { id: owner.subject });
}

/** A recall in one plain sentence, as `/memory why` begins: how many came up, what for, how many did not. */
export function gist(recall) {
  const count = recall.shown.length + recall.hidden;
  const { silence } = recall.trace;
  const joined = (parts) => parts.join(word("why", "and"));
  const because = joined(recall.because.map((each) => word("because", each)));
  const beside = joined(recall.left_out.slice(0, CLAUSES).map(({ count, reason }) => word("why", "each", { count, reason: word("drop", reason) })));
  if (!count) return word("why", "silent", { reason: silence || !beside ? word("silence", silence ?? "nothing_found") : beside });
  return [word("why", "brought", { count }), because && word("why", "because", { because }), beside && word("why", "beside", { beside })].join("");
}

/** A story without the marks that lead to its memories, which are listed beside it. */
export function unmarked(text) {
  return text.replace(/ \[\d+\]/g, "");
}

/** Whether people keep it for good. */
export function kept(memory) {
  return memory.feedback.important === true || memory.vitality.pinned;
}

/** How full the glass of a memory is, 0..1. */
export function level(memory) {
  return Math.max(0.08, Math.min(1, memory.vitality.strength / 12));
}

function days(seconds) {
  return Math.max(1, Math.round(seconds / DAY));
}

function midnight(at) {
  const day = new Date(at * 1000);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime() / 1000;
}
