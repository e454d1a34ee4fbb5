/** Short news at the bottom, with a way back where there is one. */
import { reactive } from "../lib/vue.js";
import { sentence } from "../lib/api.js";
import { t } from "../lib/host.js";

const SECONDS = 8;
const MOST = 3;
const shown = reactive([]);
let number = 0;

/** Say that something is done; `undo` takes it back. */
export function toast(text, undo = null) {
  number += 1;
  const id = number;
  shown.push({ id, text, undo });
  if (shown.length > MOST) shown.shift();
  setTimeout(() => leave(id), SECONDS * 1000);
}

/** Say why something is not done. */
export function complain(error, command = "") {
  toast(sentence(error, command));
}

function leave(id) {
  const at = shown.findIndex((each) => each.id === id);
  if (at >= 0) shown.splice(at, 1);
}

export const Toasts = {
  setup() {
    async function back(each) {
      leave(each.id);
      try {
        await each.undo();
      } catch (error) {
        complain(error);
      }
    }
    return { shown, back, t };
  },
  template: `
    <div class="toasts" role="status" aria-live="polite">
      <div v-for="each in shown" :key="each.id" class="toast">
        <span>{{ each.text }}</span>
        <button v-if="each.undo" type="button" @click="back(each)">{{ t("undo") }}</button>
      </div>
    </div>`,
};
