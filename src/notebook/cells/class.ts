/** A class experiment: every seat trains the experiment with its own seed, and hands in a code. */
import { z } from "../../spec/zod.ts";
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
    options: z.array(option).check(z.minLength(2), z.maxLength(9)),
    metric: z._default(z.enum(LINK_METRICS), "heldout"),
    seats: z._default(z.int().check(z.gte(1), z.lte(MOST_SEATS)), 40),
    /** For a class that has its link: the experiment's seed is the class's then. */
    name: z.optional(line),
  }),
  keepsBeside: true,
} satisfies CellKind;
