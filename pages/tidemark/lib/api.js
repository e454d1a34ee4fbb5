/** The client of the plugin's resources. Shapes are those of types.js. */
import { computed, ref } from "./vue.js";
import { bridge, has, ownWord, t, word } from "./host.js";

const RELOADED = /未找到该路由|not found|^closed$/i;
const AGAIN_AFTER = 1200;
const unanswered = ref(0);

/** Whether an answer is being waited for. */
export const waiting = computed(() => unanswered.value > 0);

/** How often something was asked for that may take long. */
export const posted = ref(0);

/** What the plugin refused or could not do; `code` is `refused.…` with values as JSON behind a blank, `bad_request.…` or `closed`. */
export class ApiError extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** @returns {Promise<any>} */
export async function get(endpoint, params = {}) {
  const said = Object.entries(params).filter(([, value]) => !["", null, undefined, false].includes(value));
  try {
    return await asked(() => bridge.apiGet(endpoint, Object.fromEntries(said)));
  } catch (error) {
    // While the plugin is reloaded its resources are gone for a moment.
    if (!RELOADED.test(error.code)) throw error;
    await new Promise((done) => setTimeout(done, AGAIN_AFTER));
    return asked(() => bridge.apiGet(endpoint, Object.fromEntries(said)));
  }
}

/** @returns {Promise<any>} */
export function post(endpoint, body = {}) {
  posted.value += 1;
  return asked(() => bridge.apiPost(endpoint, body));
}

/** Send a file. @returns {Promise<any>} */
export function upload(endpoint, file) {
  posted.value += 1;
  return asked(() => bridge.upload(endpoint, file));
}

async function asked(request) {
  unanswered.value += 1;
  try {
    return await request();
  } catch (error) {
    throw new ApiError(String(error?.message ?? error));
  } finally {
    unanswered.value -= 1;
  }
}

/** A sentence for the person, of an error or a refusal's code; in a command's own words if it has some. */
export function sentence(error, command = "") {
  const code = error instanceof ApiError ? error.code : String(error?.message ?? error);
  const [family, name] = code.split(" ", 1)[0].split(".");
  if (family === "bad_request") return t("errors.bad_request", { name });
  if (has(`errors.${code}`)) return t(`errors.${code}`);
  if (family === "refused") {
    const told = code.includes(" ") ? JSON.parse(code.slice(code.indexOf(" "))) : {};
    return ownWord("refused_by", command, name, told) ?? word(family, name, told);
  }
  return RELOADED.test(code) ? t("errors.closed") : t("errors.other", { text: code });
}
