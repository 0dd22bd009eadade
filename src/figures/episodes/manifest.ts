import { lineOf, oneOf, onOff } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

export const episodes = definePanel({
  id: "episodes",
  title: "Episodes",
  about: "Find an episode by reward, surprise, clip or text.",
  terms: ["episode", "task", "reward", "td-error", "clip", "advantage"],
  needsEpisodes: {
    empty: "No episodes yet. Press Run to sort and search them here.",
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
    /** The search text. */
    find: lineOf(200),
  },
  keys: [
    { id: "nextFound", name: "Next episode in the table", keys: ["N"], scope: "turns" },
    { id: "previousFound", name: "Previous episode in the table", keys: ["P"], scope: "turns" },
  ],
});
