/** What a view says while there is nothing in it: what it is for and what to do. */
export const Empty = {
  props: { title: { type: String, required: true }, text: { type: String, default: "" } },
  template: `
    <div class="empty">
      <svg viewBox="0 0 120 54" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round">
        <path d="M8 20 q13 -12 26 0 t26 0 t26 0 t26 0" opacity=".35"></path>
        <path d="M8 33 q13 -12 26 0 t26 0 t26 0 t26 0" opacity=".65"></path>
        <path d="M8 46 q13 -12 26 0 t26 0 t26 0 t26 0"></path>
      </svg>
      <h2>{{ title }}</h2>
      <p>{{ text }}</p>
      <slot></slot>
    </div>`,
};
