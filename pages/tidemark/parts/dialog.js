/** Questions of our own: the host's frame has no alert, confirm or prompt. */
import { nextTick, reactive, ref } from "../lib/vue.js";
import { t } from "../lib/host.js";

const asked = reactive({ open: false, title: "", text: "", yes: "", grave: false, input: null, choice: null, value: "", chosen: "" });
let answer = null;

/**
 * Ask and wait. `input` is {label, value, rows, needed} for a text, `choice` {label, value, choices: [{value, label}]} for one of
 * several; null otherwise.
 * @returns {Promise<any>} the text or true, with a choice {text, choice}; false for no.
 */
export function ask({ title, text = "", yes = "", grave = false, input = null, choice = null }) {
  Object.assign(asked, { open: true, title, text, yes: yes || t("yes"), grave, input, choice });
  asked.value = input?.value ?? "";
  asked.chosen = choice?.value || choice?.choices[0].value;
  return new Promise((resolve) => {
    answer = resolve;
  });
}

export const AskDialog = {
  setup() {
    const box = ref(null);
    function close(given) {
      box.value?.close();
      asked.open = false;
      answer?.(given);
      answer = null;
    }
    function yes() {
      if (asked.choice) close({ text: asked.value, choice: asked.chosen });
      else close(asked.input ? asked.value : true);
    }
    async function opened(element) {
      box.value = element;
      if (element && !element.open) {
        await nextTick();
        element.showModal();
        element.querySelector("textarea, .field")?.focus();
      }
    }
    return { asked, close, yes, opened, t };
  },
  template: `
    <dialog v-if="asked.open" :ref="opened" class="ask" aria-labelledby="ask-title" @cancel.prevent="close(false)">
      <form @submit.prevent="yes">
        <h2 id="ask-title">{{ asked.title }}</h2>
        <p v-if="asked.text">{{ asked.text }}</p>
        <label v-if="asked.choice"><span class="small quiet">{{ asked.choice.label }}</span>
          <select v-model="asked.chosen" class="field"><option v-for="each in asked.choice.choices" :value="each.value">{{ each.label }}</option></select></label>
        <label v-if="asked.input">
          <span class="unseen">{{ asked.input.label }}</span>
          <textarea v-if="asked.input.rows" v-model="asked.value" class="field" :rows="asked.input.rows"></textarea>
          <input v-else v-model="asked.value" class="field" :placeholder="asked.input.label" maxlength="180" />
        </label>
        <footer>
          <button type="button" class="button" @click="close(false)">{{ t("no") }}</button>
          <button type="submit" class="button" :class="asked.grave ? 'grave' : 'first'"
            :disabled="asked.input?.needed && !asked.value.trim()">{{ asked.yes }}</button>
        </footer>
      </form>
    </dialog>`,
};
