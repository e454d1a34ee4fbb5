/** What the model calls are told: each text read, changed, and given back to ours. */
import { computed, onMounted, reactive, ref } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { t, word } from "../lib/host.js";
import { revealing, withReason } from "../lib/revealing.js";
import { moment } from "../lib/words.js";
import { complain, toast } from "./toasts.js";

const LONGEST = 3900;

export const PromptsCard = {
  setup() {
    const prompts = ref(null);
    const written = reactive({});
    const tried = reactive({});
    const trying = ref(false);
    const changes = computed(() => prompts.value?.filter((each) => each.changed).length ?? 0);

    /** What a call is for, and in which language it asks. */
    function called(prompt) {
      const language = prompt.name.split(".")[1];
      const purpose = word("prompt", prompt.call);
      return language ? `${purpose} (${t(`prompts.language.${language}`)})` : purpose;
    }
    const why = (fault, words) => word("prompt_fault", fault, { words: words.join(", ") });
    function shown(found) {
      for (const each of found) written[each.name] = each.text;
    }
    async function load() {
      try {
        prompts.value = (await get("prompts")).prompts;
        shown(prompts.value);
      } catch (error) {
        complain(error);
      }
    }
    async function sent(endpoint, body, said) {
      try {
        const done = await post(endpoint, body);
        if (done.fault) return toast(t("prompts.refused", { why: why(done.fault, done.lacking) }));
        const changed = new Map(done.prompts.map((each) => [each.name, each]));
        const before = prompts.value.filter((each) => changed.has(each.name));
        prompts.value = prompts.value.map((each) => changed.get(each.name) ?? each);
        shown(done.prompts);
        toast(said, () => undo(before));
      } catch (error) {
        complain(error);
      }
    }
    /** What would be learnt with this text from the last conversation; nothing is kept. */
    async function tryOut(prompt) {
      trying.value = true;
      try {
        tried[prompt.name] = await withReason(() => post("prompts/try", { text: written[prompt.name], reveal: revealing.reason }));
      } catch (error) {
        complain(error);
      }
      trying.value = false;
    }
    async function undo(before) {
      for (const each of before) {
        if (each.changed) await post("prompts/change", { name: each.name, text: each.text });
        else await post("prompts/reset", { name: each.name });
      }
      toast(t("done.undone"));
      await load();
    }
    const save = (prompt) => sent("prompts/change", { name: prompt.name, text: written[prompt.name] }, t("prompts.saved", { name: called(prompt) }));
    const reset = (name) => sent("prompts/reset", { name }, t("prompts.back"));
    onMounted(load);
    return { prompts, written, tried, trying, changes, called, why, save, reset, tryOut, moment, t, LONGEST };
  },
  template: `
    <details v-if="prompts" class="card settings-group prompts">
      <summary><h2>{{ t("prompts.title") }}</h2><span class="quiet">{{ t("prompts.about") }}</span>
        <span v-if="changes" class="pill water">{{ t("settings.count_changed", { n: changes }) }}</span></summary>
      <section :aria-label="t('prompts.title')">
        <details v-for="each in prompts" :key="each.name" class="prompt">
          <summary><span>{{ called(each) }}</span><span class="small quiet">{{ t("prompts.tokens", { n: each.tokens }) }}</span>
            <span v-if="each.changed" class="pill water">{{ t("prompts.changed") }}</span></summary>
          <p v-if="each.changed" class="small quiet">{{ t("prompts.by", { name: each.by, at: moment(each.at) }) }}</p>
          <p v-if="each.fault" class="small"><span class="pill alarm">{{ t("prompts.unused", { why: why(each.fault, each.needed) }) }}</span></p>
          <p class="small quiet">{{ t("prompts.needed", { words: each.needed.join(", ") }) }}</p>
          <textarea v-model="written[each.name]" class="field" rows="12" :maxlength="LONGEST" :aria-label="t('prompts.text', { name: called(each) })"></textarea>
          <div v-if="tried[each.name]" class="looked" role="status">
            <p>{{ t("prompts.tried", { at: moment(tried[each.name].at) }) }}</p>
            <p v-if="tried[each.name].problem" class="quiet">{{ t("prompts.not_tried", { why: tried[each.name].problem }) }}</p>
            <p v-else-if="!tried[each.name].facts.length" class="quiet">{{ t("prompts.tried_none") }}</p>
            <ul v-else><li v-for="fact in tried[each.name].facts">{{ fact }}</li></ul>
          </div>
          <footer>
            <button v-if="each.call === 'learn'" type="button" class="button" :disabled="trying" @click="tryOut(each)">{{ t(trying ? "prompts.trying" : "prompts.try") }}</button>
            <button type="button" class="button" :disabled="!each.changed" @click="reset(each.name)">{{ t("prompts.ours") }}</button>
            <button type="button" class="button first" :disabled="written[each.name].trim() === each.text" @click="save(each)">{{ t("prompts.save") }}</button>
          </footer>
        </details>
        <footer v-if="changes > 1"><button type="button" class="button" @click="reset('all')">{{ t("prompts.all") }}</button></footer>
      </section>
    </details>`,
};
