/** All that is known of one memory, and what can be done to it. */
import { computed, ref, watch } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { change, tag } from "../lib/changes.js";
import { t, word } from "../lib/host.js";
import { reveal, revealing } from "../lib/revealing.js";
import { because, called, future, moment, unmarked, when } from "../lib/words.js";
import { ask } from "./dialog.js";
import { Drawer } from "./drawer.js";
import { Gauge } from "./gauge.js";
import { complain, toast } from "./toasts.js";

export const MemoryDrawer = {
  components: { Drawer, Gauge },
  props: { id: { type: String, required: true } },
  emits: ["close", "changed", "open"],
  setup(props, { emit }) {
    /** @type {{ value: import("../lib/types.js").Details | null }} */
    const found = ref(null);
    const memory = computed(() => found.value?.memory);
    const fate = computed(() => future(memory.value, found.value.now));
    const sums = computed(() => facts(found.value));
    const events = computed(() => {
      const { history } = found.value;
      const shown = history.filter((each) => each.action === "shown");
      const done = history.filter((each) => each.action !== "shown");
      const seen = shown.length ? [{ at: shown.at(-1).at, text: t("drawer.shown", { n: shown.length }) }] : [];
      return [...done.map((each) => ({ at: each.at, text: told(each) })), ...seen].sort((one, other) => one.at - other.at);
    });

    async function load() {
      try {
        found.value = await get(`memories/${props.id}`, { reveal: revealing.reason });
      } catch (error) {
        complain(error);
        emit("close");
      }
    }
    function changed() {
      load();
      emit("changed");
    }
    async function show() {
      if (await reveal()) changed();
    }
    async function edit() {
      const text = await ask({
        title: t("edit.title"),
        text: t("edit.text"),
        yes: t("edit.yes"),
        input: { label: t("edit.title"), value: memory.value.text, rows: 4, needed: true },
      });
      if (typeof text === "string") await write(memory.value.id, text, memory.value.text);
    }
    async function write(id, text, before) {
      try {
        const { after: written } = await post("memories/write", { id, text });
        toast(t("done.corrected"), () => write(written.id, before, text));
        emit("changed");
        emit("open", written.id);
      } catch (error) {
        complain(error);
      }
    }
    const back = (older) => write(memory.value.id, older.text, memory.value.text);
    const label = () => tag([memory.value.id], changed);
    const act = (what, on = true) => change(what, [memory.value.id], changed, on);
    watch(() => props.id, load, { immediate: true });
    return { found, memory, fate, sums, events, show, edit, back, label, act, t, word, when, moment, unmarked };
  },
  template: `
    <Drawer :title="t('drawer.title')" @close="$emit('close')">
      <div v-if="!found" class="loading"></div>
      <template v-else>
        <ol v-if="found.story.length" class="timeline" :aria-label="t('drawer.story')">
          <li v-for="each in found.story"><time>{{ each.said.split(" ")[0] }}</time>
            <button type="button" class="memory-open" @click="$emit('open', each.memories[0].id)">{{ each.said.split(" ").slice(1).join(" ") }}</button></li>
        </ol>
        <p v-else class="whole-text" :class="{ 'hidden-text': memory.masked }">{{ memory.masked ? t("reveal.masked_long") : memory.text }}</p>
        <figure v-for="each in found.media.filter((one) => one.preview)" class="preview">
          <img :src="'data:image/jpeg;base64,' + each.preview" :alt="each.caption || each.name || t('drawer.picture')">
          <figcaption v-if="each.caption" class="small quiet">{{ each.caption }}</figcaption>
        </figure>
        <div v-if="memory.masked && found.why_masked === 'reason_needed'" class="actions">
          <button type="button" class="button first" @click="show">{{ t("reveal.show") }}</button>
        </div>
        <p v-else-if="memory.masked" class="small quiet">{{ word("refused", found.why_masked) }}</p>
        <div class="actions">
          <template v-if="memory.standing.status === 'live'">
            <button v-if="found.editable" type="button" class="button" @click="edit">{{ t("edit.open") }}</button>
            <button type="button" class="button" @click="act('important', !memory.feedback.important)">{{ t(memory.feedback.important ? "act.unimportant" : "act.important") }}</button>
            <button v-if="found.editable" type="button" class="button" @click="label">{{ t("act.tag") }}</button>
            <button type="button" class="button" @click="act('pin', !memory.vitality.pinned)">{{ t(memory.vitality.pinned ? "act.unpin" : "act.pin") }}</button>
            <button type="button" class="button grave" @click="act('forget')">{{ t("act.forget") }}</button>
          </template>
          <template v-else-if="memory.standing.status === 'quarantined'">
            <button type="button" class="button first" @click="act('accept')">{{ t("act.accept") }}</button>
            <button type="button" class="button grave" @click="act('drop')">{{ t("act.drop") }}</button>
          </template>
          <button v-else type="button" class="button first" @click="act('restore')">{{ t("act.restore") }}</button>
        </div>
        <section>
          <p style="display:flex;gap:12px;align-items:center">
            <Gauge :memory="memory"></Gauge>
            <span><span class="pill" :class="fate.tone">{{ fate.text }}</span>
              <span v-if="memory.sinks_at !== null || memory.tier" class="small quiet">&ensp;{{ word("tier", "t" + memory.tier) }}</span></span>
          </p>
        </section>
        <section v-if="found.sources.length">
          <h3>{{ t("drawer.said") }}</h3>
          <blockquote v-for="each in found.sources" class="said" :class="{ bot: each.by_bot }">{{ each.text }}
            <footer>{{ each.by_bot ? t("names.bot") : each.speaker || memory.speaker_name || t("names.somebody") }} · {{ moment(each.at) }}</footer>
          </blockquote>
        </section>
        <section v-if="found.corrected.length">
          <h3>{{ t("drawer.corrected") }}</h3>
          <ol class="timeline"><li v-for="each in found.corrected" :key="each.id"><time>{{ when(each.created_at, found.now) }}</time>
            <button type="button" class="memory-open" @click="$emit('open', each.id)">{{ each.text }}</button>
            <button v-if="found.editable && memory.standing.status === 'live' && !memory.successor" type="button" class="button bare" @click="back(each)">{{ t("edit.back") }}</button></li></ol>
        </section>
        <section v-if="found.replaced?.newer">
          <h3>{{ t("drawer.replaced_by") }}</h3>
          <button type="button" class="button" style="white-space:normal;text-align:left" @click="$emit('open', found.replaced.newer.id)">{{ found.replaced.newer.text || t("reveal.masked") }}</button>
        </section>
        <section v-if="found.chain.length">
          <h3>{{ t("drawer.chain") }}</h3>
          <ol class="timeline">
            <li v-for="each in found.chain"><time>{{ when(each.happened_at || each.created_at, found.now) }}</time>
              <button v-if="each.id !== memory.id" type="button" class="memory-open" style="text-decoration:underline" @click="$emit('open', each.id)">{{ each.text }}</button>
              <strong v-else>{{ each.text }}</strong></li>
          </ol>
        </section>
        <section v-if="found.threads.length">
          <h3>{{ t("drawer.threads") }}</h3>
          <button v-for="each in found.threads" :key="each.id" type="button" class="button" style="white-space:normal;text-align:left" :disabled="each.masked" @click="$emit('open', each.id)">{{ each.masked ? t("reveal.masked") : unmarked(each.text.split("\\n")[0]) }} …</button>
        </section>
        <section>
          <h3>{{ t("drawer.facts") }}</h3>
          <dl class="facts"><template v-for="[name, value] in sums"><dt>{{ name }}</dt><dd>{{ value }}</dd></template></dl>
        </section>
        <section v-if="events.length">
          <h3>{{ t("drawer.history") }}</h3>
          <ol class="timeline">
            <li v-for="each in events"><time>{{ moment(each.at) }}</time>{{ each.text }}</li>
          </ol>
        </section>
      </template>
    </Drawer>`,
};

