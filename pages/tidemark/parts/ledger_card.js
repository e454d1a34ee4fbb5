/** Over time: memories by tier, day by day; tokens by month and purpose, and what they cost. */
import { computed, onMounted, ref } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { host, t } from "../lib/host.js";
import { date } from "../lib/words.js";
import { complain } from "./toasts.js";

const WIDTH = 600;
const HEIGHT = 150;
const TIERS = ["rock", "shore", "water"];
const PURPOSES = ["learning", "sleep", "block"];
const MILLION = 1_000_000;
const THOUSANDTHS = 1000;

export const LedgerCard = {
  setup() {
    const found = ref(null);
    const price = ref(0);
    const days = computed(() => found.value?.censuses ?? []);
    const most = computed(() => Math.max(1, ...days.value.map(({ tiers }) => tiers[0] + tiers[1] + tiers[2])));
    const level = (count) => HEIGHT - (HEIGHT - 12) * (count / most.value);
    /** Lowest what lasts: each band lies upon those that last longer. */
    const bands = computed(() => TIERS.map((tone, place) => {
      const upper = days.value.map(({ tiers }, day) => [across(day), level(tiers.slice(2 - place).reduce((sum, each) => sum + each, 0))]);
      const lower = days.value.map(({ tiers }, day) => [across(day), level(tiers.slice(3 - place).reduce((sum, each) => sum + each, 0))]).reverse();
      return { tone, points: [...upper, ...lower].map((point) => point.join(",")).join(" ") };
    }));
    const across = (day) => (WIDTH * day) / Math.max(1, days.value.length - 1);
    const months = computed(() => {
      const told = {};
      for (const each of found.value?.expenses ?? []) (told[each.month] ??= {})[each.purpose] = each.tokens;
      return Object.entries(told).map(([month, of]) => ({ month, of, all: PURPOSES.reduce((sum, name) => sum + (of[name] ?? 0), 0) })).reverse();
    });
    const number = (value) => value.toLocaleString(host.locale);
    const money = (tokens) => ((tokens / MILLION) * price.value).toLocaleString(host.locale, { maximumFractionDigits: 2 });
    const at = (day) => date(Date.parse(`${day}T12:00:00Z`) / 1000);
    async function load(asked) {
      try {
        found.value = await asked;
        price.value = found.value.price;
      } catch (error) {
        complain(error);
      }
    }
    const keep = () => load(post("ledger/price", { price: Math.round((price.value || 0) * THOUSANDTHS) }));
    onMounted(() => load(get("ledger")));
    return { found, price, days, most, bands, months, number, money, at, keep, PURPOSES, WIDTH, HEIGHT, t };
  },
  template: `
    <section v-if="days.length > 1 || months.length" class="card ledger" aria-labelledby="ledger-title">
      <h2 id="ledger-title">{{ t("ledger.title") }}</h2>
      <template v-if="days.length > 1">
        <svg class="life-chart" :viewBox="'0 0 ' + WIDTH + ' ' + HEIGHT" preserveAspectRatio="none" role="img" :aria-label="t('ledger.picture', { from: at(days[0].day), n: number(most) })">
          <polygon v-for="band in bands" :key="band.tone" :class="'band ' + band.tone" :points="band.points"></polygon>
        </svg>
        <p class="small quiet numbers ledger-ends"><span>{{ at(days[0].day) }}</span>
          <span>{{ t("tide.picture", { t0: number(days.at(-1).tiers[0]), t1: number(days.at(-1).tiers[1]), t2: number(days.at(-1).tiers[2]) }) }}</span>
          <span>{{ at(days.at(-1).day) }}</span></p>
      </template>
      <template v-if="months.length">
        <div class="wide" tabindex="0" role="region" :aria-label="t('ledger.tokens')">
          <table class="figures numbers">
            <caption class="small quiet">{{ t("ledger.about") }}</caption>
            <thead><tr><td></td><th v-for="name in PURPOSES" :key="name" scope="col">{{ t("ledger." + name) }}</th><th scope="col">{{ t("ledger.cost") }}</th></tr></thead>
            <tbody><tr v-for="each in months" :key="each.month"><th scope="row">{{ each.month }}</th>
              <td v-for="name in PURPOSES" :key="name">{{ number(each.of[name] ?? 0) }}</td><td>{{ price > 0 ? money(each.all) : "–" }}</td></tr></tbody>
          </table>
        </div>
        <label class="small quiet">{{ t("ledger.price") }} <input v-model.number="price" class="field short" type="number" min="0" step="any" inputmode="decimal" @change="keep" /></label>
      </template>
    </section>`,
};
