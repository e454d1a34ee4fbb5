/** What AstrBot kept before the plugin was there: what learning from it costs, and doing it. Nothing where there is none. */
import { onMounted, ref } from "../lib/vue.js";
import { post } from "../lib/api.js";
import { host, t } from "../lib/host.js";
import { complain, toast } from "./toasts.js";

export const PastCard = {
  emits: ["learnt"],
  setup(_, { emit }) {
    const past = ref(null);
    const busy = ref(false);
    const counts = () => Object.fromEntries(["turns", "chats", "episodes", "tokens", "days"].map((name) => [name, past.value[name].toLocaleString(host.locale)]));
    async function look() {
      try {
        past.value = await post("past");
      } catch {
        past.value = null;
      }
    }
    async function learn() {
      busy.value = true;
      try {
        const done = await post("past", { code: past.value.code });
        toast(t("past.done", { n: done.turns.toLocaleString(host.locale) }));
        past.value = null;
        emit("learnt");
      } catch (error) {
        complain(error);
        await look();
      } finally {
        busy.value = false;
      }
    }
    onMounted(look);
    return { past, busy, counts, learn, t };
  },
  template: `
    <section v-if="past" class="card" style="margin-top:16px">
      <h2>{{ t("past.title") }}</h2>
      <p class="quiet">{{ t("past.about", counts()) }}</p>
      <div class="actions"><button type="button" class="button first" :disabled="busy" @click="learn">{{ t("past.yes") }}</button></div>
    </section>`,
};
