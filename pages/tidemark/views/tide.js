/** Home: the tide, what sinks this week, what was done, and whether all is well. */
import { computed, onMounted, ref, watch } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { change } from "../lib/changes.js";
import { formWords, host, t, word } from "../lib/host.js";
import { ofKind, whenOver } from "../lib/jobs.js";
import { reveal, revealing } from "../lib/revealing.js";
import { moment } from "../lib/words.js";
import { Empty } from "../parts/empty.js";
import { LedgerCard } from "../parts/ledger_card.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { MemoryRow } from "../parts/memory_row.js";
import { PastCard } from "../parts/past_card.js";
import { SleepDrawer } from "../parts/sleep_drawer.js";
import { TidePicture } from "../parts/tide_picture.js";
import { complain, toast } from "../parts/toasts.js";

const MENDED_BY_MODEL = ["hashed", "no_embedder"];
const OFFER = "hashed";
const some = (found) => Object.keys(found).length > 0;
/** What may be amiss, the gravest first, and whether it is. */
const AMISS = {
  unread: ({ unread }) => some(unread),
  unreadable: ({ unreadable }) => some(unreadable),
  dead: ({ dead }) => some(dead),
  no_model: ({ no_model }) => no_model,
  no_embedder: ({ no_embedder }) => no_embedder,
  hashed: ({ embedder }) => embedder?.offered,
  settings: ({ problems }) => some(problems),
  incidents: ({ incidents }) => some(incidents),
};

