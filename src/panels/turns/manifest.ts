import { definePanel } from "../shared/manifest.ts";

export const turns = definePanel({
  id: "turns",
  title: "Turn by turn",
  about: "What was seen, written and earned in each turn of one episode.",
  openAtFirst: true,
});
