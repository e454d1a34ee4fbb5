/** What time will take and when, under the policy in force and under another; trying and changing it. */
import { computed, onBeforeUnmount, onMounted, reactive, ref, watch } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { change } from "../lib/changes.js";
import { host, labelOf, t, word } from "../lib/host.js";
import { reveal, revealing } from "../lib/revealing.js";
import { setSetting } from "../lib/settings.js";
import { called } from "../lib/words.js";
import { ask } from "../parts/dialog.js";
import { Ebb } from "../parts/ebb.js";
import { Empty } from "../parts/empty.js";
import { LifeChart } from "../parts/life_chart.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { MemoryRow } from "../parts/memory_row.js";
import { complain } from "../parts/toasts.js";

const WAIT = 250;
const POLICY = "forgetting.policy";

export const ForgettingView = {
  components: { Ebb, Empty, LifeChart, MemoryDrawer, MemoryRow },
  setup() {
    const asked = reactive({ within: 30, other: "", owner: "" });
    const found = ref(null);
    const rules = ref(null);
    const owners = ref([]);
    const opened = ref("");
    const run = reactive({ years: 3, policy: "", busy: false, done: null });
    let latest = 0;
    let timer = 0;
    const number = (value) => value.toLocaleString(host.locale);
    const share = (value) => `${Math.round(100 * value)}%`;
    const named = (policy) => labelOf(POLICY, rules.value?.names.indexOf(policy) ?? -1) || policy;
    const others = computed(() => rules.value?.names.filter((name) => name !== rules.value.policy) ?? []);
    const sides = computed(() => found.value?.policies ?? []);

    async function load() {
      latest += 1;
      const mine = latest;
      try {
        const told = await get("forgetting/foresight", { ...asked, reveal: revealing.reason });
        if (mine !== latest) return;
        found.value = told;
      } catch (error) {
        if (mine !== latest) return;
        complain(error);
        asked.other = "";
      }
    }
    async function loadRules() {
      try {
        rules.value = await get("forgetting");
      } catch (error) {
        complain(error);
      }
    }
    function later() {
      clearTimeout(timer);
      timer = setTimeout(load, WAIT);
    }
    const changed = () => Promise.all([loadRules(), load()]);
    async function use() {
      const policy = asked.other;
      if (!(await ask({ title: t("forgetting.use_title", { name: named(policy) }), text: t("forgetting.use_text"), yes: t("forgetting.use") }))) return;
      asked.other = "";
      await setSetting(POLICY, policy, changed, t("forgetting.used", { name: named(policy) }));
    }
    async function simulate() {
      run.busy = true;
      try {
        run.done = await post("forgetting/simulate", { years: run.years, policy: run.policy });
      } catch (error) {
        complain(error);
      } finally {
        run.busy = false;
      }
    }
    const forgotten = ({ created, tiers }) => (created ? 1 - tiers.reduce((sum, each) => sum + each, 0) / created : 0);
    const stop = () => post("forgetting/stop").catch(complain);
    const keep = (side) => change("important", side.first.map((each) => each.memory.id), load);
    const beside = (each) => {
      if (!found.value.comparable || sides.value.length < 2) return "";
      if (each.elsewhere === null) return t("forgetting.stays_there");
      return t("forgetting.there", { n: Math.max(1, Math.round((each.elsewhere - found.value.now) / 86400)) });
    };
    watch(() => [asked.other, asked.owner], load);
    watch(() => asked.within, later);
    watch(() => revealing.reason, load);
    onMounted(async () => {
      changed();
      try {
        owners.value = (await get("owners")).owners;
      } catch (error) {
        complain(error);
      }
    });
    onBeforeUnmount(() => clearTimeout(timer));
    return {
      asked, found, rules, owners, opened, run, others, sides, number, share, named, load, use,
      simulate, forgotten, stop, keep, beside, called, reveal, revealing, t, word,
    };
  },
  template: `
    <header class="view-head">
      <div><h1>{{ t("forgetting.title") }}</h1><p>{{ t("forgetting.about") }}</p></div>
      <button v-if="!revealing.reason && found?.why_masked === 'reason_needed'" type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button>
    </header>
    <div v-if="!found || !rules" class="loading"></div>
    <Empty v-else-if="!found.live && !asked.owner" :title="t('memories.none')" :text="t('memories.none_text')"></Empty>
    <template v-else>
      <form class="trial-row" @submit.prevent>
        <label><span class="small quiet">{{ t("memories.whose") }}</span>
          <select v-model="asked.owner" class="field"><option value="">{{ t("memories.everybody") }}</option>
            <option v-for="each in owners" :value="each.key">{{ called(each) }}</option></select></label>
        <label><span class="small quiet">{{ t("forgetting.compare") }}</span>
          <select v-model="asked.other" class="field"><option value="">{{ t("forgetting.alone") }}</option>
            <option v-for="name in others" :value="name">{{ named(name) }}</option></select></label>
        <label class="grow"><span class="small quiet">{{ t("forgetting.within", { n: asked.within }) }}</span>
          <input v-model.number="asked.within" type="range" min="1" max="365" :aria-valuetext="t('forgetting.within', { n: asked.within })" /></label>
      </form>
      <Ebb :days="found.days" :policies="sides" :live="found.live" :kept="found.kept" :at="asked.within">
        <span v-for="(side, index) in sides"><i class="swatch" :class="{ other: index }"></i>{{ t("forgetting.sum", { name: named(side.policy), n: number(side.going), left: number(found.live - side.going) }) }}&ensp;</span>
        <span v-if="found.kept">{{ t("forgetting.kept", { n: number(found.kept) }) }}</span>
      </Ebb>
      <div v-if="sides.length > 1" class="actions">
        <button type="button" class="button first" @click="use">{{ t("forgetting.use") }}</button>
      </div>
      <div :class="{ columns: sides.length > 1 }" style="margin-top:22px">
        <section v-for="side in sides" :key="side.policy" :aria-label="named(side.policy)">
          <div class="list-bar"><h2>{{ t("forgetting.goes", { name: named(side.policy), n: number(side.going) }) }}</h2>
            <button v-if="side.first.length" type="button" class="button end" @click="keep(side)">{{ t("forgetting.keep") }}</button></div>
          <ul v-if="side.first.length" class="memories close-rows">
            <MemoryRow v-for="each in side.first" :key="each.memory.id" :memory="{ ...each.memory, sinks_at: each.at }" :now="found.now" :pickable="false" @open="opened = each.memory.id">
              <span v-if="beside(each)" class="small quiet">{{ beside(each) }}</span>
            </MemoryRow>
          </ul>
          <p v-else class="card quiet">{{ t(side.going ? "forgetting.raw_goes" : "forgetting.none_goes") }}</p>
          <p v-if="side.first.length && side.going > side.first.length" class="small quiet" style="margin-top:8px">{{ t("tide.with_raw", { n: number(side.going - side.first.length) }) }}</p>
        </section>
      </div>
      <div class="columns" style="margin-top:26px">
        <section class="card" aria-labelledby="life-title">
          <h2 id="life-title">{{ t("forgetting.simulation") }}</h2>
          <p class="quiet">{{ t("forgetting.simulation_about") }}</p>
          <form class="trial-row" @submit.prevent="simulate">
            <label><span class="small quiet">{{ t("forgetting.years", { n: run.years }) }}</span><input v-model.number="run.years" type="range" min="1" max="10" /></label>
            <label class="grow"><span class="small quiet">{{ t("forgetting.policy") }}</span>
              <select v-model="run.policy" class="field"><option value="">{{ t("forgetting.in_force", { name: named(rules.policy) }) }}</option>
                <option v-for="name in others" :value="name">{{ named(name) }}</option></select></label>
            <button v-if="run.busy" type="button" class="button" @click="stop">{{ t("forgetting.stop") }}</button>
            <button v-else type="submit" class="button first">{{ t("forgetting.run") }}</button>
          </form>
          <div v-if="run.busy" class="loading" style="margin-top:14px"></div>
          <template v-if="run.done">
            <LifeChart :lives="run.done.lives"></LifeChart>
            <table class="figures numbers"><thead><tr><td></td><th v-for="(life, index) in run.done.lives" scope="col"><i class="swatch" :class="{ other: index }"></i>{{ named(life.policy) }}</th></tr></thead>
              <tbody>
                <tr><th scope="row">{{ t("forgetting.created") }}</th><td v-for="life in run.done.lives">{{ number(life.overall.created) }}</td></tr>
                <tr><th scope="row">{{ t("forgetting.forgotten") }}</th><td v-for="life in run.done.lives">{{ share(forgotten(life.overall)) }}</td></tr>
                <tr v-for="tier in [0, 1, 2]"><th scope="row">{{ t("tier.t" + tier) }}</th><td v-for="life in run.done.lives">{{ number(life.overall.tiers[tier]) }}</td></tr>
                <tr><th scope="row">{{ t("forgetting.mean") }}</th><td v-for="life in run.done.lives">{{ t("forgetting.day", { n: number(Math.round(life.overall.mean_lifetime_days)) }) }}</td></tr>
              </tbody></table>
            <p v-if="!run.done.complete" class="small quiet">{{ t("forgetting.assumed") }}</p>
          </template>
        </section>
        <section class="card" aria-labelledby="rates-title">
          <h2 id="rates-title">{{ t("forgetting.rates") }}</h2>
          <p class="quiet">{{ t("forgetting.rates_about") }}</p>
          <template v-if="rules.rates.length"><dl v-for="[sort, rates] in [['kind', rules.rates], ['source', rules.by_source]]" :key="sort" class="rates">
            <template v-for="rate in rates"><dt>{{ word(sort, rate.sort) }}</dt>
              <dd><span class="meter"><i :style="{ width: share(rate.mean) }"></i></span><span class="small quiet numbers">{{ t("forgetting.rate", { rate: share(rate.mean), off: share(rate.deviation), n: number(rate.judged) }) }}</span></dd></template>
          </dl></template>
          <p v-else class="note" style="margin-top:14px">{{ t("forgetting.no_rates") }}</p>
        </section>
      </div>
    </template>
    <MemoryDrawer v-if="opened" :id="opened" @close="opened = ''" @changed="load" @open="(id) => (opened = id)"></MemoryDrawer>`,
};
