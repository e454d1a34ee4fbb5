/** Every memory there is: filtered, looked at, kept, forgotten and brought back. */
import { computed, onMounted, reactive, ref, watch } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { change, tag } from "../lib/changes.js";
import { host, t, word } from "../lib/host.js";
import { hide, reveal, revealing } from "../lib/revealing.js";
import { called } from "../lib/words.js";
import { ask } from "../parts/dialog.js";
import { Empty } from "../parts/empty.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { MemoryRow } from "../parts/memory_row.js";
import { Pager } from "../parts/pager.js";
import { complain, toast } from "../parts/toasts.js";

const KINDS = ["semantic", "episodic", "procedural", "prospective", "narrative", "evidence"];
const LEARNT = KINDS.filter((kind) => kind !== "evidence");
const ORDERS = ["newest", "oldest", "latest", "strongest"];
const WAIT = 350;
const PAGE = 40;

const NONE = { text: "", owner: "", persona: "", kinds: "", tag: "", tier: "", status: "live", kept: false, order: "newest", page: 1 };

export const MemoriesView = {
  components: { Empty, MemoryDrawer, MemoryRow, Pager },
  props: { wanted: { type: Object, default: () => ({}) } },
  setup(props) {
    const asked = reactive({ ...NONE, ...props.wanted });
    const found = ref(null);
    const owners = ref([]);
    const live = ref({});
    const personas = ref([]);
    const picked = reactive(new Set());
    const opened = ref(props.wanted.open ?? "");
    const busy = ref(false);
    const filtersOpen = ref(false);
    const filtered = computed(() => Object.keys(NONE).some((key) => !["page", "order"].includes(key) && asked[key] !== NONE[key]));
    const all = computed(() => found.value?.page.entries.length > 0 && found.value.page.entries.every((each) => picked.has(each.id)));
    /** Until somebody chooses: what was learnt, and in a search raw messages too. The chips show it. */
    const kinds = computed(() => (asked.kinds ? asked.kinds.split(",") : asked.text.trim() || asked.tag ? KINDS : LEARNT));
    const mine = ref(new Set());
    const own = computed(() => owners.value.filter((each) => each.kind === "group" || mine.value.has(`${each.platform}/${each.subject}`)));
    let latest = 0;
    let timer = 0;

    async function load() {
      latest += 1;
      const turn = latest;
      busy.value = true;
      try {
        const page = await get("memories", { ...asked, kinds: kinds.value.length === KINDS.length ? "" : kinds.value.join(","), reveal: revealing.reason });
        if (turn === latest) found.value = { ...page, searched: Boolean(asked.text.trim()) && asked.status === "live" };
      } catch (error) {
        if (turn === latest) complain(error);
      } finally {
        if (turn === latest) busy.value = false;
      }
    }
    function later() {
      clearTimeout(timer);
      timer = setTimeout(load, WAIT);
    }
    watch(() => [asked.owner, asked.persona, asked.kinds, asked.tag, asked.tier, asked.status, asked.kept, asked.order], () => {
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
    function toggle(kind) {
      const chosen = KINDS.filter((each) => kinds.value.includes(each) !== (each === kind));
      if (chosen.length) asked.kinds = chosen.join(",");
    }
    /** Whether those that hold the words end before this place of the page, and those alike begin. */
    function alikeFrom(index) {
      const before = found.value.literal - (found.value.page.number - 1) * PAGE;
      return found.value.searched && index === Math.max(0, before);
    }
    async function add() {
      if (!own.value.length) return toast(t("memories.add_none"));
      const choices = own.value.map((each) => ({ value: each.key, label: called(each) }));
      const given = await ask({
        title: t("memories.add"), text: t("memories.add_about"), yes: t("memories.add"),
        choice: { label: t("memories.add_whose"), choices, value: own.value.some((each) => each.key === asked.owner) ? asked.owner : "" },
        input: { label: t("memories.add"), rows: 3, needed: true },
      });
      if (!given) return;
      try {
        const done = await post("memories/add", { owner: given.choice, text: given.text });
        toast(t(done.new ? "done.added" : "done.known"), done.new ? () => change("forget", [done.memory.id], load) : null);
        await load();
      } catch (error) {
        complain(error);
      }
    }
    async function tagMany() {
      const ids = [...picked];
      if (await tag(ids, load)) picked.clear();
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
        ({ owners: owners.value, live: live.value } = told);
        personas.value = told.personas;
        mine.value = new Set((await get("me")).accounts.map((each) => `${each.platform}/${each.subject}`));
      } catch (error) {
        complain(error);
      }
    });
    return {
      asked, found, owners, live, personas, picked, opened, busy, filtersOpen, filtered, all, kinds, KINDS, ORDERS, revealing,
      add, toggle, tagMany, alikeFrom, load, go, pick, pickAll, many, clear, reveal, hide, called, host, t, word,
    };
  },
  template: `
    <header class="view-head">
      <div><h1>{{ t("memories.title") }}</h1><p>{{ t("memories.about") }}</p></div>
      <button type="button" class="button first" @click="add">{{ t("memories.add") }}</button>
    </header>
    <form class="filters" :class="{ open: filtersOpen }" role="search" @submit.prevent="load">
      <input v-model="asked.text" class="field" type="search" maxlength="400" :placeholder="t('memories.search')" :aria-label="t('memories.search')" />
      <select v-model="asked.owner" class="field" :aria-label="t('memories.whose')">
        <option value="">{{ t("memories.everybody") }}</option>
        <option v-for="each in owners" :value="each.key">{{ called(each) }} · {{ live[each.key] }}</option>
      </select>
      <select v-model="asked.status" class="field" :aria-label="t('memories.status')">
        <option v-for="each in ['live', 'quarantined', 'archived', 'binned', 'all']" :value="each">{{ t("status." + each) }}</option>
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
    <div class="chips" role="group" :aria-label="t('memories.kind')">
      <button v-for="each in KINDS" :key="each" type="button" class="chip" :aria-pressed="kinds.includes(each)" @click="toggle(each)">{{ word("kind", each) }}</button>
      <button v-if="asked.tag" type="button" class="chip" aria-pressed="true" @click="asked.tag = ''">{{ t("memories.tagged", { tag: "#" + asked.tag }) }} ×</button>
    </div>
    <div class="list-bar">
      <template v-if="picked.size">
        <span class="numbers">{{ t("memories.picked", { n: picked.size }) }}</span>
        <template v-if="asked.status === 'live'">
          <button type="button" class="button" @click="many('important')">{{ t("act.important") }}</button>
          <button type="button" class="button" @click="tagMany">{{ t("act.tag") }}</button>
          <button type="button" class="button grave" @click="many('forget')">{{ t("act.forget") }}</button>
        </template>
        <template v-else-if="asked.status === 'quarantined'">
          <button type="button" class="button" @click="many('accept')">{{ t("act.accept") }}</button>
          <button type="button" class="button grave" @click="many('drop')">{{ t("act.drop") }}</button>
        </template>
        <template v-else>
          <button type="button" class="button" @click="many('restore')">{{ t("act.restore") }}</button>
          <button v-if="asked.status !== 'binned'" type="button" class="button grave" @click="many('forget')">{{ t("act.forget") }}</button>
        </template>
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
      <template v-for="(each, index) in found.page.entries" :key="each.id">
        <li v-if="alikeFrom(index)" class="alike small quiet">{{ t("memories.alike") }}</li>
        <MemoryRow :memory="each" :now="found.now" :picked="picked.has(each.id)" @open="opened = each.id" @pick="pick(each.id)" @tag="(name) => (asked.tag = name)"></MemoryRow>
      </template>
    </ul>
    <Empty v-else-if="found" :title="t(filtered ? 'memories.none_found' : 'memories.none')" :text="t(filtered ? 'memories.none_found_text' : 'memories.none_text')"></Empty>
    <Pager v-if="found" :page="found.page.number" :pages="found.page.pages" @go="go"></Pager>
    <MemoryDrawer v-if="opened" :id="opened" @close="opened = ''" @changed="load" @open="(id) => (opened = id)"></MemoryDrawer>`,
};
