/** The page: its head, its views, and what lies over them. */
import { computed, createApp, defineAsyncComponent, reactive, shallowRef } from "./lib/vue.js";
import { waiting } from "./lib/api.js";
import { connect, t } from "./lib/host.js";
import { AskDialog } from "./parts/dialog.js";
import { JobsButton } from "./parts/jobs_button.js";
import { Palette } from "./parts/palette.js";
import { Toasts } from "./parts/toasts.js";
import { Wave } from "./parts/wave.js";
import { VIEWS } from "./views/index.js";

const ON_THE_BAR = 4;

const App = {
  components: { AskDialog, JobsButton, Palette, Toasts, Wave },
  setup() {
    const at = reactive({ name: VIEWS[0].name, wanted: {}, visit: 0 });
    const parts = Object.fromEntries(VIEWS.map((view) => [view.name, defineAsyncComponent(view.load)]));
    const shown = shallowRef(parts[at.name]);
    const bar = VIEWS.slice(0, ON_THE_BAR);
    const rest = VIEWS.slice(ON_THE_BAR);
    const more = reactive({ open: false });
    const inRest = computed(() => rest.some((view) => view.name === at.name));

    /** Open a view, with what it shall show there. */
    function go(name, wanted = {}) {
      Object.assign(at, { name, wanted, visit: at.visit + 1 });
      shown.value = parts[name];
      more.open = false;
      window.scrollTo({ top: 0 });
    }
    return { at, shown, go, VIEWS, bar, rest, more, inRest, waiting, t };
  },
  template: `
    <div class="shell">
      <header class="head">
        <div class="head-row">
          <span class="wordmark"><Wave></Wave>{{ t("title") }}</span>
          <nav class="tabs" :aria-label="t('views.label')">
            <button v-for="view in VIEWS" :key="view.name" type="button" class="tab" :data-view="view.name" :aria-current="at.name === view.name ? 'page' : null" @click="go(view.name)">{{ t("views." + view.name) }}</button>
          </nav>
          <span class="head-tools"><JobsButton></JobsButton><Palette @go="go"></Palette></span>
        </div>
        <svg class="waterline" viewBox="0 0 1200 14" preserveAspectRatio="none" aria-hidden="true">
          <path d="M-60 8 q30 -6 60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0 t60 0"></path>
          <path d="M-90 9 q37 -5 75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0 t75 0"></path>
        </svg>
      </header>
      <main class="main" :aria-busy="waiting"><component :is="shown" :key="at.visit" :wanted="at.wanted" @go="go"></component></main>
      <nav class="bottom" :aria-label="t('views.label')">
        <button v-for="view in bar" :key="view.name" type="button" class="tab" :data-view="view.name" :aria-current="at.name === view.name ? 'page' : null" @click="go(view.name)">{{ t("views." + view.name) }}</button>
        <button v-if="rest.length" type="button" class="tab" data-view="more" :aria-expanded="more.open" :aria-current="inRest ? 'page' : null" @click="more.open = !more.open">{{ t("views.more") }}</button>
        <div v-if="more.open" class="more-sheet">
          <button v-for="view in rest" :key="view.name" type="button" class="tab" :data-view="view.name" @click="go(view.name)">{{ t("views." + view.name) }}</button>
        </div>
      </nav>
      <AskDialog></AskDialog>
      <Toasts></Toasts>
    </div>`,
};

await connect();
createApp(App).mount("#app");
