/** Why the bot said it: the last turns with what each was shown, and any question asked by way of trial. */
import { computed, onMounted, reactive, ref, watch } from "../lib/vue.js";
import { ApiError, get, post } from "../lib/api.js";
import { t, word } from "../lib/host.js";
import { reveal, revealing } from "../lib/revealing.js";
import { called, when } from "../lib/words.js";
import { Drawer } from "../parts/drawer.js";
import { Empty } from "../parts/empty.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { RecallReport } from "../parts/recall_report.js";
import { complain } from "../parts/toasts.js";

const EAGERNESS = ["quiet", "balanced", "eager"];

export const WhyView = {
  components: { Drawer, Empty, MemoryDrawer, RecallReport },
  props: { wanted: { type: Object, default: () => ({}) } },
  setup(props) {
    const turns = ref(null);
    const owners = ref([]);
    const report = ref(null);
    const turn = ref(0);
    const memory = ref("");
    const busy = ref(false);
    const trial = reactive({ owner: props.wanted.owner ?? "", text: "", eagerness: "balanced", budget_tokens: 800 });
    const tried = ref(null);
    const whose = computed(() => Object.fromEntries(owners.value.map((each) => [each.key, called(each)])));

    const place = (each) => {
      const name = called(each.owner);
      return each.owner.kind === "group" ? t("names.in_group", { name }) : each.asker ? t("names.in_private") : t("names.of_person", { name });
    };
    async function load() {
      try {
        turns.value = await get("recalls", { reveal: revealing.reason });
        if (turn.value) await open(turn.value);
      } catch (error) {
        complain(error);
      }
    }
    async function open(number) {
      try {
        report.value = await get(`recalls/${number}`, { reveal: revealing.reason });
        turn.value = number;
      } catch (error) {
        complain(error);
      }
    }
    function close() {
      turn.value = 0;
      report.value = null;
    }
    async function ask() {
      busy.value = true;
      try {
        tried.value = await post("recalls/trial", { ...trial, reveal: revealing.reason });
      } catch (error) {
        if (error instanceof ApiError && error.code === "refused.reason_needed" && (await reveal())) await ask();
        else complain(error);
      } finally {
        busy.value = false;
      }
    }
    watch(() => revealing.reason, load);
    onMounted(async () => {
      load();
      try {
        owners.value = (await get("owners")).owners;
        trial.owner ||= owners.value[0]?.key ?? "";
      } catch (error) {
        complain(error);
      }
    });
    return { turns, owners, whose, report, turn, memory, busy, trial, tried, EAGERNESS, open, close, ask, place, reveal, revealing, t, word, when };
  },
  template: `
    <header class="view-head">
      <div><h1>{{ t("why.title") }}</h1><p>{{ t("why.about") }}</p></div>
      <button v-if="!revealing.reason && turns?.why_masked === 'reason_needed'" type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button>
    </header>
    <form v-if="owners.length" class="card trial" @submit.prevent="ask">
      <h2>{{ t("why.trial") }}</h2>
      <p class="quiet">{{ t("why.trial_about") }}</p>
      <div class="trial-row">
        <label><span class="small quiet">{{ t("why.as") }}</span>
          <select v-model="trial.owner" class="field"><option v-for="(name, owner) in whose" :value="owner">{{ name }}</option></select></label>
        <label class="grow"><span class="small quiet">{{ t("why.question") }}</span>
          <input v-model="trial.text" class="field" maxlength="400" :placeholder="t('why.question_example')" /></label>
        <button type="submit" class="button first" :disabled="busy || !trial.text.trim()">{{ t("why.ask") }}</button>
      </div>
      <details><summary class="small">{{ t("why.knobs") }}</summary>
        <div class="trial-row">
          <label><span class="small quiet">{{ t("why.eagerness") }}</span>
            <select v-model="trial.eagerness" class="field"><option v-for="each in EAGERNESS" :value="each">{{ t("eagerness." + each) }}</option></select></label>
          <label><span class="small quiet">{{ t("why.budget", { n: trial.budget_tokens }) }}</span><input v-model.number="trial.budget_tokens" type="range" min="100" max="3000" step="100" /></label>
        </div>
      </details>
      <div v-if="busy" class="loading"></div>
      <RecallReport v-if="tried" :report="tried" @open="(id) => (memory = id)"></RecallReport>
    </form>
    <h2 class="apart">{{ t("why.turns") }}</h2>
    <ul v-if="turns?.turns.length" class="memories">
      <li v-for="each in turns.turns" :key="each.turn" class="turn-row">
        <button type="button" class="memory-open" @click="open(each.turn)">
          <span class="memory-text" :class="{ 'hidden-text': each.masked }">{{ each.masked ? t("why.masked") : each.text }}</span>
          <span class="memory-said"><span v-if="each.asker">{{ each.asker }}</span><span>{{ place(each) }}</span><span>{{ when(each.at, turns.now) }}</span></span>
        </button>
        <span class="pill" :class="{ water: each.shown }">{{ each.shown ? t("why.shown", { n: each.shown }) : t("why.quiet") }}</span>
      </li>
    </ul>
    <Empty v-else-if="turns" :title="t('why.none')" :text="t('why.none_text')"></Empty>
    <Drawer v-if="report && turn" :title="t('why.one')" @close="close">
      <p class="whole-text" :class="{ 'hidden-text': !report.question }">{{ report.question || t("why.masked") }}</p>
      <div v-if="report.why_masked === 'reason_needed'" class="actions"><button type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button></div>
      <RecallReport :report="report" @open="(id) => (memory = id)"></RecallReport>
    </Drawer>
    <MemoryDrawer v-if="memory" :id="memory" @close="memory = ''" @open="(id) => (memory = id)"></MemoryDrawer>`,
};
