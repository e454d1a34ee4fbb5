/** What each sleep did, decision by decision, and taking single ones back. */
import { onMounted, ref } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { t, word } from "../lib/host.js";
import { called, moment } from "../lib/words.js";
import { ask } from "./dialog.js";
import { Drawer } from "./drawer.js";
import { Pager } from "./pager.js";
import { complain, toast } from "./toasts.js";

/** What is done to a conversation as a whole, however many memories come of it. */
const OF_A_CONVERSATION = ["overlooked", "reread"];

export const SleepDrawer = {
  components: { Drawer, Pager },
  emits: ["close", "changed", "open"],
  setup(_, { emit }) {
    const list = ref(null);
    const report = ref(null);
    async function asking(work) {
      try {
        await work();
      } catch (error) {
        complain(error);
      }
    }
    const load = (page = 1) => asking(async () => {
      list.value = await get("reports", { page });
    });
    const open = (number, page = 1) => asking(async () => {
      report.value = await get(`reports/${number}`, { page });
    });
    async function undo(decision) {
      if (!(await ask({ title: t("sleeps.undo_title"), text: t("sleeps.undo_text", { deed: deed(decision) }), yes: t("sleeps.undo") }))) return;
      await asking(async () => {
        await post("reports/undo", { decision: decision.decided.id });
        toast(t("sleeps.undone"));
        await open(report.value.sleep.id, report.value.decisions.number);
        emit("changed");
      });
    }
    const deed = ({ decided: { decision } }) => word("deed", decision.deed, { count: OF_A_CONVERSATION.includes(decision.deed) ? 1 : decision.memories.length });
    const deeds = (each) => Object.entries(each.deeds).map(([name, count]) => word("deed", name, { count })).join(t("sleeps.and")) || [t("tide.night_quiet"), Object.entries(each.left).map(([name, count]) => word("left", name, { count })).join(t("sleeps.and"))].join(" ");
    const place = (each) => (each.owner ? called(each.owner) : t("sleeps.everywhere"));
    onMounted(() => load());
    return { list, report, load, open, undo, deed, deeds, place, moment, t, word };
  },
  template: `
    <Drawer :title="t('sleeps.title')" @close="$emit('close')">
      <div v-if="!list" class="loading"></div>
      <template v-else-if="report">
        <div class="actions" style="margin-top:0"><button type="button" class="button" @click="report = null">{{ t("sleeps.back") }}</button></div>
        <section><h3>{{ place(report) }} · {{ moment(report.sleep.at) }}</h3>
          <p class="quiet">{{ word("cause", report.sleep.cause) }} · {{ t("sleeps.cost", { calls: report.sleep.calls, tokens: report.sleep.tokens }) }}</p></section>
        <ul class="plain-list">
          <li v-for="each in report.decisions.entries" :key="each.decided.id"><div>
            <strong :class="{ 'hidden-text': each.decided.undone_at }">{{ deed(each) }}</strong>
            <button v-for="memory in each.memories" :key="memory.id" type="button" class="memory-open decided" :class="{ 'hidden-text': memory.masked }" @click="$emit('open', memory.id)">{{ memory.masked ? t("reveal.masked") : memory.text }}</button>
            <span v-if="!each.memories.length" class="small quiet">{{ t("sleeps.gone") }}</span></div>
            <span v-if="each.decided.undone_at" class="pill">{{ t("sleeps.taken_back") }}</span>
            <button v-else type="button" class="button" @click="undo(each)">{{ t("sleeps.undo") }}</button></li>
        </ul>
        <p v-if="!report.decisions.entries.length" class="quiet">{{ t("sleeps.no_decisions", { deeds: deeds(report) }) }}</p>
        <Pager :page="report.decisions.number" :pages="report.decisions.pages" @go="(page) => open(report.sleep.id, page)"></Pager>
      </template>
      <template v-else>
        <ul v-if="list.entries.length" class="plain-list">
          <li v-for="each in list.entries" :key="each.sleep.id"><button type="button" class="memory-open" @click="open(each.sleep.id)"><strong>{{ place(each) }}</strong> <span class="small quiet">{{ moment(each.sleep.at) }} · {{ word("cause", each.sleep.cause) }}</span><br />{{ deeds(each) }}</button></li>
        </ul>
        <p v-else class="quiet">{{ t("sleeps.none") }}</p>
        <Pager :page="list.number" :pages="list.pages" @go="load"></Pager>
      </template>
    </Drawer>`,
};
