/** The host around the page: its language, its theme, and the phrases it hands on. */
import { reactive } from "./vue.js";

const PAGE = "tidemark";
const FALLBACK = "en-US";

/** @type {{locale: string, dark: boolean, phrases: Record<string, any>}} */
export const host = reactive({ locale: "zh-CN", dark: false, phrases: {} });

/** The bridge that the host puts into every page. */
export const bridge = /** @type {any} */ (window).AstrBotPluginPage;

/** Resolves once the host has said in which language and theme it is. */
export async function connect() {
  apply(await bridge.ready());
  bridge.onContext(apply);
}

function apply(context) {
  host.locale = context.locale?.startsWith("zh") ? "zh-CN" : FALLBACK;
  host.phrases = context.i18n ?? {};
  host.dark = Boolean(context.isDark);
  document.documentElement.lang = host.locale;
}

/** A phrase of the page, with its placeholders filled. The key itself if there is none. */
export function t(key, values = {}) {
  return fill(found(["pages", PAGE, ...key.split(".")]) ?? key, values);
}

/** A word that the chat commands use too, like "semantic" of the family "kind"; else the name. */
export function word(family, name, values = {}) {
  return fill(found(["messages", family, name]) ?? name, values);
}

/** A word that only one command has, undefined if there is none. */
export function ownWord(family, command, name, values = {}) {
  const own = found(["messages", family, command, name]);
  return own === undefined ? undefined : fill(own, values);
}

/** Whether the page has such a phrase. */
export function has(key) {
  return found(["pages", PAGE, ...key.split(".")]) !== undefined;
}

/** What the form says of a setting or a group: `title`, `hint`, and of a choice its `labels`. */
export function formWords(name) {
  for (const locale of [host.locale, FALLBACK]) {
    let told = host.phrases[locale]?.config;
    for (const part of name.split(".")) told = told?.[part];
    if (told?.description) return { title: told.description, hint: told.hint ?? "", labels: told.labels ?? [] };
  }
  return { title: name, hint: "", labels: [] };
}

/** The label of a choice of a setting by its place, "" without one. */
export function labelOf(name, index) {
  return formWords(name).labels[index] ?? "";
}

function found(path) {
  for (const locale of [host.locale, FALLBACK]) {
    let value = host.phrases[locale];
    for (const part of path) value = value?.[part];
    if (typeof value === "string") return value;
  }
  return undefined;
}

function fill(template, values) {
  return template.replace(/\{(\w+)(?::[^}]*)?\}/g, (_, name) => String(values[name] ?? ""));
}
