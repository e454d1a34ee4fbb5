/** Showing other people's private memories: asked for once, with a reason that is noted for them. */
import { reactive } from "./vue.js";
import { t } from "./host.js";
import { ask } from "../parts/dialog.js";

/** `reason` goes with every request while it is not empty; it is gone with the page. */
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
  return revealing.reason !== "";
}

/** Hide them again. */
export function hide() {
  revealing.reason = "";
}
