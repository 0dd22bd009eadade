import { definePanel } from "../shared/manifest.ts";
import "./ribbon.css";

export const ribbon = definePanel({
  id: "ribbon",
  title: "Turn ribbon",
  about: "One episode in a row: what the critic expected, and where it was surprised.",
  needsEpisodes: {
    empty: "No episodes yet. Press Run, and the first iteration's episodes can be read here.",
  },
});
