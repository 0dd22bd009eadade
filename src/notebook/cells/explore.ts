/** A figure with handles. */
import { z } from "zod";
import { line, word, words } from "./fields.ts";
import type { CellKind } from "./kind.ts";

const numbers = z.array(z.number()).min(1).max(64);

const schema = z.object({
  figure: word,
  /** From a recorded episode or group. */
  data: z
    .object({
      rewards: numbers,
      values: numbers,
      truth: numbers,
      half: numbers,
      branches: z.int().min(1),
      potentials: numbers,
      differences: numbers,
      logRatios: numbers,
      lengths: z.array(z.int().min(1)).min(1).max(64),
      tokenValues: numbers,
      logits: numbers,
      tokens: z.array(line).min(1).max(12),
    })
    .partial()
    .strict()
    .default({}),
  /** Initial settings of handles. */
  set: z.record(z.string(), z.number()).default({}),
  /** Handles that are not shown. */
  hide: words.default([]),
  /** The source of the numbers. */
  source: line.default(""),
});

export const exploreKind = {
  title: "Figure with handles",
  shows: false,
  blank: "figure: group",
  schema,
  onPaper: () => "always",
} satisfies CellKind;
