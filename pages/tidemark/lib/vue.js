/** Vue as it was released; the only place that names its file. */
export * from "../vendor/vue.esm-browser.prod.js";
