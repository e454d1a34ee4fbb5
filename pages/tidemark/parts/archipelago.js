/** Names as islands, joined where memories speak of both; the one in focus and its neighbours stand out. */
import { computed, ref } from "../lib/vue.js";
import { layout } from "../lib/layout.js";
import { t } from "../lib/host.js";

const NARROW = window.matchMedia("(max-width: 720px)").matches;
const [WIDTH, HEIGHT] = NARROW ? [400, 470] : [860, 560];
const MOST_DRAWN = NARROW ? 24 : 60;
const WIDE = /[\u2e80-\uffef]/g;
const LINE = 13;
const COLOURS = ["c0", "c1", "c2", "c3", "c4"];
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export const Archipelago = {
  props: { nodes: { type: Array, required: true }, links: { type: Array, required: true }, chosen: { type: String, default: "" }, lit: { type: String, default: "" } },
  emits: ["choose"],
  setup(props, { emit }) {
    const picture = ref(null);
    const drawn = computed(() => props.nodes.slice(0, MOST_DRAWN));
    const lines = computed(() => {
      const known = new Set(drawn.value.map((node) => node.id));
      return props.links.filter((link) => known.has(link.one) && known.has(link.other));
    });
    const places = computed(() => layout(drawn.value, lines.value, WIDTH, HEIGHT));
    const colours = computed(() => {
      const known = [...new Set(drawn.value.map((node) => node.community).filter(Boolean))];
      return new Map(known.map((id, index) => [id, COLOURS[index % COLOURS.length]]));
    });
    const most = computed(() => Math.max(1, ...drawn.value.map((node) => node.count)));
    const size = (node) => 5 + 13 * Math.sqrt(node.count / most.value);
    /** Those whose name has room beside the names of the more mentioned; the others tell theirs when pointed at. */
    const named = computed(() => {
      const taken = [];
      return new Set(drawn.value.filter((node) => {
        const { x, y } = places.value.get(node.id), name = short(node.name);
        const [half, low] = [(name.length + (name.match(WIDE) ?? []).length) * 4.2, y + size(node) + 17];
        if (taken.some((each) => Math.abs(each.x - x) < each.half + half && Math.abs(each.low - low) < LINE)) return false;
        return taken.push({ x, half, low });
      }).map((node) => node.id));
    });
    const near = computed(() => new Set(lines.value.filter((link) => [link.one, link.other].includes(props.chosen)).flatMap((link) => [link.one, link.other])));
    const lit = computed(() => new Set(drawn.value.filter((node) => props.lit && node.name.toLowerCase().includes(props.lit.toLowerCase())).map((node) => node.id)));
    const dim = (node) => (props.chosen ? node.id !== props.chosen && !near.value.has(node.id) : lit.value.size > 0 && !lit.value.has(node.id));
    const joined = (link) => [link.one, link.other].includes(props.chosen);
    function short(name) {
      return name.length > 16 ? `${name.slice(0, 15)}…` : name;
    }
    // One stop of the Tab key; the arrows go on from there.
    const stop = computed(() => (drawn.value.some((node) => node.id === props.chosen) ? props.chosen : drawn.value[0]?.id));
    function keys(event, index) {
      if (event.key === "Enter" || event.key === " ") emit("choose", drawn.value[index].id);
      else if (STEPS[event.key]) picture.value.querySelectorAll(".node")[(index + STEPS[event.key] + drawn.value.length) % drawn.value.length]?.focus();
      else return;
      event.preventDefault();
    }
    return { picture, drawn, lines, places, colours, named, size, dim, joined, short, stop, keys, WIDTH, HEIGHT, t };
  },
  template: `
    <svg ref="picture" class="archipelago" :viewBox="'0 0 ' + WIDTH + ' ' + HEIGHT" role="group" :aria-label="t('graph.picture', { n: drawn.length })">
      <path v-for="row in 7" class="ripple" :d="'M-40 ' + (row * HEIGHT) / 7.5 + ' q20 -7 40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0'"></path>
      <line v-for="link in lines" :key="link.one + ' ' + link.other" class="strait" :class="{ on: joined(link), dim: chosen && !joined(link) }" :stroke-width="Math.min(5, 0.8 + link.count * 0.5)"
        :x1="places.get(link.one).x" :y1="places.get(link.one).y" :x2="places.get(link.other).x" :y2="places.get(link.other).y"></line>
      <g v-for="(node, index) in drawn" :key="node.id" class="node" :class="[colours.get(node.community) ?? '', { on: node.id === chosen, dim: dim(node), mute: !named.has(node.id) }]" role="button" :tabindex="node.id === stop ? 0 : -1"
        :aria-pressed="node.id === chosen" :aria-label="t('graph.node', { name: node.name, n: node.count })" :transform="'translate(' + places.get(node.id).x + ' ' + places.get(node.id).y + ')'"
        @click="$emit('choose', node.id)" @keydown="keys($event, index)">
        <circle class="shoal" :r="size(node) + 6"></circle>
        <circle class="island" :r="size(node)"></circle>
        <text :y="size(node) + 17" text-anchor="middle">{{ short(node.name) }}</text>
      </g>
    </svg>`,
};
