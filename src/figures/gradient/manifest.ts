import { definePanel } from "../manifest.ts";

export const gradient = definePanel({
  id: "gradient",
  title: "Gradient",
  about: "Which gradients are near the true one, and how noisy they are.",
  terms: ["gradient", "truth", "bootstrap", "filter"],
});
