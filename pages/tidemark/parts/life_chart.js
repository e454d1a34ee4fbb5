/** Simulated lives: how many memories are alive, month by month. */
import { computed } from "../lib/vue.js";
import { host, t } from "../lib/host.js";

const WIDTH = 600;
const HEIGHT = 150;

export const LifeChart = {
  props: { lives: { type: Array, required: true } },
  setup(props) {
    const most = computed(() => Math.max(1, ...props.lives.flatMap((life) => life.overall.monthly_survivors)));
    const lines = computed(() => props.lives.map(({ overall: { monthly_survivors: monthly } }) => monthly.map((alive, month) => {
      const x = (WIDTH * (month + 1)) / monthly.length;
      return `${x} ${HEIGHT - 8 - (HEIGHT - 20) * (alive / most.value)}`;
    })));
    const number = (value) => value.toLocaleString(host.locale);
    return { lines, most, number, WIDTH, HEIGHT, t };
  },
  template: `
    <svg class="life-chart" :viewBox="'0 0 ' + WIDTH + ' ' + HEIGHT" role="img" :aria-label="t('forgetting.life_picture', { n: number(most) })">
      <path v-if="lines.length" class="life-water" :d="'M0 ' + (HEIGHT - 8) + ' L' + lines[0].join(' L') + ' V' + (HEIGHT - 8) + ' Z'"></path>
      <path v-for="(line, index) in lines" class="ebb-line" :class="{ other: index }" :d="'M0 ' + (HEIGHT - 8) + ' L' + line.join(' L')"></path>
    </svg>`,
};
