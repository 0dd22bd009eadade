import { definePanel } from "../shared/manifest.ts";
import "./doctor.css";

export const doctor = definePanel({
  id: "doctor",
  pane: "health",
  title: "Doctor",
  about: "Is this run collapsing? The evidence, since when, and what helps.",
  terms: ["collapse", "entropy", "kl", "gradient", "explained-variance"],
});
