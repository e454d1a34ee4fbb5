/** What people mean to do: open, due, done and left lying; closed and opened again. */
import { onMounted, reactive, ref, watch } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { t, word } from "../lib/host.js";
import { called, date } from "../lib/words.js";
import { Pager } from "./pager.js";
import { complain, toast } from "./toasts.js";

const SORTS = ["open", "due", "closed", "stale"];

export const PlansCard = {
  components: { Pager },
  emits: ["open"],
  setup() {
    const asked = reactive({ which: "open", page: 1 });
    const found = ref(null);
    async function load() {
      try {
        found.value = await get("plans", asked);
      } catch (error) {
        complain(error);
      }
    }
    async function close(plan, over) {
      try {
        await post("plans/close", { ids: [plan.id], on: over });
        toast(t(over ? "plans.done" : "plans.again"), () => close(plan, !over));
        await load();
      } catch (error) {
        complain(error);
      }
    }
    // Of a masked one is told that it is there, not what it is.
    const told = ({ intention }) => {
      if (!intention) return "";
      if (intention.closed_at) return t(intention.given_up ? "plans.given_up" : "plans.closed", { date: date(intention.closed_at) });
      return intention.due_at === null ? "" : t("plans.due", { date: date(intention.due_at) });
    };
    watch(() => asked.which, () => {
      asked.page = 1;
      load();
    });
    function go(page) {
      asked.page = page;
      load();
    }
    onMounted(load);
    return { asked, found, close, told, go, called, SORTS, t, word };
  },
  template: `
    <section class="card" aria-labelledby="plans-title">
      <div class="card-head"><h2 id="plans-title">{{ t("plans.title") }}</h2>
        <select v-model="asked.which" class="field" :aria-label="t('plans.which')"><option v-for="each in SORTS" :value="each">{{ t("plans.sort_" + each, { n: found?.counts[each] ?? 0 }) }}</option></select></div>
      <p class="quiet">{{ t("plans.about") }}</p>
      <ul v-if="found?.page.entries.length" class="plain-list">
        <li v-for="plan in found.page.entries" :key="plan.id">
          <div><button type="button" class="memory-open" @click="$emit('open', plan.id)"><span class="memory-text" :class="{ 'hidden-text': plan.masked }">{{ plan.masked ? t("reveal.masked") : plan.text }}</span></button>
            <div class="quiet small"><span v-if="!plan.masked" class="pill">{{ word("intention", plan.intention.type) }}</span> {{ called(plan.owner) }} {{ told(plan) ? "· " + told(plan) : "" }}</div></div>
          <button v-if="plan.intention?.closed_at" type="button" class="button bare" @click="close(plan, false)">{{ t("plans.reopen") }}</button>
          <button v-else-if="!plan.masked" type="button" class="button" @click="close(plan, true)">{{ t("plans.close") }}</button>
        </li>
      </ul>
      <p v-else-if="found" class="note" style="margin-top:14px">{{ word("listed_empty", "plans_" + asked.which) }}</p>
      <Pager v-if="found" :page="found.page.number" :pages="found.page.pages" @go="go"></Pager>
    </section>`,
};
