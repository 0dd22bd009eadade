import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../shared/manifest.ts";
import "./speed.css";

export const speed = definePanel({
  id: "speed",
  title: "Speed",
  about: "Where the time goes, and how much memory is held.",
  settings: {
    quantity: oneOf(["seconds", "tokens", "episodes", "memory", "dispatches"], "seconds"),
  },
});
