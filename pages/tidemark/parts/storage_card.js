/** Where the memories are: a file of them, and moving them to another backend. */
import { computed, onMounted, reactive, ref } from "../lib/vue.js";
import { get, post } from "../lib/api.js";
import { host, t } from "../lib/host.js";
import { isJob, ofKind, whenOver } from "../lib/jobs.js";
import { fetchFile, revealing, withReason } from "../lib/revealing.js";
import { called } from "../lib/words.js";
import { ask } from "./dialog.js";
import { complain, toast } from "./toasts.js";

export const StorageCard = {
  props: { owners: { type: Array, required: true } },
  setup() {
    const found = ref(null);
    const asked = reactive({ owner: "", vectors: false });
    const exported = ref(null);
    const busy = ref(false);
    // How far a move is the list of jobs knows; the card asks only what has come of it.
    const move = computed(() => {
      const told = found.value?.move, job = ofKind("migration");
      return told?.stage === "copying" && job?.state === "running" ? { ...told, copied: job.done, total: job.total } : told;
    });
    const number = (value) => value.toLocaleString(host.locale);
    const share = ({ copied, total }) => `${total ? Math.round((100 * copied) / total) : 0}%`;

    async function load() {
      try {
        found.value = await get("storage");
      } catch (error) {
        complain(error);
      }
    }
    async function during(work) {
      busy.value = true;
      try {
        await work();
      } catch (error) {
        complain(error, "storage");
      } finally {
        busy.value = false;
      }
    }
    const save = () => during(async () => {
      const done = await withReason(() => post("export", { ...asked, reveal: revealing.reason }));
      if (isJob(done)) toast(t("jobs.begun"));
      else exported.value = done;
    });
    const download = (name) => during(() => fetchFile(name));
    const moveTo = (target) => during(async () => {
      const first = await post("storage/move", { target });
      const text = t("storage.move_text", { n: number(first.count), target });
      if (await ask({ title: t("storage.move_title", { target }), text, yes: t("storage.move_yes") })) await post("storage/move", { target, code: first.code });
      return load();
    });
    const settle = (what) => during(async () => {
      const { source } = found.value.move;
      if (what === "confirm" && !(await ask({ title: t("storage.confirm_title"), text: t("storage.confirm_text", { source }), yes: t("storage.confirm"), grave: true }))) return;
      await post(`storage/${what}`);
      await load();
    });
    onMounted(load);
    whenOver((job) => {
      load();
      if (job.kind === "export" && job.outcome.file) exported.value = { folder: "exports", name: job.outcome.file, count: Number(job.outcome.count) };
    });
    return { found, asked, exported, busy, number, share, save, download, move, moveTo, settle, called, t };
  },
  template: `
    <section class="card" aria-labelledby="export-title">
      <h2 id="export-title">{{ t("storage.export") }}</h2>
      <p class="quiet">{{ t("storage.export_about") }}</p>
      <form class="trial-row" @submit.prevent="save">
        <label class="grow"><span class="small quiet">{{ t("memories.whose") }}</span>
          <select v-model="asked.owner" class="field"><option value="">{{ t("memories.everybody") }}</option>
            <option v-for="each in owners" :value="each.key">{{ called(each) }}</option></select></label>
        <button type="submit" class="button first" :disabled="busy">{{ t("storage.save") }}</button>
      </form>
      <label class="check" style="margin-top:10px"><input v-model="asked.vectors" type="checkbox" />{{ t("storage.vectors") }}</label>
      <p v-if="exported" class="note" role="status" style="margin-top:12px"><span>{{ t("storage.exported", { n: number(exported.count) }) }}<br /><code class="small">{{ exported.folder }}/{{ exported.name }}</code><br /><span class="small quiet">{{ t("storage.download_note") }}</span></span>
        <button type="button" class="button" :disabled="busy" @click="download(exported.name)">{{ t("storage.download") }}</button></p>
      <template v-if="found">
        <h2 style="margin-top:26px">{{ t("storage.title") }}</h2>
        <p class="quiet">{{ t("storage.state", { backend: found.backend, n: number(found.count) }) }}</p>
        <div v-if="move" class="looked" role="status">
          <p>{{ t("storage.stage_" + move.stage, { target: move.target, source: move.source, copied: number(move.copied), total: number(move.total), problem: move.problem }) }}</p>
          <div v-if="move.stage === 'copying'" class="meter" style="margin-top:8px"><i :style="{ width: share(move) }"></i></div>
          <div class="actions"><button v-if="move.stage === 'switched'" type="button" class="button grave" :disabled="busy" @click="settle('confirm')">{{ t("storage.confirm") }}</button>
            <button v-else type="button" class="button" :disabled="busy" @click="settle('cancel')">{{ t("storage.cancel") }}</button></div>
        </div>
        <div v-else class="actions" style="margin-top:12px"><button v-for="target in found.targets" :key="target" type="button" class="button" :disabled="busy" @click="moveTo(target)">{{ t("storage.move", { target }) }}</button></div>
      </template>
    </section>`,
};
