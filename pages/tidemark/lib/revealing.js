/** Showing other people's private memories: asked for once, with a reason that is noted for them. */
import { reactive } from "./vue.js";
import { ApiError, post } from "./api.js";
import { bridge, t } from "./host.js";
import { ask } from "../parts/dialog.js";

const LOOK = 1_800_000;
let ending = 0;

/** `reason` goes with every request while it is not empty: for half an hour, or until the page is left. */
export const revealing = reactive({ reason: "" });

/** Ask for the reason; true if private memories are shown from now on. */
export async function reveal() {
  const given = await ask({
    title: t("reveal.title"),
    text: t("reveal.text"),
    yes: t("reveal.yes"),
    input: { label: t("reveal.reason"), needed: true },
  });
  revealing.reason = typeof given === "string" ? given.trim() : "";
  clearTimeout(ending);
  ending = setTimeout(hide, LOOK);
  return revealing.reason !== "";
}

/** Do it; where only a reason is missing, ask for one and do it again. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
export async function withReason(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "refused.reason_needed" && (await reveal()))) throw error;
    return work();
  }
}

/** Send a backup or an export to the browser, which keeps it under this name. */
export async function fetchFile(name, as = name) {
  const { answer: code } = await withReason(() => post("downloads/offer", { name, reveal: revealing.reason }));
  await bridge.download(`downloads/${code}`, { name }, as);
}

/** Hide them again. */
export function hide() {
  revealing.reason = "";
}
