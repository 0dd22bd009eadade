import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../shared/manifest.ts";
import "./clip.css";

export const clip = definePanel({
  id: "clip",
  title: "Clip",
  about: "How far ratios went, and what the clip cut.",
  settings: {
    /** Whether bars' heights are logarithmic. */
    heights: oneOf(["log", "linear"], "log"),
  },
});
