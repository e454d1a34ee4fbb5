/** From page to page of a listing. */
import { t } from "../lib/host.js";

export const Pager = {
  props: { page: { type: Number, required: true }, pages: { type: Number, required: true } },
  emits: ["go"],
  setup: () => ({ t }),
  template: `
    <nav v-if="pages > 1" class="pager" :aria-label="t('pager.label')">
      <button type="button" class="button" :disabled="page <= 1" @click="$emit('go', page - 1)">{{ t("pager.before") }}</button>
      <span class="numbers">{{ t("pager.at", { page, pages }) }}</span>
      <button type="button" class="button" :disabled="page >= pages" @click="$emit('go', page + 1)">{{ t("pager.after") }}</button>
    </nav>`,
};
