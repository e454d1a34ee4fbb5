/** Backups, and moving in from another program: looked at first, taken in, taken back. */
import { computed, onMounted, ref } from "../lib/vue.js";
import { get, post, upload } from "../lib/api.js";
import { host, t, word } from "../lib/host.js";
import { isJob, whenOver } from "../lib/jobs.js";
import { fetchFile } from "../lib/revealing.js";
import { called, moment } from "../lib/words.js";
import { ConflictsCard } from "../parts/conflicts_card.js";
import { ask } from "../parts/dialog.js";
import { MemoryDrawer } from "../parts/memory_drawer.js";
import { PastCard } from "../parts/past_card.js";
import { PlansCard } from "../parts/plans_card.js";
import { StorageCard } from "../parts/storage_card.js";
import { complain, toast } from "../parts/toasts.js";

const MEGABYTE = 1024 * 1024;

export const KeepingView = {
  components: { ConflictsCard, MemoryDrawer, PastCard, PlansCard, StorageCard },
  setup() {
    const backups = ref(null);
    const imports = ref(null);
    const looked = ref(null);
    const rules = ref({});
    const busy = ref("");
    const owners = ref([]);
    const opened = ref("");
    const size = (bytes) => (bytes / MEGABYTE).toLocaleString(host.locale, { maximumFractionDigits: 1 });
    const skipped = computed(() => Object.entries(looked.value?.told.skipped ?? {}).sort((one, other) => other[1] - one[1]));

    async function during(what, work, command = "") {
      if (busy.value) return;
      busy.value = what;
      try {
        await work();
      } catch (error) {
        complain(error, command);
      } finally {
        busy.value = "";
      }
    }
    async function load() {
      const [kept, there, moved] = await Promise.all([get("backups"), get("importable"), get("imports")]);
      backups.value = kept.answer;
      imports.value = { there, batches: moved.entries };
    }
    const make = () => during("make", async () => {
      const made = await post("backups/make");
      toast(isJob(made) ? t("jobs.begun") : t("keeping.made", { n: made.memories }));
      await load();
    });
    const download = (backup) => during("download", () => fetchFile(backup.name, `tidemark-${backup.name}.zip`));
    async function remove(backup) {
      if (!(await ask({ title: t("keeping.delete_title"), text: t("keeping.delete_text", { time: moment(backup.at) }), yes: t("keeping.delete"), grave: true }))) return;
      await during("delete", async () => {
        await post("backups/delete", { name: backup.name });
        toast(t("keeping.deleted"));
        await load();
      });
    }
    async function restore(backup) {
      await during("restore", async () => {
        const asked = await post("backups/restore", { name: backup.name });
        const said = { time: moment(backup.at), n: backup.memories.toLocaleString(host.locale) };
        const sure = await ask({ title: t("keeping.restore_title"), text: t("keeping.restore_text", said), yes: t("keeping.restore"), grave: true });
        if (!sure) return;
        const done = await post("backups/restore", { name: backup.name, code: asked.code });
        toast(t("keeping.restored", { time: moment(backup.at) }));
        if (done.held) toast(t("keeping.held", { n: done.held }));
        await load();
      }, "restore-backup");
    }
    const look = (name) => during(`look ${name}`, async () => {
      if (looked.value?.name !== name) rules.value = {};
      const asked = post("imports/look", { name, chats: { ...rules.value } });
      looked.value = await asked.then((told) => ({ name, told }), (error) => {
        looked.value = null;
        throw error;
      });
    }, "import");
    function rule(chat, value) {
      const written = { ...rules.value };
      if (value) written[chat.number] = value;
      else delete written[chat.number];
      rules.value = written;
      look(looked.value.name);
    }
    const take = (file) => file && during("upload", async () => {
      const { answer: name } = await upload("imports/upload", file);
      await load();
      busy.value = "";
      await look(name);
    }, "import");
    const start = () => during("start", async () => {
      const { name } = looked.value;
      const done = await post("imports/start", { name, chats: { ...rules.value } });
      looked.value = null;
      if (isJob(done)) return toast(t("jobs.begun"));
      const { new: n, known, batch } = done;
      toast(t("keeping.moved_in", { n, known }), batch ? () => undo({ id: batch, file: name }) : null);
      await load();
    }, "import");
    async function undo(batch) {
      await during("undo", async () => {
        const asked = await post("imports/undo", { id: batch.id });
        const text = t("keeping.undo_text", { n: asked.going }) + (asked.staying ? t("keeping.undo_staying", { n: asked.staying }) : "");
        if (!(await ask({ title: t("keeping.undo_title", { file: batch.file }), text, yes: t("keeping.undo"), grave: true }))) return;
        const done = await post("imports/undo", { id: batch.id, code: asked.code });
        toast(t("keeping.undone", { n: done.going }));
        await load();
      }, "imports");
    }
    const whose = (chat) => called({ ...chat.target, name: chat.name });
    whenOver(() => load().catch(complain));
    onMounted(async () => {
      try {
        await load();
        owners.value = (await get("owners")).owners;
      } catch (error) {
        complain(error);
      }
    });
    return { backups, imports, looked, rules, busy, owners, opened, size, skipped, make, download, remove, restore, take, look, rule, start, undo, whose, moment, called, t, word };
  },
  template: `
    <header class="view-head">
      <div><h1>{{ t("keeping.title") }}</h1><p>{{ t("keeping.about") }}</p></div>
    </header>
    <ConflictsCard @open="(id) => (opened = id)"></ConflictsCard>
    <div class="columns">
      <section class="card" aria-labelledby="backups-title">
        <div class="card-head">
          <h2 id="backups-title">{{ t("keeping.backups") }}</h2>
          <button type="button" class="button first" :disabled="!!busy" @click="make">{{ t("keeping.make") }}</button>
        </div>
        <p class="quiet">{{ t("keeping.backups_about") }}</p>
        <p v-if="backups && !backups.length" class="note" style="margin-top:14px">{{ t("keeping.no_backup") }}</p>
        <ul v-else-if="backups" class="plain-list">
          <li v-for="each in backups" :key="each.name">
            <div>
              <strong class="numbers">{{ moment(each.at) }}</strong> <span class="pill">{{ word("occasion", each.occasion) }}</span>
              <div class="quiet small numbers">{{ t("keeping.backup_line", { n: each.memories, size: size(each.size) }) }}</div>
              <div v-if="each.forgotten" class="small">{{ t("keeping.holds_forgotten", { n: each.forgotten }) }}</div>
            </div>
            <span class="row-actions">
              <button type="button" class="button" :disabled="!!busy" @click="restore(each)">{{ t("keeping.restore") }}</button>
              <button v-if="!each.forgotten" type="button" class="button bare" :disabled="!!busy" @click="download(each)">{{ t("storage.download") }}</button>
              <button type="button" class="button bare" :disabled="!!busy" @click="remove(each)">{{ t("keeping.delete") }}</button>
            </span>
          </li>
        </ul>
      </section>
      <section class="card" aria-labelledby="imports-title">
        <h2 id="imports-title">{{ t("keeping.move_in") }}</h2>
        <p class="quiet">{{ t("keeping.move_in_about") }}</p>
        <label class="drop" @dragover.prevent @drop.prevent="take($event.dataTransfer.files[0])">
          <input type="file" class="unseen" @change="take($event.target.files[0]); $event.target.value = ''" />
          {{ t(busy === "upload" ? "keeping.sending" : "keeping.drop") }}</label>
        <template v-if="imports">
          <ul v-if="imports.there.names.length" class="plain-list">
            <li v-for="name in imports.there.names" :key="name">
              <span>{{ name }}</span>
              <button type="button" class="button" :disabled="!!busy" @click="look(name)">{{ t(busy === "look " + name ? "keeping.looking" : "keeping.look") }}</button>
            </li>
          </ul>
          <p class="note" style="margin-top:14px">{{ t("keeping.put_files", { folder: imports.there.folder }) }}</p>
          <div v-if="looked" class="looked" role="region" :aria-label="t('keeping.would_come')">
            <h3>{{ t("keeping.looked", { program: looked.told.program, version: looked.told.version, n: looked.told.new, known: looked.told.known }) }}</h3>
            <ul class="plain-list">
              <li v-for="chat in looked.told.chats.slice(0, 60)" :key="chat.number">
                <div>
                  <strong>{{ chat.chat }}</strong><span v-if="chat.persona" class="quiet"> · {{ chat.persona }}</span>
                  <div class="quiet small">
                    <template v-if="chat.left_out">{{ t("keeping.left_out") }}</template>
                    <template v-else-if="!chat.target">{{ t("keeping.nobodys") }}</template>
                    <template v-else>{{ t("keeping.goes_to", { who: whose(chat), platform: chat.target.platform, n: chat.new + chat.known }) }}
                      <span v-if="!looked.told.platforms.includes(chat.target.platform)" class="pill alarm">{{ t("keeping.new_platform") }}</span></template>
                  </div>
                </div>
                <select class="field" :aria-label="t('keeping.whose', { chat: chat.chat })" :value="rules[chat.number] ?? ''" @change="rule(chat, $event.target.value)">
                  <option value="">{{ t("keeping.as_found") }}</option>
                  <option value="skip">{{ t("keeping.skip") }}</option>
                  <option v-for="each in owners" :value="each.key">{{ called(each) }}</option>
                </select>
              </li>
            </ul>
            <ul v-if="skipped.length" class="quiet small">
              <li v-for="[reason, count] in skipped" :key="reason">{{ word("import_skip", reason) }}: {{ count }}</li>
            </ul>
            <div class="actions">
              <button type="button" class="button first" :disabled="!!busy || !looked.told.new" @click="start">{{ t(busy === "start" ? "keeping.moving" : "keeping.start", { n: looked.told.new }) }}</button>
              <button type="button" class="button" @click="looked = null">{{ t("no") }}</button>
            </div>
          </div>
          <template v-if="imports.batches.length">
            <h3 style="margin-top:22px">{{ t("keeping.moved") }}</h3>
            <ul class="plain-list">
              <li v-for="each in imports.batches" :key="each.id">
                <div>
                  <strong>{{ each.file }}</strong> <span class="pill" :class="{ water: each.state === 'done' }">{{ t("keeping.state_" + each.state) }}</span>
                  <div class="quiet small numbers">{{ moment(each.at) }} · {{ each.program }} · {{ t("keeping.added", { n: each.added }) }}</div>
                </div>
                <button v-if="each.state !== 'undone'" type="button" class="button" :disabled="!!busy" @click="undo(each)">{{ t("undo") }}</button>
              </li>
            </ul>
          </template>
        </template>
      </section>
      <PastCard></PastCard>
      <PlansCard @open="(id) => (opened = id)"></PlansCard>
      <StorageCard :owners="owners"></StorageCard>
    </div>
    <MemoryDrawer v-if="opened" :id="opened" @close="opened = ''" @open="(id) => (opened = id)"></MemoryDrawer>`,
};
