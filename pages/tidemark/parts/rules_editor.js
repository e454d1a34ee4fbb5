/** Rules of whom to record: a list of them, each with its name, and a row that adds one. */
import { computed, onMounted, reactive, ref } from "../lib/vue.js";
import { get } from "../lib/api.js";
import { t } from "../lib/host.js";
import { called } from "../lib/words.js";
import { complain } from "./toasts.js";

const KINDS = ["group", "person", "private", "platform", "persona"];

/** The settings that are such lists. */
export const RULES = ["capture.allow", "capture.deny"];

export const RulesEditor = {
  props: { value: { type: String, required: true }, id: { type: String, required: true } },
  emits: ["change"],
  setup(props, { emit }) {
    const owners = ref([]);
    const adding = reactive({ kind: "group", text: "" });
    const rules = computed(() => props.value.split(/[\s,，、;；]+/).filter(Boolean));
    const known = computed(() => {
      const kind = adding.kind === "group" ? "group" : ["person", "private"].includes(adding.kind) ? "private" : "";
      return owners.value.filter((each) => each.kind === kind);
    });
    const written = (owner) => `${owner.platform}/${owner.subject}`;
    /** What a rule names, by name where it is known. */
    function named(rule) {
      const at = rule.search(/[:：]/);
      const kind = rule.slice(0, at), what = rule.slice(at + 1);
      if (!KINDS.includes(kind)) return rule;
      const owner = owners.value.find((each) => [written(each), each.subject].includes(what) && (each.kind === "group") === (kind === "group"));
      const who = owner && !["platform", "persona"].includes(kind) ? called(owner) : what;
      return `${t(`rules.${kind}`)} ${who === "*" ? t("rules.all") : who}`;
    }
    function add() {
      const what = adding.text.trim().replace(/\s+/g, "");
      if (!what) return;
      adding.text = "";
      emit("change", [...rules.value, `${adding.kind}:${what}`].join(" "));
    }
    const remove = (rule) => emit("change", rules.value.filter((each) => each !== rule).join(" "));
    onMounted(async () => {
      try {
        owners.value = (await get("owners")).owners;
      } catch (error) {
        complain(error);
      }
    });
    return { adding, rules, known, written, named, add, remove, called, KINDS, t };
  },
  template: `
    <div class="rules">
      <ul v-if="rules.length" class="rule-list">
        <li v-for="rule in rules" :key="rule" class="pill">{{ named(rule) }}
          <button type="button" class="bare" :aria-label="t('rules.remove', { rule: named(rule) })" @click="remove(rule)">×</button></li>
      </ul>
      <form class="trial-row" @submit.prevent="add">
        <select v-model="adding.kind" class="field" :aria-label="t('rules.kind')"><option v-for="kind in KINDS" :value="kind">{{ t("rules." + kind) }}</option></select>
        <input :id="id" v-model="adding.text" class="field grow" maxlength="200" :list="id + '-known'" :placeholder="t('rules.which')" />
        <datalist :id="id + '-known'"><option v-for="each in known" :value="written(each)">{{ called(each) }}</option></datalist>
        <button type="submit" class="button" :disabled="!adding.text.trim()">{{ t("rules.add") }}</button>
      </form>
    </div>`,
};
