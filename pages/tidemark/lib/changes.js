/** What is done to memories, each with its way back. */
import { post, sentence } from "./api.js";
import { t } from "./host.js";
import { ask } from "../parts/dialog.js";
import { complain, toast } from "../parts/toasts.js";

const BACK = { forget: "restore", restore: "forget", accept: "forget" };

/** What only the memory as it was said could bring back. */
const FINAL = ["drop"];

/**
 * Do it to these memories, say so, and offer the way back.
 * @param {"forget" | "restore" | "important" | "pin" | "accept" | "drop"} what
 * @param {string[]} ids
 * @param {() => void} after run when it is done, and when it is taken back
 */
export async function change(what, ids, after, on = true) {
  try {
    const { done, refused } = await post(`memories/${what}`, { ids, on });
    if (done.length) {
      const key = on ? what : `${what}_off`;
      toast(t(`done.${key}`, { n: done.length }), FINAL.includes(what) ? null : () => takeBack(what, done, on, after));
    }
    for (const reason of new Set(Object.values(refused))) toast(sentence(`refused.${reason}`));
    after();
    return done.length > 0;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Give these memories tags, or take some away; true if it was done. */
export async function tag(ids, after) {
  const given = await ask({ title: t("edit.tag_title", { n: ids.length }), text: t("edit.tag_text"), yes: t("act.tag"), input: { label: t("edit.tag_example"), needed: true } });
  if (typeof given !== "string") return false;
  const words = given.split(/\s+/).map((each) => each.replace(/^#/, "")).filter(Boolean);
  const [added, removed] = [words.filter((each) => !each.startsWith("-")), words.filter((each) => each.startsWith("-")).map((each) => each.slice(1))].map((each) => each.join(" "));
  try {
    const { done, refused } = await post("memories/tag", { ids, added, removed });
    if (done.length) toast(t("done.tag", { n: done.length }), async () => {
      await post("memories/tag", { ids: done, added: removed, removed: added });
      after();
    });
    for (const reason of new Set(Object.values(refused))) toast(sentence(`refused.${reason}`, "tag"));
    after();
    return true;
  } catch (error) {
    complain(error, "tag");
    return false;
  }
}

async function takeBack(what, ids, on, after) {
  if (BACK[what]) await post(`memories/${BACK[what]}`, { ids });
  else await post(`memories/${what}`, { ids, on: !on });
  toast(t("done.undone"));
  after();
}
