/** One memory in a list: what it says, who said it when, and what becomes of it. */
import { computed } from "../lib/vue.js";
import { t, word } from "../lib/host.js";
import { called, future, unmarked, when } from "../lib/words.js";
import { Gauge } from "./gauge.js";

export const MemoryRow = {
  components: { Gauge },
  props: {
    memory: { type: Object, required: true },
    now: { type: Number, required: true },
    picked: { type: Boolean, default: false },
    pickable: { type: Boolean, default: true },
  },
  emits: ["open", "pick", "tag"],
  setup(props) {
    const fate = computed(() => future(props.memory, props.now));
    // A story is told by nobody.
    const story = computed(() => props.memory.kind === "narrative");
    const text = computed(() => (story.value ? unmarked(props.memory.text) : props.memory.text));
    const speaker = computed(() => props.memory.speaker_name || (story.value ? "" : t("names.somebody")));
    const place = computed(() => {
      const owner = called(props.memory.owner);
      if (props.memory.owner.kind === "group") return t("names.in_group", { name: owner });
      return owner === props.memory.speaker_name ? t("names.in_private") : t("names.of_person", { name: owner });
    });
    return { fate, text, speaker, place, t, word, when };
  },
  template: `
    <li class="memory-row">
      <input v-if="pickable" type="checkbox" :checked="picked" :aria-label="t('memories.pick')" @change="$emit('pick')" />
      <span v-else></span>
      <Gauge :memory="memory"></Gauge>
      <button type="button" class="memory-open" @click="$emit('open')">
        <span class="memory-text" :class="{ 'hidden-text': memory.masked }">{{ memory.masked ? t("reveal.masked") : text }}</span>
        <span class="memory-said">
          <span v-if="!memory.masked && speaker">{{ speaker }}</span>
          <span>{{ place }}</span>
          <span>{{ when(memory.happened_at || memory.created_at, now) }}</span>
          <span>{{ word("kind", memory.kind) }}</span>
        </span>
      </button>
      <div class="memory-end">
        <button v-for="each in memory.tags" :key="each" type="button" class="pill tag" @click="$emit('tag', each)">#{{ each }}</button>
        <span class="pill" :class="fate.tone">{{ fate.text }}</span>
        <slot></slot>
      </div>
    </li>`,
};
