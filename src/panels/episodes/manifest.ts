import { lineOf, oneOf, onOff } from "../../store/lensCodecs.ts";
import { definePanel } from "../shared/manifest.ts";
import "./episodes.css";

export const episodes = definePanel({
  id: "episodes",
  title: "Episodes",
  about: "Find an episode: by reward, surprise or clip, or by what was said in it.",
  needsEpisodes: {
    empty: "No episodes yet. Press Run, and all of them can be sorted and searched here.",
  },
  settings: {
    scope: oneOf(["this", "all"], "this"),
    sort: oneOf(
      [
        ...(["episode", "task", "outcome", "reward", "turns"] as const),
        ...(["error", "clipped", "surprise", "advantage"] as const),
      ],
      "episode",
    ),
    direction: oneOf(["up", "down"], "up"),
    outcome: oneOf(["any", "solved", "failed", "unknown"], "any"),
    clipped: onOff(false),
    /** What is looked for in texts. */
    find: lineOf(200),
  },
  keys: [
    {
      id: "nextFound",
      name: "Episodes: next in the table",
      keys: ["N"],
      scope: "turns",
      does: "press",
    },
    {
      id: "previousFound",
      name: "Episodes: previous in the table",
      keys: ["P"],
      scope: "turns",
      does: "press",
    },
  ],
});