function facts(found) {
  if (!found) return [];
  const { memory } = found;
  const rows = [
    [t("facts.whose"), called(memory.owner)],
    [t("facts.speaker"), memory.speaker_name || "–"],
    [t("facts.happened"), moment(memory.happened_at || memory.created_at)],
    [t("facts.kind"), word("kind", memory.kind)],
    [t("facts.source"), word("source", memory.source)],
    [t("facts.trust"), t(found.trust >= 0.75 ? "trust.high" : found.trust >= 0.45 ? "trust.middle" : "trust.low")],
    [t("facts.useful"), t("facts.times", { n: memory.vitality.useful_count })],
  ];
  const { mood } = memory.sentiment;
  const persona = decodeURIComponent(memory.scope.split("/").at(-1));
  const { status, reason } = memory.standing;
  if (mood !== "neutral") rows.push([t("facts.mood"), word("mood", mood)]);
  if (!["*", "default"].includes(persona)) rows.push([t("facts.persona"), persona]);
  if (status !== "live" && reason) rows.push([t("facts.removal"), because(reason)]);
  return rows;
}

function told(event) {
  const parts = [word("action", event.action)];
  if (event.by) parts.push(t("drawer.by", { name: word("actor", event.by) }));
  if (event.removal) parts.push(because(event.removal));
  if (event.reason) parts.push(event.reason);
  return parts.join(" · ");
}
