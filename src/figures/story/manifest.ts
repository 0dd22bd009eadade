import { CAUSE_NAMES } from "../../reading/story/causeNames.ts";
import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

/** The steps of the evidence's path, in order: each with the panel that shows it. */
export const STORY_STEPS = [
  ["curve", "curves"],
  ["group", "group"],
  ["episode", "ribbon"],
  ["turn", "credits"],
  ["formula", "formula"],
] as const;

export const story = definePanel({
  id: "story",
  title: "Story",
  about: "What each method did, the likeliest causes, and the evidence step by step.",
  terms: ["collapse", "silent-group", "credit", "entropy", "normalisation"],
  settings: {
    /** The cause that is open. */
    cause: oneOf(["likeliest", ...CAUSE_NAMES], "likeliest"),
  },
  keys: [
    { id: "storyCurve", name: "Story: the cause on the curve", keys: ["1"], scope: "turns" },
    { id: "storyGroup", name: "Story: the group that shows it", keys: ["2"], scope: "turns" },
    { id: "storyEpisode", name: "Story: the episode", keys: ["3"], scope: "turns" },
    { id: "storyTurn", name: "Story: the turn", keys: ["4"], scope: "turns" },
    { id: "storyFormula", name: "Story: the formula", keys: ["5"], scope: "turns" },
    { id: "nextCause", name: "Story: next cause", keys: ["y"], scope: "turns" },
  ],
});
