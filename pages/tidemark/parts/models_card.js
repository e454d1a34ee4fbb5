/** A model folder of the owner's: tried here first, its figures told, and only then put into use. */
import { computed, onMounted, reactive, ref } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { t } from "../lib/host.js";
import { look, ofKind, whenOver } from "../lib/jobs.js";
import { setSetting } from "../lib/settings.js";
import { complain } from "./toasts.js";

const KINDS = ["embedder_trial", "reranker_trial"];

export const ModelsCard = {
  emits: ["changed"],
  setup(_, { emit }) {
    const found = ref(null);
    const asked = reactive({ name: "", kind: KINDS[0] });
    const job = computed(() => ofKind(asked.kind));
    const running = computed(() => KINDS.map(ofKind).find((each) => each?.state === "running"));
    const told = computed(() => (job.value?.state === "done" && job.value.subject === asked.name ? job.value : null));
    const failed = computed(() => (job.value?.state === "failed" && job.value.subject === asked.name ? job.value.problem.replace(/^\w+: /, "") : ""));
    const used = computed(() => (asked.kind === "embedder_trial" ? found.value?.embedder : found.value?.reranker) === asked.name);
    const late = computed(() => told.value?.kind === "reranker_trial" && Number(told.value.outcome.milliseconds) > Number(told.value.outcome.deadline));

    async function load() {
      try {
        found.value = await get("models");
        if (!found.value.names.includes(asked.name)) asked.name = found.value.names[0] ?? "";
      } catch (error) {
        complain(error);
      }
    }
    async function attempt() {
      try {
        await post("models/try", { ...asked });
        await look();
      } catch (error) {
        complain(error);
      }
    }
    async function use() {
      const { name, kind } = asked;
      const after = () => {
        load();
        emit("changed");
      };
      const said = t("models.used", { name });
      if (kind === "reranker_trial") await setSetting("recall.rerank_model", name, after, said);
      else if (await setSetting("embedding.folder", name, after, "")) await setSetting("embedding.source", "folder", after, said);
    }
    whenOver(load);
    onMounted(load);
    return { found, asked, running, told, failed, used, late, attempt, use, KINDS, t };
  },
  template: `
    <section v-if="found" class="card models-card" aria-labelledby="models-title">
      <h2 id="models-title">{{ t("models.title") }}</h2>
      <p class="quiet">{{ t("models.about") }}</p>
      <p v-if="!found.runtime" class="note">{{ t("models.no_runtime") }}</p>
      <p v-else-if="!found.names.length" class="note">{{ t("models.none") }}</p>
      <template v-else>
        <form class="trial-row" @submit.prevent="attempt">
          <label class="grow"><span class="small quiet">{{ t("models.folder") }}</span>
            <select v-model="asked.name" class="field"><option v-for="name in found.names" :value="name">{{ name }}</option></select></label>
          <label><span class="small quiet">{{ t("models.as") }}</span>
            <select v-model="asked.kind" class="field"><option v-for="kind in KINDS" :value="kind">{{ t("models.as_" + kind) }}</option></select></label>
          <button type="submit" class="button first" :disabled="Boolean(running)">{{ t("models.try") }}</button>
        </form>
        <p v-if="running" class="note" role="status">{{ t("models.trying", { name: running.subject }) }}</p>
        <div v-else-if="told" class="looked" role="status">
          <p>{{ t("jobs.came." + told.kind, told.outcome) }}</p>
          <p v-if="late" class="small"><span class="pill alarm">{{ t("models.late") }}</span></p>
          <div class="actions"><span v-if="used" class="quiet">{{ t("models.in_use", { name: asked.name }) }}</span>
            <button v-else type="button" class="button" @click="use">{{ t("models.use", { name: asked.name }) }}</button></div>
        </div>
        <p v-else-if="failed" class="note grave" role="status">{{ failed }}</p>
      </template>
    </section>`,
};
