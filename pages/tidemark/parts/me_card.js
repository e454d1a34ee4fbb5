/** "This is me": the owner's login and their accounts in chats, linked by a code said there or by one click. */
import { onBeforeUnmount, onMounted, ref } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { t } from "../lib/host.js";
import { ask as sure } from "./dialog.js";
import { complain, toast } from "./toasts.js";

const ASK_EVERY = 2000;
const CHOICES = ["reminded", "shared", "paused"];

export const MeCard = {
  emits: ["linked"],
  setup(_, { emit }) {
    const me = ref(null);
    const code = ref("");
    let timer = 0;

    async function load() {
      try {
        const before = me.value?.accounts.length;
        me.value = await get("me");
        if (before === undefined || me.value.accounts.length === before) return;
        code.value = "";
        if (me.value.accounts.length > before) toast(t("me.done"));
        emit("linked");
      } catch (error) {
        complain(error);
        code.value = "";
      }
    }
    async function doing(request) {
      try {
        await request;
        await load();
      } catch (error) {
        complain(error);
      }
    }
    async function wait() {
      clearTimeout(timer);
      await load();
      if (code.value) timer = setTimeout(wait, ASK_EVERY);
    }
    async function ask() {
      await doing(post("me/code").then((given) => (code.value = given.answer)));
      await wait();
    }
    const webchat = () => doing(post("me/webchat"));
    const part = ({ platform, subject }) => doing(post("accounts/part", { platform, user: subject }));
    const choose = (what, on) => doing(post("me/choose", { name: what, on }));
    async function forget() {
      const asked = await post("me/forget");
      const said = { n: asked.memories, turns: asked.turns };
      if (!(await sure({ title: t("me.forget_title"), text: t("me.forget_text", said), yes: t("me.forget"), grave: true }))) return;
      const gone = await post("me/forget", { code: asked.code });
      toast(gone.delayed ? t("me.forget_delayed", { why: gone.delayed }) : t("me.forgotten", { n: gone.memories, turns: gone.turns }));
      const kept = [...gone.exports, ...gone.beside];
      if (kept.length) toast(t("me.forget_kept", { files: kept.join(", ") }));
      emit("linked");
    }
    const name = (account) => account.name || account.subject;
    onMounted(load);
    onBeforeUnmount(() => clearTimeout(timer));
    return { me, code, ask, webchat, part, choose, forget: () => doing(forget()), name, t, CHOICES };
  },
  template: `
    <section v-if="me" class="card me">
      <h2>{{ t("me.title") }}</h2>
      <template v-if="me.accounts.length">
        <p class="small quiet">{{ t("me.known") }}</p>
        <ul class="page-lines"><li v-for="account in me.accounts"><span>{{ name(account) }} <span class="small quiet">{{ account.platform }} · {{ account.subject }}</span></span>
          <button type="button" class="button bare" @click="part(account)">{{ t("people.part") }}</button></li></ul>
        <label v-for="each in CHOICES" :key="each" class="check"><input type="checkbox" role="switch" :checked="me.consent[each]" @change="choose(each, $event.target.checked)" />{{ t("me." + each) }}</label>
      </template>
      <p v-else class="quiet">{{ t("me.about") }}</p>
      <div v-if="code" class="note" aria-live="polite"><span>{{ t("me.say") }} <code class="code" tabindex="0">/memory link {{ code }}</code></span><span class="small">{{ t("me.waiting") }}</span></div>
      <div v-else class="actions">
        <button v-if="me.webchat" type="button" class="button first" @click="webchat">{{ t("me.webchat", { name: name(me.webchat) }) }}</button>
        <button type="button" class="button" @click="ask">{{ t("me.chat") }}</button>
        <button v-if="me.accounts.length" type="button" class="button bare grave" @click="forget">{{ t("me.forget") }}</button>
      </div>
    </section>`,
};
