/** Who and what memories speak of: names, what joins them, where they belong, and their memories. */
import { computed, onMounted, reactive, ref, watch } from "../lib/vue.js";
import { get } from "../lib/api.js";
import { host, t } from "../lib/host.js";
import { reveal, revealing } from "../lib/revealing.js";
import { called } from "../lib/words.js";
import { Archipelago } from "../parts/archipelago.js";
import { Empty } from "../parts/empty.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { MemoryRow } from "../parts/memory_row.js";
import { complain } from "../parts/toasts.js";

const MOST_COMMUNITIES = 8;
const WAIT = 300;

export const GraphView = {
  components: { Archipelago, Empty, MemoryDrawer, MemoryRow },
  props: { wanted: { type: Object, default: () => ({}) } },
  emits: ["go"],
  setup(props) {
    const asked = reactive({ owner: props.wanted.owner ?? "", text: "" });
    const whole = ref(null);
    const near = ref(null);
    const around = ref(false);
    const owners = ref([]);
    const chosen = ref("");
    const opened = ref("");
    const drawn = computed(() => (around.value && near.value ? near.value : whole.value));
    const further = ref([]);
    let timer = 0;
    const found = computed(() => {
      const text = asked.text.trim().toLowerCase();
      const near = (drawn.value?.nodes ?? []).filter((node) => node.name.toLowerCase().includes(text));
      const known = new Set(near.map((node) => node.id));
      return [...near, ...further.value.filter((node) => !known.has(node.id))];
    });
    const node = computed(() => near.value?.nodes.find((each) => each.id === chosen.value));
    const neighbours = computed(() => {
      const names = new Map((near.value?.nodes ?? []).map((each) => [each.id, each]));
      return (near.value?.links ?? []).filter((link) => [link.one, link.other].includes(chosen.value)).slice(0, 12)
        .map((link) => ({ ...link, node: names.get(link.one === chosen.value ? link.other : link.one) }));
    });
    const communities = computed(() => {
      const groups = new Map();
      for (const each of whole.value?.nodes ?? []) if (each.community) groups.set(each.community, [...(groups.get(each.community) ?? []), each]);
      return [...groups.values()].filter((members) => members.length > 1).slice(0, MOST_COMMUNITIES);
    });
    const number = (value) => value.toLocaleString(host.locale);
    const about = (focus, text = "") => get("graph", { owner: asked.owner, focus, text, reveal: revealing.reason });

    async function load() {
      try {
        whole.value = await about("");
        if (chosen.value) await choose(chosen.value);
      } catch (error) {
        complain(error);
      }
    }
    async function choose(id) {
      try {
        near.value = await about(id);
        chosen.value = id;
        around.value ||= !whole.value.nodes.some((each) => each.id === id);
      } catch (error) {
        complain(error);
      }
    }
    function leave() {
      chosen.value = "";
      near.value = null;
      around.value = false;
    }
    // The picture has the most mentioned; the others are found by name.
    async function look() {
      clearTimeout(timer);
      const text = asked.text.trim();
      if (!text || whole.value.names <= whole.value.nodes.length) return;
      const { nodes } = await about("", text);
      if (text === asked.text.trim()) further.value = nodes;
    }
    async function first() {
      await look().catch(complain);
      if (found.value.length) choose(found.value[0].id);
    }
    watch(() => asked.text, () => {
      clearTimeout(timer);
      further.value = [];
      timer = setTimeout(() => look().catch(complain), WAIT);
    });
    watch(() => asked.owner, () => {
      leave();
      load();
    });
    watch(() => revealing.reason, load);
    onMounted(async () => {
      load();
      try {
        owners.value = (await get("owners")).owners;
      } catch (error) {
        complain(error);
      }
    });
    return { asked, whole, near, around, drawn, owners, chosen, opened, found, node, neighbours, communities, number, load, choose, leave, first, called, reveal, revealing, t };
  },
  template: `
    <header class="view-head">
      <div><h1>{{ t("graph.title") }}</h1><p>{{ t("graph.about") }}</p></div>
      <button v-if="!revealing.reason && whole?.why_masked === 'reason_needed'" type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button>
    </header>
    <form class="filters graph-filters" role="search" @submit.prevent="first">
      <input v-model="asked.text" class="field" type="search" maxlength="80" :placeholder="t('graph.search')" :aria-label="t('graph.search')" />
      <select v-model="asked.owner" class="field" :aria-label="t('memories.whose')"><option value="">{{ t("memories.everybody") }}</option>
        <option v-for="each in owners" :value="each.key">{{ called(each) }}</option></select>
    </form>
    <p v-if="whole?.left_out" class="note" style="margin-bottom:12px">{{ t("graph.left_out", { n: whole.left_out }) }}</p>
    <div v-if="!whole" class="loading"></div>
    <Empty v-else-if="!whole.nodes.length" :title="t('graph.none')" :text="t('graph.none_text')"></Empty>
    <div v-else class="graph-columns">
      <figure class="tide-picture graph-picture"><Archipelago :nodes="drawn.nodes" :links="drawn.links" :chosen="chosen" :lit="asked.text.trim()" @choose="choose"></Archipelago>
        <figcaption class="small">{{ t("graph.hint") }}<template v-if="!around && whole.names > whole.nodes.length"><br />{{ t("graph.drawn", { n: number(whole.names), drawn: whole.nodes.length }) }}</template></figcaption></figure>
      <section v-if="node" class="card graph-side" :aria-label="node.name">
        <div class="card-head"><h2>{{ node.name }}</h2><button type="button" class="button bare" @click="leave">{{ t("close") }}</button></div>
        <p class="quiet">{{ t("graph.told", { n: number(near.total) }) }}</p>
        <div class="actions" style="margin-top:10px"><button type="button" class="button" :aria-pressed="around" @click="around = !around">{{ t(around ? "graph.all" : "graph.around") }}</button></div>
        <template v-if="neighbours.length"><h3 style="margin-top:16px">{{ t("graph.with") }}</h3>
          <ul class="page-lines"><li v-for="each in neighbours"><button type="button" class="memory-open" @click="choose(each.node.id)">{{ each.node.name }}</button>
            <span class="small quiet">{{ each.predicates.slice(0, 2).join(" · ") || t("graph.together", { n: each.count }) }}</span></li></ul></template>
      </section>
      <section v-else class="card graph-side" :aria-label="t('graph.names')">
        <h2>{{ t("graph.names") }}</h2>
        <ol class="name-list"><li v-for="each in found.slice(0, 40)" :key="each.id"><button type="button" class="memory-open" @click="choose(each.id)">{{ each.name }}</button><span class="small quiet numbers">{{ number(each.count) }}</span></li></ol>
        <p v-if="!found.length" class="quiet">{{ t("graph.none_found") }}</p>
      </section>
      <section v-if="node" :aria-label="t('graph.memories', { name: node.name })">
        <h2>{{ t("graph.memories", { name: node.name }) }}</h2>
        <ul class="memories close-rows" style="margin-top:10px">
          <MemoryRow v-for="each in near.memories" :key="each.id" :memory="each" :now="near.now" :pickable="false" @open="opened = each.id"></MemoryRow>
        </ul>
        <div v-if="near.total > near.memories.length" class="actions"><button type="button" class="button" @click="$emit('go', 'memories', { text: node.name })">{{ t("graph.more") }}</button></div>
      </section>
      <section v-else-if="communities.length" :aria-label="t('graph.communities')">
        <h2>{{ t("graph.communities") }}</h2>
        <ul class="community-list"><li v-for="members in communities"><button v-for="each in members.slice(0, 6)" type="button" class="button" @click="choose(each.id)">{{ each.name }}</button></li></ul>
      </section>
    </div>
    <MemoryDrawer v-if="opened" :id="opened" @close="opened = ''" @changed="load" @open="(id) => (opened = id)"></MemoryDrawer>`,
};
