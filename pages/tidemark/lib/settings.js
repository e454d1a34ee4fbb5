/** Changing a setting, with the way back to the value before. */
import { get, post } from "./api.js";
import { t } from "./host.js";
import { complain, toast } from "../parts/toasts.js";

/**
 * Put a value into force, say so, and offer the way back; "" says nothing. Whether it is in force.
 * @param {string} name
 * @param {boolean | number | string} value
 * @param {() => void} after run when it is done, and when it is taken back
 */
export async function setSetting(name, value, after, said) {
  try {
    const before = said ? (await get("settings")).settings.find((each) => each.name === name) : null;
    const done = await post("settings/change", { name, value });
    if (said) toast(said, before.declared.declaration.secret ? null : () => takeBack(before, after));
    if (done.answer) toast(t("settings.problem_missing", { command: done.answer }));
    after();
    return true;
  } catch (error) {
    complain(error, "config");
    return false;
  }
}

/** Give a setting back to the file. */
export async function resetSetting(setting, after) {
  try {
    await post("settings/reset", { name: setting.name });
    toast(t("settings.given_back"), setting.declared.declaration.secret ? null : () => takeBack(setting, after));
    after();
  } catch (error) {
    complain(error, "config");
  }
}

async function takeBack(before, after) {
  if (before.origin === "override") await post("settings/change", { name: before.name, value: before.value });
  else await post("settings/reset", { name: before.name });
  toast(t("done.undone"));
  after();
}
