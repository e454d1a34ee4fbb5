/** A glass of water: how much life a memory has left, in the colour of its tier. */
import { computed } from "../lib/vue.js";
import { word } from "../lib/host.js";
import { kept, level } from "../lib/words.js";

const TOP = 3;
const BOTTOM = 31;

export const Gauge = {
  props: { memory: { type: Object, required: true } },
  setup(props) {
    const tone = computed(() => (props.memory.standing.status === "live" ? `t${props.memory.tier}` : "gone"));
    const water = computed(() => {
      const full = kept(props.memory) || props.memory.tier === 2 ? 1 : level(props.memory);
      const y = BOTTOM - (BOTTOM - TOP - 3) * full;
      // A wave of two swells, closed at the bottom of the glass.
      return `M3 ${y} q5 -2.6 10 0 t10 0 V${BOTTOM} H3 Z`;
    });
    const label = computed(() => word("tier", `t${props.memory.tier}`));
    return { tone, water, label };
  },
  template: `
    <svg class="gauge" :class="tone" viewBox="0 0 26 34" role="img" :aria-label="label">
      <title>{{ label }}</title>
      <rect class="glass" x="3" y="3" width="20" height="28" rx="6"></rect>
      <clipPath :id="'g' + memory.id"><rect x="3" y="3" width="20" height="28" rx="6"></rect></clipPath>
      <path class="level" :d="water" :clip-path="'url(#g' + memory.id + ')'"></path>
    </svg>`,
};
