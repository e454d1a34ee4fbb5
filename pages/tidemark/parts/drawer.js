/** A sheet from the right over the view; Escape and the shade close it, the focus goes back. */
import { nextTick, onBeforeUnmount, onMounted, ref } from "../lib/vue.js";
import { t } from "../lib/host.js";

const INSIDE = "button:not(:disabled), a[href], input, select, textarea, [tabindex='0']";

export const Drawer = {
  props: { title: { type: String, required: true } },
  emits: ["close"],
  setup(_, { emit }) {
    const sheet = ref(null);
    const before = document.activeElement;
    function keys(event) {
      // Of several drawers the last one lies on top.
      if (document.querySelector("dialog[open]") || [...document.querySelectorAll(".drawer")].at(-1) !== sheet.value) return;
      if (event.key === "Escape") emit("close");
      if (event.key === "Tab") stay(event);
    }
    function stay(event) {
      const among = [...sheet.value.querySelectorAll(INSIDE)];
      const edge = event.shiftKey ? among[0] : among.at(-1);
      if (document.activeElement === edge || !sheet.value.contains(document.activeElement)) {
        event.preventDefault();
        (event.shiftKey ? among.at(-1) : among[0])?.focus();
      }
    }
    onMounted(async () => {
      document.addEventListener("keydown", keys);
      await nextTick();
      sheet.value?.focus();
    });
    onBeforeUnmount(() => {
      document.removeEventListener("keydown", keys);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    });
    return { sheet, t };
  },
  template: `
    <div>
      <div class="drawer-shade" @click="$emit('close')"></div>
      <aside ref="sheet" class="drawer" role="dialog" aria-modal="true" :aria-label="title" tabindex="-1">
        <div class="drawer-head">
          <h2>{{ title }}</h2>
          <button type="button" class="button bare" @click="$emit('close')">{{ t("close") }}</button>
        </div>
        <slot></slot>
      </aside>
    </div>`,
};
