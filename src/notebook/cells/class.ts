/** A class experiment: every seat trains the experiment with its own seed, and hands in a code. */
import { z } from "zod";
import { MOST_SEATS } from "../../spec/levelCount.ts";
import { LINK_METRICS } from "../../spec/linkCurves.ts";
import { line, option, text } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const classKind = {
  title: "Class experiment",
  shows: true,
  blank: "question: Which method will be ahead?\noptions: [GRPO, Turn-PPO]\nseats: 30",
  schema: z.object({
    question: text,
    options: z.array(option).min(2).max(9),
    metric: z.enum(LINK_METRICS).default("heldout"),
    seats: z.int().min(1).max(MOST_SEATS).default(40),
    /** For a class that has its link: the experiment's seed is the class's then. */
    name: line.optional(),
  }),
  keepsBeside: true,
} satisfies CellKind;
