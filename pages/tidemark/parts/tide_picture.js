/** The living picture: water's edge, shore and rock, with every memory where it is held. */
import { computed, ref } from "../lib/vue.js";
import { t } from "../lib/host.js";
import { called, future, kept, level } from "../lib/words.js";

const SURFACE = 132;
const SEABED = [[0, 292], [200, 284], [400, 244], [560, 176], [640, 132]];
const SHORE = [[640, 132], [720, 112], [790, 100]];
const WEEK = 7 * 86400;
const NARROW = window.matchMedia("(max-width: 720px)").matches;

export const TidePicture = {
  props: { memories: { type: Array, required: true }, tiers: { type: Array, required: true }, now: { type: Number, required: true } },
  emits: ["open"],
  setup(props) {
    const at = ref(null);
    const dots = computed(() => props.memories.map((memory) => ({ memory, ...place(memory, props.now) })));
    const all = computed(() => props.tiers.reduce((sum, count) => sum + count, 0));
    const told = computed(() => {
      const memory = at.value?.memory;
      if (!memory) return "";
      return `${memory.masked ? t("tide.of", { name: called(memory.owner) }) : memory.text} · ${future(memory, props.now).text}`;
    });
    return { all, at, dots, told, NARROW, t };
  },
  template: `
    <figure class="tide-picture">
      <svg viewBox="0 0 1000 310" role="img" :aria-label="t('tide.picture', { t0: tiers[0], t1: tiers[1], t2: tiers[2] })">
        <defs>
          <linearGradient id="deep" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="var(--water)" stop-opacity=".16"></stop><stop offset="1" stop-color="var(--water)" stop-opacity=".5"></stop></linearGradient>
        </defs>
        <path class="rock" d="M776 310 L790 100 Q806 66 838 60 Q866 20 910 30 Q950 22 1000 8 V310 Z"></path>
        <path class="sand" d="M0 292 Q110 292 200 284 Q310 272 400 244 Q490 212 560 176 Q606 146 640 132 Q720 106 796 98 L800 310 H0 Z"></path>
        <path class="swell far" d="M-40 132 q20 -9 40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 Q606 150 560 178 Q490 214 400 246 Q310 274 200 286 Q110 294 -40 294 Z"></path>
        <path class="swell" fill="url(#deep)" d="M-60 136 q30 -8 60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t30 -2 Q606 150 560 178 Q490 214 400 246 Q310 274 200 286 Q110 294 -60 294 Z"></path>
        <circle v-for="each in dots" :key="each.memory.id" class="dot" :class="each.tone" :cx="each.x" :cy="each.y" :r="at === each ? each.r + 3 : each.r"
          @pointerenter="at = each" @click="$emit('open', each.memory.id)"></circle>
        <g class="tide-names">
          <text x="28" y="42" class="count">{{ tiers[0] }}</text><text x="28" y="66">{{ t(NARROW ? "tide.edge" : "tier.t0") }}</text>
          <text x="600" y="42" class="count">{{ tiers[1] }}</text><text x="600" y="66">{{ t(NARROW ? "tide.shore" : "tier.t1") }}</text>
          <text x="972" y="272" class="count on-rock" text-anchor="end">{{ tiers[2] }}</text><text x="972" y="294" class="on-rock" text-anchor="end">{{ t(NARROW ? "tide.rock" : "tier.t2") }}</text>
        </g>
      </svg>
      <figcaption class="small">{{ told || t("tide.hint") }} <template v-if="!told && memories.length < all">{{ t("tide.drawn", { all, n: memories.length }) }}</template></figcaption>
    </figure>`,
};

/** A number 0..1 that is always the same for a memory. */
function fixed(id, salt) {
  let sum = salt;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return sum / 9973;
}

function ground(line, x) {
  for (let index = 1; index < line.length; index += 1) {
    const [[x0, y0], [x1, y1]] = [line[index - 1], line[index]];
    if (x <= x1) return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
  }
  return line.at(-1)[1];
}

function place(memory, now) {
  const [across, down] = [fixed(memory.id, 7), fixed(memory.id, 113)];
  if (memory.tier === 2) return { x: 806 + across * 180, y: 96 + down * 150, r: 5, tone: "t2" };
  if (memory.tier === 1 || kept(memory)) {
    const x = 646 + across * 134;
    return { x, y: ground(SHORE, x) + 4 + down * 60, r: 5, tone: "t1" };
  }
  const x = 24 + across * 540;
  const depth = ground(SEABED, x) - SURFACE - 20;
  const sinks = memory.sinks_at !== null && memory.sinks_at - now < WEEK;
  return { x, y: SURFACE + 14 + depth * (1 - level(memory)) * (0.7 + 0.3 * down), r: sinks ? 6 : 4.5, tone: sinks ? "soon" : "t0" };
}
