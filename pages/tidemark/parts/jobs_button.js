/** Long work, always at hand: how much is under way, and all of it in a drawer. */
import { onMounted, ref } from "../lib/vue.js";
import { post } from "../lib/api.js";
import { host, t, word } from "../lib/host.js";
import { follow, jobs, look, running, whenOver } from "../lib/jobs.js";
import { moment } from "../lib/words.js";
import { Drawer } from "./drawer.js";
import { complain, toast } from "./toasts.js";

export const JobsButton = {
  components: { Drawer },
  setup() {
    const open = ref(false);
    const share = (job) => Math.min(100, Math.round((100 * job.done) / job.total));
    const what = (job) => [word("job_kind", job.kind), job.kind === "sleep" ? "" : job.subject].filter(Boolean).join(" ");
    function state(job) {
      if (job.state !== "running") return word("job_state", job.state);
      if (job.kind === "sleep" && job.subject) return word("step", job.subject);
      return job.total ? `${share(job)}%` : t("jobs.rows", { n: job.done.toLocaleString(host.locale) });
    }
    function after(job) {
      if (job.problem) return job.problem;
      if (job.state === "done" && Object.keys(job.outcome).length) return t(`jobs.came.${job.kind}`, job.outcome);
      return ["cancelled", "interrupted"].includes(job.state) ? t(`jobs.left.${job.kind}`) : "";
    }
    function show() {
      open.value = true;
      look();
    }
    async function cancel(job) {
      try {
        await post("jobs/cancel", { id: job.id });
        await look();
      } catch (error) {
        complain(error);
      }
    }
    whenOver((job) => toast(t("jobs.over", { what: what(job), state: word("job_state", job.state) })));
    onMounted(follow);
    return { open, jobs, running, share, what, state, after, show, cancel, moment, t };
  },
  template: `
    <button type="button" class="button bare jobs-button" :class="{ on: running.length }" :aria-label="t('jobs.label', { n: running.length })" @click="show">
      <svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><path d="M2 5 h9 M2 9 h14 M2 13 h6"></path></svg>
      <span v-if="running.length" class="numbers small">{{ running.length }}</span>
    </button>
    <Drawer v-if="open" :title="t('jobs.title')" @close="open = false">
      <p class="quiet">{{ t("jobs.about") }}</p>
      <p v-if="!jobs.list.length" class="note" style="margin-top:14px">{{ t("jobs.none") }}</p>
      <ul v-else class="plain-list jobs">
        <li v-for="job in jobs.list" :key="job.id">
          <div class="grow">
            <strong>{{ what(job) }}</strong> <span class="pill" :class="{ water: job.state === 'running', alarm: job.state === 'failed' }">{{ state(job) }}</span>
            <div v-if="job.state === 'running' && job.total" class="meter" role="progressbar" :aria-label="what(job)" :aria-valuenow="share(job)" aria-valuemin="0" aria-valuemax="100"><i :style="{ width: share(job) + '%' }"></i></div>
            <div v-if="after(job)" class="small">{{ after(job) }}</div>
            <div class="quiet small numbers"><template v-if="job.started_at">{{ moment(job.started_at) }}</template><template v-if="job.by"> · {{ job.by }}</template></div>
          </div>
          <button v-if="job.state === 'running'" type="button" class="button" @click="cancel(job)">{{ t("jobs.cancel") }}</button>
        </li>
      </ul>
    </Drawer>`,
};
