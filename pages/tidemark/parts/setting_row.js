/** One setting: its words, where its value comes from, and what changes it. */
import { computed, ref, watch } from "../lib/vue.js";
import { formWords, host, labelOf, t, word } from "../lib/host.js";
import { moment } from "../lib/words.js";
import { RULES, RulesEditor } from "./rules_editor.js";

const NUMBERS = ["whole", "number"];

export const SettingRow = {
  components: { RulesEditor },
  props: { setting: { type: Object, required: true } },
  emits: ["change", "reset"],
  setup(props, { emit }) {
    const words = computed(() => formWords(props.setting.name));
    const written = ref("");
    watch(() => props.setting, (setting) => {
      written.value = setting.declared.declaration.secret ? "" : setting.value;
    }, { immediate: true });
    const id = computed(() => `set-${props.setting.name}`);
    const wanted = computed(() => props.setting.declared.wanted);
    const secret = computed(() => props.setting.declared.declaration.secret);
    const step = computed(() => props.setting.declared.declaration.step ?? (wanted.value.kind === "whole" ? 1 : "any"));
    const isNumber = computed(() => NUMBERS.includes(wanted.value.kind));
    const label = (choice) => words.value.labels[wanted.value.choices.indexOf(choice)] || choice;
    const needed = computed(() => {
      const [needs, value] = props.setting.declared.when;
      return t("settings.idle", { name: formWords(needs).title, value: value === true ? t("settings.on") : value === false ? t("settings.off") : value });
    });
    const changed = computed(() => t("settings.changed_by", { name: props.setting.by, at: moment(props.setting.at) }));

    function shown(value) {
      const { kind } = wanted.value;
      if (secret.value) return t(value ? "settings.secret_set" : "settings.empty");
      if (kind === "switch") return t(value ? "settings.on" : "settings.off");
      if (kind === "choice") return label(value);
      if (isNumber.value) return value.toLocaleString(host.locale, { maximumFractionDigits: 6 });
      return value === "" ? t("settings.empty") : value;
    }
    function commit() {
      const value = isNumber.value ? Number(written.value) : written.value;
      if (isNumber.value && (written.value === "" || Number.isNaN(value))) written.value = props.setting.value;
      else if (value !== props.setting.value) emit("change", value);
    }
    return { words, written, id, wanted, secret, step, isNumber, label, needed, changed, shown, commit, labelOf, RULES, t, word };
  },
  template: `
    <div class="setting" :class="{ idle: setting.idle }">
      <div class="setting-words">
        <label :for="id">{{ words.title }}</label>
        <p v-if="words.hint" class="small quiet" :id="id + '-hint'">{{ words.hint }}</p>
        <p v-if="setting.idle" class="small quiet"><span class="pill">{{ needed }}</span></p>
        <p v-if="setting.problem" class="small"><span class="pill alarm">{{ t("settings.unused", { value: setting.problem }) }}</span></p>
        <p v-if="setting.origin !== 'default'" class="small quiet setting-origin">
          <span class="pill water">{{ word("origin", setting.origin) }}</span>
          <span v-if="setting.by">{{ changed }}</span>
          <span>{{ t("settings.default", { value: shown(setting.declared.default) }) }}</span>
          <button v-if="setting.origin === 'override'" type="button" class="button bare" @click="$emit('reset')">{{ t("settings.give_back", { value: shown(setting.file) }) }}</button>
        </p>
      </div>
      <div class="setting-value">
        <template v-if="!setting.declared.changeable"><span class="numbers">{{ shown(setting.value) }}</span><span class="small quiet">{{ t("settings.fixed") }}</span></template>
        <input v-else-if="wanted.kind === 'switch'" :id="id" type="checkbox" class="switch" role="switch" :checked="setting.value" :aria-describedby="id + '-hint'" @change="$emit('change', $event.target.checked)" />
        <select v-else-if="wanted.kind === 'choice'" :id="id" class="field" :value="setting.value" @change="$emit('change', $event.target.value)">
          <option v-for="choice in wanted.choices" :value="choice">{{ label(choice) }}</option></select>
        <input v-else-if="isNumber" :id="id" v-model="written" class="field numbers" type="number" :min="wanted.low" :max="wanted.high" :step="step" @change="commit" />
        <RulesEditor v-else-if="RULES.includes(setting.name)" :id="id" :value="setting.value" @change="(value) => $emit('change', value)"></RulesEditor>
        <input v-else :id="id" v-model="written" class="field" :type="secret ? 'password' : 'text'" maxlength="2000" autocomplete="off" :placeholder="secret ? shown(setting.value) : ''" @change="commit" />
      </div>
    </div>`,
};
