import { definePanel } from "../manifest.ts";

export const doctor = definePanel({
  id: "doctor",
  pane: "health",
  title: "Health",
  about: "Is this run collapsing? The evidence, since when, and what helps.",
  terms: ["collapse", "silent-group", "entropy", "kl", "gradient", "explained-variance"],
});
