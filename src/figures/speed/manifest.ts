import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

export const speed = definePanel({
  id: "speed",
  pane: "health",
  openAtFirst: false,
  title: "Speed",
  about: "Time per phase, and memory in use.",
  terms: ["iteration", "update", "token", "dispatch"],
  settings: {
    quantity: oneOf(["seconds", "tokens", "episodes", "memory", "dispatches"], "seconds"),
  },
});
