/** The views in the order of the tabs, each loaded when it is opened first. */
export const VIEWS = [
  { name: "tide", load: () => import("./tide.js").then((module) => module.TideView) },
  { name: "memories", load: () => import("./memories.js").then((module) => module.MemoriesView) },
  { name: "why", load: () => import("./why.js").then((module) => module.WhyView) },
  { name: "people", load: () => import("./people.js").then((module) => module.PeopleView) },
  { name: "keeping", load: () => import("./keeping.js").then((module) => module.KeepingView) },
  { name: "forgetting", load: () => import("./forgetting.js").then((module) => module.ForgettingView) },
  { name: "settings", load: () => import("./settings.js").then((module) => module.SettingsView) },
  { name: "graph", load: () => import("./graph.js").then((module) => module.GraphView) },
];