export const TideView = {
  components: { Empty, LedgerCard, MemoryDrawer, MemoryRow, PastCard, SleepDrawer, TidePicture },
  emits: ["go"],
  setup() {
    const found = ref(null);
    const health = ref(null);
    const opened = ref("");
    const sleeps = ref(false);
    const installing = computed(() => (ofKind("model")?.state === "running" ? ofKind("model") : null));
    const notes = computed(() => {
      const { late, by_words } = health.value;
      const amiss = Object.keys(AMISS).filter((name) => AMISS[name](health.value));
      const names = [amiss.find((each) => each !== OFFER), late && "late", by_words && "by_words", amiss.includes(OFFER) && OFFER].filter(Boolean);
      return names.length ? names : ["well"];
    });
    /** What is amiss, a line each: where, and what it came to. */
    function lines(name) {
      const { incidents, dead, unread, unreadable, problems } = health.value;
      const where = (each) => (each.endsWith(" leg") ? word("place", "leg", { leg: word("leg", each.slice(0, -4)) }) : word("place", each));
      if (name === "incidents") return Object.entries(incidents).map(([each, { count, last_at, text }]) => [where(each), t("health.times", { n: number(count), at: moment(last_at) }), text]);
      if (name === "dead") return dead.map(([work, error]) => [where(work.kind), error]);
      if (name === "unread") return Object.entries(unread).map(([each, text]) => [where(each), text]);
      if (name === "unreadable") return unreadable.map((each) => [each]);
      return name === "settings" ? problems.map((each) => [formWords(each.name).title, each.name]) : [];
    }
    const empty = computed(() => found.value && found.value.tiers.every((count) => count === 0));
    const deeds = computed(() => Object.entries(found.value?.deeds ?? {}).map(([deed, count]) => word("deed", deed, { count })));
    const share = (part, whole) => `${whole ? Math.min(100, Math.round((100 * part) / whole)) : 0}%`;
    const number = (value) => value.toLocaleString(host.locale);

    async function load() {
      try {
        found.value = await get("tide", { reveal: revealing.reason });
      } catch (error) {
        complain(error);
      }
    }
    async function look() {
      try {
        health.value = await get("health");
      } catch (error) {
        complain(error);
      }
    }
    const install = () => doing(post("embedder/install"));
    const cancel = () => doing(post("jobs/cancel", { id: installing.value.id }));
    const later = () => doing(post("embedder/later").then(() => toast(t("health.declined"))));
    async function doing(request) {
      try {
        await request;
        await look();
      } catch (error) {
        complain(error);
      }
    }
    const keep = (ids) => change("important", ids, load);
    watch(() => revealing.reason, load);
    whenOver(() => Promise.all([load(), look()]));
    onMounted(() => {
      load();
      look();
    });
    return { lines, found, health, installing, opened, sleeps, notes, empty, deeds, share, number, load, install, cancel, later, keep, reveal, revealing, moment, MENDED_BY_MODEL, OFFER, t };
  },
  template: `
    <header class="view-head">
      <div><h1>{{ t("tide.title") }}</h1><p>{{ t("tide.about") }}</p></div>
      <button v-if="!revealing.reason && found?.why_masked === 'reason_needed'" type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button>
    </header>
    <p v-for="name in health ? notes : []" :key="name" class="note" :class="{ grave: ['unread', 'unreadable', 'dead', 'no_model'].includes(name) }">
      <span v-if="name === OFFER" class="offer"><strong>{{ t("health.hashed") }}</strong> {{ t("health.offer") }}</span>
      <span v-else>{{ t("health." + name, { n: number(health[name] ?? 0), of: number(health.recalls) }) }}
        <details v-if="lines(name).length"><summary class="small">{{ t("health.details") }}</summary><ul class="small"><li v-for="line in lines(name)">{{ line.join(" · ") }}</li></ul></details></span>
      <template v-if="MENDED_BY_MODEL.includes(name)">
        <span v-if="installing" class="installing"><span class="meter" role="progressbar" :aria-label="t('health.installing')" :aria-valuenow="installing.done" aria-valuemin="0" aria-valuemax="100"><i :style="{ width: share(installing.done, installing.total) }"></i></span> {{ share(installing.done, installing.total) }}
          <button type="button" class="button" @click="cancel">{{ t("jobs.cancel") }}</button></span>
        <span v-else class="offer-choice"><button type="button" class="button first" @click="install">{{ t("health.install") }}</button>
          <button v-if="name === OFFER" type="button" class="button bare" @click="later">{{ t("health.later") }}</button></span>
      </template>
    </p>
    <div v-if="!found" class="loading"></div>
    <template v-if="empty"><Empty :title="t('memories.none')" :text="t('memories.none_text')"></Empty><PastCard @learnt="load"></PastCard></template>
    <template v-else-if="found">
      <TidePicture :memories="found.pictured" :tiers="found.tiers" :now="found.now" @open="(id) => (opened = id)"></TidePicture>
      <div class="tide-columns">
        <section>
          <div class="list-bar"><h2>{{ t("tide.sinking", { n: number(found.sinking_total) }) }}</h2>
            <button v-if="found.sinking.length" type="button" class="button end" @click="keep(found.sinking.map((each) => each.id))">{{ t("tide.keep_all") }}</button></div>
          <ul v-if="found.sinking.length" class="memories">
            <template v-for="each in found.sinking" :key="each.id">
              <MemoryRow :memory="each" :now="found.now" :pickable="false" @open="opened = each.id"></MemoryRow>
            </template>
          </ul>
          <p v-else class="card quiet">{{ t(found.sinking_total ? "forgetting.raw_goes" : "tide.none_sinks") }}</p>
          <p v-if="found.sinking.length && found.sinking_total > found.sinking.length" class="small quiet" style="margin-top:8px">{{ t("tide.with_raw", { n: number(found.sinking_total - found.sinking.length) }) }}</p>
        </section>
        <aside class="tide-side">
          <div class="card"><h3>{{ t("tide.today") }}</h3>
            <dl class="facts">
              <dt>{{ t("tide.learnt") }}</dt><dd class="numbers">{{ number(found.learnt) }}</dd>
              <dt>{{ t("tide.kept") }}</dt><dd class="numbers">{{ number(found.kept) }}</dd>
            </dl>
            <p class="small quiet" style="margin-top:12px">{{ t("tide.calls", { n: number(found.spending.calls) }) }}</p>
            <p class="small quiet" style="margin-top:8px">{{ t("tide.tokens", { n: number(found.spending.tokens), most: number(found.spending.most_tokens) }) }}</p>
            <div class="meter"><i :style="{ width: share(found.spending.tokens, found.spending.most_tokens) }"></i></div>
          </div>
          <div class="card"><h3>{{ t("tide.night") }}</h3>
            <ul v-if="deeds.length" class="deeds"><li v-for="each in deeds">{{ each }}</li></ul>
            <p v-else class="quiet">{{ t("tide.night_quiet") }}</p>
            <p v-if="found.slept_at" class="small quiet" style="margin-top:8px">{{ t("tide.slept", { at: moment(found.slept_at) }) }}</p>
            <button v-if="found.slept_at" type="button" class="button" style="margin-top:10px" @click="sleeps = true">{{ t("sleeps.open") }}</button>
          </div>
        </aside>
      </div>
      <LedgerCard></LedgerCard>
    </template>
    <SleepDrawer v-if="sleeps" @close="sleeps = false" @changed="load" @open="(id) => (opened = id)"></SleepDrawer>
    <MemoryDrawer v-if="opened" :id="opened" @close="opened = ''" @changed="load" @open="(id) => (opened = id)"></MemoryDrawer>`,
};
