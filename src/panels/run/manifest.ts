import { definePanel } from "../../figures/manifest.ts";

export const run = definePanel({
  id: "run",
  title: "Settings and files",
  about: "What is trained, what was recorded, and files to open or save.",
  hasNumbers: false,
  terms: ["fingerprint", "seed", "iteration"],
});
