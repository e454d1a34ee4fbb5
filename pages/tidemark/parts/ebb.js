/** How the water goes down: memories left over a year, under one policy or two. */
import { computed } from "../lib/vue.js";
import { host, t } from "../lib/host.js";

const NARROW = window.matchMedia("(max-width: 720px)").matches;
const WIDTH = NARROW ? 520 : 1000;
const HEIGHT = 260;
const TOP = 26;
const FLOOR = 222;
const YEAR = 365;
const TICKS = NARROW ? [30, 120, 365] : [7, 30, 90, 180, 365];

/** The near future has the most room. */
const across = (days) => 8 + (WIDTH - 16) * Math.sqrt(days / YEAR);

export const Ebb = {
  props: {
    days: { type: Array, required: true },
    policies: { type: Array, required: true },
    live: { type: Number, required: true },
    kept: { type: Number, required: true },
    at: { type: Number, required: true },
  },
  setup(props) {
    const level = (left) => FLOOR - (FLOOR - TOP) * (props.live ? left / props.live : 0);
    const points = (left) => props.days.map((day, index) => [across(day), level(left[index])]);
    const lines = computed(() => props.policies.map((each) => smooth(points(each.left))));
    const water = computed(() => `${lines.value[0]} L${across(YEAR)} ${FLOOR} L${across(0)} ${FLOOR} Z`);
    const marks = computed(() => props.policies.map((each) => level(between(props.days, each.left, props.at))));
    const rock = computed(() => level(props.kept));
    const number = (value) => value.toLocaleString(host.locale);
    const label = computed(() => t("forgetting.picture", { now: number(props.live), month: number(props.policies[0].left[3]), year: number(props.policies[0].left.at(-1)) }));
    return { across, lines, water, marks, rock, label, number, TICKS, TOP, FLOOR, WIDTH, HEIGHT, t };
  },
  template: `
    <figure class="tide-picture ebb">
      <svg :viewBox="'0 0 ' + WIDTH + ' ' + HEIGHT" role="img" :aria-label="label">
        <defs><linearGradient id="ebb-water" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="var(--water)" stop-opacity=".2"></stop><stop offset="1" stop-color="var(--water)" stop-opacity=".52"></stop></linearGradient></defs>
        <path class="sand" :d="'M0 ' + FLOOR + ' H' + WIDTH + ' V' + HEIGHT + ' H0 Z'"></path>
        <path :d="water" fill="url(#ebb-water)"></path>
        <rect v-if="kept" class="rock" x="8" :y="rock" :width="WIDTH - 16" :height="FLOOR - rock" opacity=".16"></rect>
        <path v-for="(line, index) in lines" class="ebb-line" :class="{ other: index }" :d="line"></path>
        <line class="ebb-at" :x1="across(at)" :x2="across(at)" :y1="TOP - 14" :y2="FLOOR"></line>
        <circle v-for="(y, index) in marks" class="ebb-mark" :class="{ other: index }" :cx="across(at)" :cy="y" r="7"></circle>
        <g class="tide-names">
          <text v-for="day in TICKS" :x="across(day)" :y="FLOOR + 25" :text-anchor="day === 365 ? 'end' : 'middle'">{{ t("forgetting.day", { n: day }) }}</text>
        </g>
      </svg>
      <figcaption class="small"><slot></slot></figcaption>
    </figure>`,
};

/** Through all points and never up: a monotone cubic, with the tangents of Fritsch and Carlson. */
function smooth(points) {
  const slopes = points.slice(1).map(([x, y], index) => (y - points[index][1]) / (x - points[index][0]));
  const tangents = points.map((_, index) => {
    const [before, after] = [slopes[index - 1] ?? slopes[0], slopes[index] ?? slopes.at(-1)];
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  return points.reduce((path, [x, y], index) => {
    if (!index) return `M${x} ${y}`;
    const [x0, y0] = points[index - 1];
    const third = (x - x0) / 3;
    return `${path} C${x0 + third} ${y0 + third * tangents[index - 1]} ${x - third} ${y - third * tangents[index]} ${x} ${y}`;
  }, "");
}

function between(days, left, at) {
  const index = days.findIndex((day) => day >= at);
  if (index <= 0) return left[0];
  const share = (at - days[index - 1]) / (days[index] - days[index - 1]);
  return left[index - 1] + (left[index] - left[index - 1]) * share;
}
