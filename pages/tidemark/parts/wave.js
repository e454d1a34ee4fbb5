/** The sign of the page: the line that the tide leaves. */
export const Wave = {
  template: `
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="15" fill="var(--water)"></circle>
      <path d="M3 14 q4.4 -5 8.7 0 t8.7 0 t8.7 0" fill="none" stroke="var(--on-water)" stroke-width="2.2" stroke-linecap="round"></path>
      <path d="M5 20 q3.7 -4 7.4 0 t7.4 0 t7.4 0" fill="none" stroke="var(--on-water)" stroke-width="1.7" stroke-linecap="round" opacity=".6"></path>
      <path d="M9 25.4 q2.4 -2.6 4.8 0 t4.8 0 t4.8 0" fill="none" stroke="var(--on-water)" stroke-width="1.4" stroke-linecap="round" opacity=".35"></path>
    </svg>`,
};
