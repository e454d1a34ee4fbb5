/** Ctrl+K: go to a person, a memory or a view by its name. */
import { computed, nextTick, onBeforeUnmount, onMounted, ref, watch } from "../lib/vue.js";
import { get } from "../lib/api.js";
import { t } from "../lib/host.js";
import { called } from "../lib/words.js";
import { VIEWS } from "../views/index.js";
import { complain } from "./toasts.js";

const WAIT = 250;
const MOST = 6;

export const Palette = {
  emits: ["go"],
  setup(_, { emit }) {
    const open = ref(false);
    const text = ref("");
    const at = ref(0);
    const owners = ref([]);
    const memories = ref([]);
    const box = ref(null);
    let timer = 0;
    let before = null;

    const found = computed(() => {
      const wanted = text.value.trim().toLowerCase();
      const fits = (label) => label.toLowerCase().includes(wanted);
      const views = VIEWS.map((view) => ({ label: t(`views.${view.name}`), what: t("palette.view"), go: [view.name] }));
      const people = owners.value.map((each) => ({
        label: called(each),
        what: t(`palette.${each.kind}`),
        go: ["memories", { owner: each.key }],
      }));
      const said = memories.value.map((each) => ({
        label: each.text, what: t("palette.memory"), go: ["memories", { open: each.id }],
      }));
      return [...views, ...people].filter((each) => fits(each.label)).slice(0, MOST + 2).concat(said);
    });

    async function show() {
      before = document.activeElement;
      open.value = true;
      text.value = "";
      at.value = 0;
      memories.value = [];
      await nextTick();
      box.value?.showModal();
      box.value?.querySelector("input").focus();
      try {
        owners.value = (await get("owners")).owners;
      } catch (error) {
        complain(error);
      }
    }
    function close() {
      box.value?.close();
      open.value = false;
      if (before instanceof HTMLElement) before.focus();
    }
    function choose(each) {
      close();
      if (each) emit("go", ...each.go);
    }
    function keys(event) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (open.value) close();
        else show();
      }
    }
    function move(step) {
      at.value = (at.value + step + found.value.length) % Math.max(1, found.value.length);
    }
    watch(text, () => {
      at.value = 0;
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const wanted = text.value.trim();
        memories.value = wanted ? (await get("memories", { text: wanted, size: MOST })).page.entries : [];
      }, WAIT);
    });
    onMounted(() => document.addEventListener("keydown", keys));
    onBeforeUnmount(() => document.removeEventListener("keydown", keys));
    return { open, text, at, found, box, show, close, choose, move, t };
  },
  template: `
    <button type="button" class="button bare" @click="show">
      <span class="unseen">{{ t("palette.label") }}</span>
      <svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><circle cx="7.5" cy="7.5" r="5.2"></circle><path d="M11.6 11.6 L16 16"></path></svg>
      <kbd class="small quiet only-desk">Ctrl K</kbd>
    </button>
    <dialog v-if="open" ref="box" class="ask" :aria-label="t('palette.label')" @cancel.prevent="close">
      <input v-model="text" class="field" style="margin:0" maxlength="200" :placeholder="t('palette.label')" :aria-label="t('palette.label')"
        @keydown.down.prevent="move(1)" @keydown.up.prevent="move(-1)" @keydown.enter.prevent="choose(found[at])" />
      <ul class="menu-list">
        <li v-for="(each, number) in found"><button type="button" :class="{ on: number === at }" @click="choose(each)"><span>{{ each.label }}</span><span class="small quiet">{{ each.what }}</span></button></li>
      </ul>
    </dialog>`,
};
