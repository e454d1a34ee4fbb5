/** People and groups: what is known of each, what they have chosen, and which accounts are theirs. */
import { onMounted, ref, watch } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { host, t, word } from "../lib/host.js";
import { reveal, revealing } from "../lib/revealing.js";
import { called } from "../lib/words.js";
import { ask } from "../parts/dialog.js";
import { Drawer } from "../parts/drawer.js";
import { Empty } from "../parts/empty.js";
import { MeCard } from "../parts/me_card.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { complain, toast } from "../parts/toasts.js";

const COLOURS = ["water", "shore", "rock"];

export const PeopleView = {
  components: { Drawer, Empty, MeCard, MemoryDrawer },
  emits: ["go"],
  setup() {
    const owners = ref(null);
    const live = ref({});
    const person = ref(null);
    const memory = ref("");
    const tone = (each) => COLOURS[[...each.key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLOURS.length];
    const number = (value) => value.toLocaleString(host.locale);

    async function load() {
      try {
        ({ owners: owners.value, live: live.value } = await get("owners"));
      } catch (error) {
        complain(error);
      }
    }
    async function open(owner) {
      try {
        person.value = await get("person", { owner, reveal: revealing.reason });
      } catch (error) {
        complain(error);
      }
    }
    async function join() {
      const [account] = person.value.accounts;
      const given = await ask({
        title: t("people.join"), text: t("people.join_about", { name: called(person.value.owner) }), yes: t("people.join_yes"),
        input: { label: t("people.join_name"), value: person.value.owner.name, needed: true },
      });
      if (typeof given !== "string") return;
      await done(post("accounts/join", { platform: account.platform, user: account.subject, person: given.trim() }), () => part(account));
    }
    const part = ({ platform, subject }) => done(post("accounts/part", { platform, user: subject }));
    async function done(request, undo = null) {
      try {
        await request;
        toast(t("people.changed"), undo);
        await open(person.value.owner.key);
      } catch (error) {
        complain(error);
      }
    }
    watch(() => revealing.reason, () => person.value && open(person.value.owner.key));
    onMounted(load);
    return { owners, live, person, memory, called, tone, number, open, join, part, reveal, t, word };
  },
  template: `
    <header class="view-head"><div><h1>{{ t("people.title") }}</h1><p>{{ t("people.about") }}</p></div></header>
    <MeCard @linked="load"></MeCard>
    <div v-if="!owners" class="loading"></div>
    <ul v-else-if="owners.length" class="people">
      <li v-for="each in owners" :key="each.key">
        <button type="button" class="card person" @click="open(each.key)">
          <span class="face" :class="tone(each)" aria-hidden="true">{{ [...called(each)][0] }}</span>
          <span><strong>{{ called(each) }}</strong><span class="small quiet">{{ t("people." + each.kind) }} · {{ each.platform }}</span></span>
          <span class="numbers person-count">{{ number(live[each.key]) }}<span class="small quiet">{{ t("people.memories") }}</span></span>
        </button>
      </li>
    </ul>
    <Empty v-else :title="t('people.none')" :text="t('people.none_text')"></Empty>
    <Drawer v-if="person" :title="called(person.owner)" @close="person = null">
      <div class="actions" style="margin-top:0">
        <button type="button" class="button first" @click="$emit('go', 'memories', { owner: person.owner.key })">{{ t("people.all") }}</button>
        <button type="button" class="button" @click="$emit('go', 'why', { owner: person.owner.key })">{{ t("people.ask") }}</button>
      </div>
      <section v-if="person.owner.kind === 'private'">
        <h3>{{ t("people.page") }}</h3>
        <template v-if="person.why_masked"><p class="quiet">{{ t("people.page_masked", { n: person.lines.length }) }}</p>
          <div v-if="person.why_masked === 'reason_needed'" class="actions"><button type="button" class="button" @click="reveal">{{ t("reveal.show") }}</button></div></template>
        <ul v-else-if="person.lines.length" class="page-lines">
          <li v-for="[section, told] in person.lines"><span class="small quiet">{{ word("section", section) }}</span>
            <button type="button" class="memory-open" @click="memory = told.id">{{ told.text }}</button></li>
        </ul>
        <p v-else class="quiet">{{ t("people.page_empty") }}</p>
      </section>
      <section>
        <h3>{{ t("people.chosen") }}</h3>
        <dl class="facts">
          <dt>{{ t("people.recording") }}</dt><dd>{{ t(person.consent.paused ? "people.paused" : "people.recorded") }}</dd>
          <template v-if="person.owner.kind === 'private'"><dt>{{ t("people.where") }}</dt><dd>{{ t(person.consent.shared ? "people.shared" : "people.private_only") }}</dd></template>
          <template v-else><dt>{{ t("people.where") }}</dt><dd>{{ t("people.group_only") }}</dd></template>
          <dt>{{ t("people.keeping") }}</dt><dd>{{ person.consent.keep_days === null ? t("people.keep_useful") : t("people.keep_days", { n: person.consent.keep_days }) }}</dd>
        </dl>
        <p class="small quiet" style="margin-top:8px">{{ t("people.own_choice") }}</p>
      </section>
      <section>
        <h3>{{ t("people.kinds") }}</h3>
        <dl class="facts"><template v-for="(count, kind) in person.kinds"><dt>{{ word("kind", kind) }}</dt><dd class="numbers">{{ number(count) }}</dd></template></dl>
      </section>
      <section v-if="person.accounts.length">
        <h3>{{ t("people.accounts") }}</h3>
        <ul class="page-lines"><li v-for="account in person.accounts"><span>{{ account.name || account.subject }} <span class="small quiet">{{ account.platform }} · {{ account.subject }}</span></span>
          <button v-if="person.accounts.length > 1" type="button" class="button bare" @click="part(account)">{{ t("people.part") }}</button></li></ul>
        <button type="button" class="button" @click="join">{{ t("people.join") }}</button>
      </section>
    </Drawer>
    <MemoryDrawer v-if="memory" :id="memory" @close="memory = ''" @open="(id) => (memory = id)"></MemoryDrawer>`,
};
