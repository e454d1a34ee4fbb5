/** Showing other people's private memories: asked for once, with a reason that is noted for them. */
import { reactive } from "./vue.js";
import { t } from "./host.js";
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

/** Hide them again. */
export function hide() {
  revealing.reason = "";
}
