/** Memories that cannot all be so, side by side, and which of them holds. */
import { onMounted, ref, watch } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { t, word } from "../lib/host.js";
import { reveal, revealing } from "../lib/revealing.js";
import { called, when } from "../lib/words.js";
import { ask } from "./dialog.js";
import { Pager } from "./pager.js";
import { complain, toast } from "./toasts.js";

export const ConflictsCard = {
  components: { Pager },
  emits: ["open"],
  setup() {
    const found = ref(null);
    const page = ref(1);
    async function load() {
      try {
        found.value = await get("conflicts", { page: page.value, reveal: revealing.reason });
      } catch (error) {
        complain(error);
      }
    }
    async function decide(memory) {
      if (!(await ask({ title: t("conflicts.decide_title"), text: t("conflicts.decide_text", { text: memory.text }), yes: t("conflicts.decide") }))) return;
      try {
        const { answer } = await post("conflicts/decide", { id: memory.id });
        toast(t("conflicts.decided", { n: answer.length - 1 }));
        await load();
      } catch (error) {
        complain(error);
      }
    }
    async function both(conflict) {
      const { id } = conflict.claims[0];
      const say = async (off) => {
        await post("conflicts/both", { id, on: !off });
        await load();
      };
      try {
        await say(false);
        toast(t("conflicts.both_hold"), () => say(true));
      } catch (error) {
        complain(error);
      }
    }
    function go(number) {
      page.value = number;
      load();
    }
    watch(() => revealing.reason, load);
    onMounted(load);
    return { found, decide, both, go, called, reveal, revealing, t, when, word };
  },
  template: `
    <section v-if="found?.page.total" class="card conflicts" aria-labelledby="conflicts-title">
      <div class="card-head"><h2 id="conflicts-title">{{ t("conflicts.title", { n: found.page.total }) }}</h2>
        <button v-if="!revealing.reason && found.why_masked === 'reason_needed'" type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button></div>
      <p class="quiet">{{ t("conflicts.about") }}</p>
      <div v-for="conflict in found.page.entries" :key="conflict.claims[0].id" class="conflict">
        <h3>{{ conflict.attribute ? word("attribute", conflict.attribute) : t("conflicts.denied") }} <span class="small quiet">{{ called(conflict.claims[0].owner) }}</span></h3>
        <div class="claims">
          <div v-for="each in conflict.claims" :key="each.id" class="claim">
            <button type="button" class="memory-open" @click="$emit('open', each.id)"><span class="memory-text" :class="{ 'hidden-text': each.masked }">{{ each.masked ? t("reveal.masked") : each.text }}</span>
              <span class="memory-said"><span v-if="each.speaker_name">{{ each.speaker_name }}</span><span>{{ when(each.happened_at || each.created_at, found.now) }}</span></span></button>
            <button type="button" class="button" :disabled="each.masked" @click="decide(each)">{{ t("conflicts.decide") }}</button>
          </div>
        </div>
        <div class="actions"><button type="button" class="button" :disabled="conflict.claims.some((each) => each.masked)" @click="both(conflict)">{{ t(conflict.claims.length === 2 ? "conflicts.both" : "conflicts.all") }}</button></div>
      </div>
      <Pager :page="found.page.number" :pages="found.page.pages" @go="go"></Pager>
    </section>`,
};
