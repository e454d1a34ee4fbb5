/** What a recall found, showed and left out, and the block exactly as the model had it. */
import { t, word } from "../lib/host.js";
import { gist } from "../lib/words.js";
import { MemoryRow } from "./memory_row.js";

const DECISIVE = 3;

export const RecallReport = {
  components: { MemoryRow },
  props: { report: { type: Object, required: true } },
  emits: ["open"],
  setup() {
    // Never 0 % beside a memory that is shown all the same.
    const percent = (share) => (share < 0.005 ? "< 1 %" : `${Math.round(share * 100)} %`);
    const found = (recall) => recall.shown.length + recall.left_out.reduce((sum, each) => sum + each.count, 0);
    const inFavour = ({ candidate }) => candidate.reasons.filter(([, weight]) => weight > 0).slice(0, DECISIVE);
    const weighed = ({ candidate }) => candidate.reasons.map(([column, weight]) => `${weight > 0 ? "+" : "−"} ${word("column", column)}`).join("  ");
    return { percent, found, inFavour, weighed, gist, t, word };
  },
  template: `
    <div v-for="(recall, number) in report.recalls" :key="number" class="recall">
      <h3 v-if="number">{{ t("why.later") }}</h3>
      <p class="recall-sum">{{ gist(recall) }}</p>
      <ol v-if="recall.shown.length" class="memories shown-memories">
        <template v-for="each in recall.shown" :key="each.candidate.number">
          <li v-if="!each.memory" class="memory-row quiet">{{ t("why.gone", { number: each.candidate.number }) }}</li>
          <template v-else>
            <MemoryRow :memory="each.memory" :now="report.now" :pickable="false" @open="$emit('open', each.memory.id)"></MemoryRow>
            <li v-if="inFavour(each).length" class="reasons small quiet">{{ inFavour(each).map(([column]) => word("because", column)).join(word("why", "and")) }}</li>
          </template>
        </template>
      </ol>
      <details v-if="recall.left_out.length">
        <summary>{{ t("why.left_out") }}</summary>
        <ul class="left-out">
          <li v-for="each in recall.left_out"><strong class="numbers">{{ each.count }}</strong> {{ word("drop", each.reason) }}
            <button v-for="memory in each.examples" type="button" class="memory-open small quiet" @click="$emit('open', memory.id)">{{ memory.masked ? t("reveal.masked") : memory.text }}</button></li>
        </ul>
      </details>
      <details>
        <summary>{{ t("why.numbers") }}</summary>
        <p class="small quiet">{{ t("why.sum", { shown: recall.shown.length, found: found(recall), ms: Math.round(recall.trace.milliseconds), tokens: recall.trace.tokens }) }}</p>
        <div class="legs small">
          <span v-for="leg in recall.trace.legs.filter((each) => each.state !== 'off')" class="pill" :class="{ alarm: leg.state !== 'ok', water: leg.hits }" :title="leg.problem">{{ word("leg", leg.leg) }} {{ leg.state === "late" ? word("failure", "late") : leg.hits }} · {{ Math.round(leg.milliseconds) }} ms</span>
        </div>
        <ul class="left-out">
          <li v-for="each in recall.shown"><span class="pill">[{{ each.candidate.number }}]</span> {{ t("why.needed", { share: percent(each.candidate.score) }) }} <span class="quiet">{{ weighed(each) }}</span></li>
        </ul>
      </details>
    </div>
    <section v-if="report.block">
      <h3>{{ t("why.block") }}</h3>
      <pre class="block" tabindex="0">{{ report.block }}</pre>
    </section>
    <p v-else-if="report.why_masked" class="quiet">{{ t("why.block_masked") }}</p>`,
};
