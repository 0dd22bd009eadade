/** Words of the story. */
import { formatDuration, formatFixed } from "../../numeric/format.ts";
import { counted } from "../../numeric/counted.ts";
import { CAUSE_TEST } from "../../reading/story/proposal.ts";
import type { StoryVerdict } from "../../reading/story/verdict.ts";
import type { STORY_STEPS } from "./manifest.ts";

const whys: Record<StoryVerdict, (title: string) => string> = {
  fell: (title) => `Why ${title} fell`,
  "fell-back": (title) => `Why ${title} fell back`,
  stalled: (title) => `Why ${title} did not learn`,
  "lost-format": (title) => `Why ${title} lost its format`,
  learned: (title) => `What may still hold ${title} back`,
  healthy: (title) => `What may still hold ${title} back`,
  "too-early": (title) => `What may hold ${title} back`,
};

const steps: Record<(typeof STORY_STEPS)[number][0], string> = {
  curve: "Curve",
  group: "Group",
  episode: "Episode",
  turn: "Turn",
  formula: "Formula",
};

export const words = {
  about:
    "Computed from the log: what each method did, and the likeliest causes, strongest first. Weights order the causes; they are no probabilities.",
  onset: (title: string, isBad: boolean, at: number, [from, to]: readonly [number, number]) =>
    `${title}: ${isBad ? "onset" : "change"} ${at}${from < to ? `, between ${from} and ${to}` : ""}`,
  empty: "No run yet. Press Run; its story appears here.",
  methods: "What each method did",
  method: "Method",
  now: (iteration: number) => `At iteration ${iteration}`,
  at: (iteration: number) => `at iteration ${iteration}`,
  why: (verdict: StoryVerdict, title: string) => whys[verdict](title),
  cause: (title: string, weight: number) => `${title} · ${formatFixed(weight, 2)}`,
  next: "Next cause",
  none: "No cause is likely enough to be named.",
  path: "Evidence",
  steps,
  unshown: "No recorded episode shows it.",
  against: "Against",
  noneAgainst: "Nothing in this log speaks against it.",
  noted: {
    title: "Seen, but the score did not fall",
    one: (cause: string, onset: number) => `${cause}, from iteration ${onset}.`,
  },
  notMeasured: "Not measured",
  lacks: (title: string, by: string) => `${title}: would take ${by}.`,
  test: "Test it",
  change: (path: string, value: number | string) => `Train again with ${path} = ${value}.`,
  setUp: "Set up this test",
  /** Of the notebook, after what the cause does. */
  tests: (path: string, now: number | string, changed: number | string) =>
    `Each seed trains twice: with ${path} = ${now}, as it is, and with ${changed}. Then this page says whether the cause stands.`,
  byHand: "The log lacks its settings: change it where the run was started.",
  cost: (seconds: number | null) => {
    const { seeds, iterations } = CAUSE_TEST;
    const all = counted(2 * seeds * iterations, "iteration");
    const time =
      seconds === null ? "" : `; about ${formatDuration(2 * seeds * iterations * seconds)}`;
    return `(as it is and changed, ${counted(seeds, "seed")}: ${all}${time})`;
  },
} as const;
