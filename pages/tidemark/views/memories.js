/** Every memory there is: filtered, looked at, kept, forgotten and brought back. */
import { computed, onMounted, reactive, ref, watch } from "../lib/vue.js";
import { get } from "../lib/api.js";
import { change } from "../lib/changes.js";
import { host, t, word } from "../lib/host.js";
import { hide, reveal, revealing } from "../lib/revealing.js";
import { called } from "../lib/words.js";
import { Empty } from "../parts/empty.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { MemoryRow } from "../parts/memory_row.js";
import { Pager } from "../parts/pager.js";
import { complain } from "../parts/toasts.js";

const KINDS = ["semantic", "episodic", "procedural", "prospective", "narrative", "evidence"];
const ORDERS = ["newest", "oldest", "latest", "strongest"];
const WAIT = 350;

const NONE = { text: "", owner: "", persona: "", kind: "learnt", tier: "", status: "live", kept: false, order: "newest", page: 1 };

export const MemoriesView = {
  components: { Empty, MemoryDrawer, MemoryRow, Pager },
  props: { wanted: { type: Object, default: () => ({}) } },
  setup(props) {
    const asked = reactive({ ...NONE, ...props.wanted });
    const found = ref(null);
    const owners = ref([]);
    const personas = ref([]);
    const picked = reactive(new Set());
    const opened = ref(props.wanted.open ?? "");
    const busy = ref(false);
    const filtersOpen = ref(false);
    const filtered = computed(() => Object.keys(NONE).some((key) => !["page", "order"].includes(key) && asked[key] !== NONE[key]));
    const all = computed(() => found.value?.page.entries.length > 0 && found.value.page.entries.every((each) => picked.has(each.id)));
    let latest = 0;
    let timer = 0;

    async function load() {
      latest += 1;
      const mine = latest;
      busy.value = true;
      try {
        const page = await get("memories", { ...asked, reveal: revealing.reason });
        if (mine === latest) found.value = page;
      } catch (error) {
        if (mine === latest) complain(error);
      } finally {
        if (mine === latest) busy.value = false;
      }
    }
    function later() {
      clearTimeout(timer);
      timer = setTimeout(load, WAIT);
    }
    watch(() => [asked.owner, asked.persona, asked.kind, asked.tier, asked.status, asked.kept, asked.order], () => {
      asked.page = 1;
      picked.clear();
      load();
    });
    watch(() => asked.text, () => {
      asked.page = 1;
      picked.clear();
      later();
    });
    watch(() => revealing.reason, load);
    function go(page) {
      asked.page = page;
      picked.clear();
      load();
      window.scrollTo({ top: 0 });
    }
    function pick(id) {
      if (!picked.delete(id)) picked.add(id);
    }
    function pickAll() {
      const every = all.value;
      picked.clear();
      if (!every) found.value.page.entries.forEach((each) => picked.add(each.id));
    }
    async function many(what) {
      const ids = [...picked];
      picked.clear();
      await change(what, ids, load);
    }
    const clear = () => Object.assign(asked, NONE);
    onMounted(async () => {
      load();
      try {
        const told = await get("owners");
        owners.value = told.owners;
        personas.value = told.personas;
      } catch (error) {
        complain(error);
      }
    });
    return {
      asked, found, owners, personas, picked, opened, busy, filtersOpen, filtered, all, KINDS, ORDERS, revealing,
      load, go, pick, pickAll, many, clear, reveal, hide, called, host, t, word,
    };
  },
  template: `
    <header class="view-head">
      <div><h1>{{ t("memories.title") }}</h1><p>{{ t("memories.about") }}</p></div>
    </header>
    <form class="filters" :class="{ open: filtersOpen }" role="search" @submit.prevent="load">
      <input v-model="asked.text" class="field" type="search" maxlength="400" :placeholder="t('memories.search')" :aria-label="t('memories.search')" />
      <select v-model="asked.owner" class="field" :aria-label="t('memories.whose')">
        <option value="">{{ t("memories.everybody") }}</option>
        <option v-for="each in owners" :value="each.owner">{{ called(each.name, each.kind, each.subject) }} · {{ each.live }}</option>
      </select>
      <select v-model="asked.status" class="field" :aria-label="t('memories.status')">
        <option v-for="each in ['live', 'quarantined', 'archived', 'binned', 'all']" :value="each">{{ t("status." + each) }}</option>
      </select>
      <select v-model="asked.kind" class="field more" :aria-label="t('memories.kind')">
        <option value="learnt">{{ t("memories.learnt") }}</option>
        <option value="">{{ t("memories.every_kind") }}</option>
        <option v-for="each in KINDS" :value="each">{{ word("kind", each) }}</option>
      </select>
      <select v-model="asked.tier" class="field more" :aria-label="t('memories.tier')">
        <option value="">{{ t("memories.every_tier") }}</option>
        <option v-for="each in ['0', '1', '2']" :value="each">{{ t("tier.t" + each) }}</option>
      </select>
      <select v-if="personas.length > 1" v-model="asked.persona" class="field more" :aria-label="t('memories.persona')">
        <option value="">{{ t("memories.every_persona") }}</option>
        <option v-for="each in personas" :value="each">{{ each }}</option>
      </select>
      <select v-model="asked.order" class="field more" :aria-label="t('memories.order')">
        <option v-for="each in ORDERS" :value="each">{{ t("order." + each) }}</option>
      </select>
    </form>
    <div class="list-bar">
      <template v-if="picked.size">
        <span class="numbers">{{ t("memories.picked", { n: picked.size }) }}</span>
        <template v-if="asked.status === 'live'">
          <button type="button" class="button" @click="many('important')">{{ t("act.important") }}</button>
          <button type="button" class="button grave" @click="many('forget')">{{ t("act.forget") }}</button>
        </template>
        <template v-else-if="asked.status === 'quarantined'">
          <button type="button" class="button" @click="many('accept')">{{ t("act.accept") }}</button>
          <button type="button" class="button grave" @click="many('drop')">{{ t("act.drop") }}</button>
        </template>
        <button v-else type="button" class="button" @click="many('restore')">{{ t("act.restore") }}</button>
        <button type="button" class="button bare" @click="picked.clear()">{{ t("memories.pick_none") }}</button>
      </template>
      <template v-else-if="found">
        <label class="check"><input type="checkbox" :checked="all" :disabled="!found.page.entries.length" @change="pickAll" />
          <span class="numbers">{{ t("memories.count", { n: found.page.total.toLocaleString(host.locale) }) }}</span></label>
        <label class="check"><input v-model="asked.kept" type="checkbox" />{{ t("memories.kept") }}</label>
        <button v-if="filtered" type="button" class="button bare" @click="clear">{{ t("memories.clear") }}</button>
        <button type="button" class="button bare only-phone" :aria-expanded="filtersOpen" @click="filtersOpen = !filtersOpen">{{ t("memories.filters") }}</button>
      </template>
      <span class="end">
        <button v-if="revealing.reason" type="button" class="button" @click="hide">{{ t("reveal.hide") }}</button>
        <button v-else-if="found?.why_masked === 'reason_needed'" type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button>
      </span>
    </div>
    <div :class="{ loading: busy }" style="height:3px;margin-bottom:6px" aria-hidden="true"></div>
    <p v-if="found?.left_out" class="note" style="margin-bottom:10px">{{ t("reveal.left_out") }}</p>
    <ul v-if="found?.page.entries.length" class="memories" :aria-busy="busy">
      <MemoryRow v-for="each in found.page.entries" :key="each.id" :memory="each" :now="found.now" :picked="picked.has(each.id)"
        @open="opened = each.id" @pick="pick(each.id)"></MemoryRow>
    </ul>
    <Empty v-else-if="found" :title="t(filtered ? 'memories.none_found' : 'memories.none')" :text="t(filtered ? 'memories.none_found_text' : 'memories.none_text')"></Empty>
    <Pager v-if="found" :page="found.page.number" :pages="found.page.pages" @go="go"></Pager>
    <MemoryDrawer v-if="opened" :id="opened" @close="opened = ''" @changed="load" @open="(id) => (opened = id)"></MemoryDrawer>`,
};
