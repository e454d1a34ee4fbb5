/** Every setting in plain words: what it does, where its value comes from, and changing it. */
import { computed, onMounted, reactive, ref } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { formWords, host, t, word } from "../lib/host.js";
import { resetSetting, setSetting } from "../lib/settings.js";
import { moment } from "../lib/words.js";
import { PromptsCard } from "../parts/prompts_card.js";
import { SettingRow } from "../parts/setting_row.js";
import { complain, toast } from "../parts/toasts.js";

const PRESETS = ["quiet", "balanced", "eager", "listen"];

export const SettingsView = {
  components: { PromptsCard, SettingRow },
  setup() {
    const settings = ref(null);
    const preset = ref("");
    const offered = ref(false);
    const wanted = reactive({ text: "", every: false, changed: false });
    const open = reactive(new Set(["recall"]));
    const changes = computed(() => settings.value?.filter((each) => each.origin !== "default").length ?? 0);
    const shown = computed(() => (settings.value ?? []).filter(isShown));
    const groups = computed(() => {
      const found = new Map();
      for (const each of shown.value) {
        const [group] = each.name.split(".");
        const inner = each.name.slice(0, each.name.lastIndexOf("."));
        if (!found.has(group)) found.set(group, new Map());
        const parts = found.get(group);
        parts.set(inner, [...(parts.get(inner) ?? []), each]);
      }
      return [...found].map(([name, parts]) => ({ name, words: formWords(name), parts: [...parts], count: [...parts.values()].flat().length, changed: [...parts.values()].flat().filter((each) => each.origin !== "default").length }));
    });

    function isShown(setting) {
      const text = wanted.text.trim().toLowerCase();
      if (text) return told(setting).includes(text);
      if (wanted.changed) return setting.origin !== "default";
      return wanted.every || setting.declared.declaration.basic || setting.origin !== "default";
    }
    function told(setting) {
      const { title, hint, labels } = formWords(setting.name);
      const group = formWords(setting.name.split(".")[0]);
      return [setting.name, title, hint, group.title, ...labels].join(" ").toLowerCase();
    }
    async function load() {
      try {
        const told = await get("settings");
        settings.value = told.settings;
        preset.value = told.preset;
      } catch (error) {
        complain(error);
      }
    }
    async function change(setting, value) {
      await setSetting(setting.name, value, load, t("settings.changed", { name: formWords(setting.name).title }));
      await load();
    }
    async function choose(name) {
      const before = preset.value;
      try {
        await post("settings/preset", { name });
        toast(t("settings.changed", { name: word("preset", name) }), before ? () => choose(before) : null);
        await load();
      } catch (error) {
        complain(error, "config");
      }
    }
    const reset = (setting) => resetSetting(setting, load);
    const isOpen = (group) => Boolean(wanted.text.trim()) || wanted.changed || open.has(group.name);
    function toggled(group, event) {
      if (event.target.open) open.add(group.name);
      else open.delete(group.name);
    }
    const install = () => post("embedder/install").then(() => toast(t("jobs.begun")), complain);
    onMounted(async () => {
      load();
      const told = await get("health").catch(complain);
      offered.value = told?.embedder?.makes_do && told.embedder.local !== "ready";
    });
    return { settings, preset, choose, PRESETS, wanted, groups, changes, load, change, reset, isOpen, toggled, offered, install, formWords, host, moment, t, word };
  },
  template: `
    <header class="view-head"><div><h1>{{ t("settings.title") }}</h1><p>{{ t("settings.about") }}</p></div></header>
    <div v-if="!settings" class="loading"></div>
    <template v-else>
      <div class="presets" role="group" :aria-label="t('settings.preset')">
        <button v-for="name in PRESETS" :key="name" type="button" class="card preset" :aria-pressed="preset === name" @click="choose(name)"><strong>{{ word("preset", name) }}</strong><span class="small quiet">{{ word("preset_about", name) }}</span></button>
      </div>
      <form class="filters settings-filters" role="search" @submit.prevent>
        <input v-model="wanted.text" class="field" type="search" maxlength="120" :placeholder="t('settings.search')" :aria-label="t('settings.search')" />
        <label class="check"><input v-model="wanted.every" type="checkbox" :disabled="wanted.changed" />{{ t("settings.every", { n: settings.length }) }}</label>
        <label class="check"><input v-model="wanted.changed" type="checkbox" />{{ t("settings.only_changed", { n: changes }) }}</label>
      </form>
      <details v-for="group in groups" :key="group.name" class="card settings-group" :open="isOpen(group)" @toggle="toggled(group, $event)">
        <summary><h2>{{ group.words.title }}</h2><span class="quiet">{{ group.words.hint }}</span>
          <span v-if="group.changed" class="pill water">{{ t("settings.count_changed", { n: group.changed }) }}</span></summary>
        <p v-if="group.name === 'embedding' && offered" class="note"><span>{{ t("health.offer") }}</span>
          <button type="button" class="button" @click="install">{{ t("health.install") }}</button></p>
        <section v-for="[inner, own] in group.parts" :key="inner" :aria-label="formWords(inner).title">
          <template v-if="inner !== group.name"><h3>{{ formWords(inner).title }}</h3><p class="small quiet">{{ formWords(inner).hint }}</p></template>
          <SettingRow v-for="each in own" :key="each.name" :setting="each" @change="(value) => change(each, value)" @reset="reset(each)"></SettingRow>
        </section>
      </details>
      <p v-if="!groups.length" class="card quiet">{{ t("settings.none_found") }}</p>
      <PromptsCard v-show="!wanted.text.trim() && !wanted.changed"></PromptsCard>
    </template>`,
};
