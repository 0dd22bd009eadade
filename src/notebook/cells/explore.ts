/** A figure with handles. */
import { z } from "../../spec/zod.ts";
import { line, word, words } from "./fields.ts";
import type { CellKind } from "./kind.ts";

const numbers = z.array(z.number()).check(z.minLength(1), z.maxLength(64));

const schema = z.object({
  figure: word,
  /** From a recorded episode or group. */
  data: z._default(
    z.partial(
      z.strictObject({
        rewards: numbers,
        values: numbers,
        truth: numbers,
        half: numbers,
        branches: z.int().check(z.gte(1)),
        potentials: numbers,
        differences: numbers,
        logRatios: numbers,
        lengths: z.array(z.int().check(z.gte(1))).check(z.minLength(1), z.maxLength(64)),
        tokenValues: numbers,
        logits: numbers,
        tokens: z.array(line).check(z.minLength(1), z.maxLength(12)),
        chances: z.array(z.number().check(z.gt(0), z.lt(1))).check(z.minLength(1), z.maxLength(12)),
        measured: z
          .array(z.tuple([z.number(), z.number(), z.number()]))
          .check(z.minLength(1), z.maxLength(12)),
      }),
    ),
    {},
  ),
  /** Initial settings of handles. */
  set: z._default(z.record(z.string(), z.number()), {}),
  /** Handles that are not shown. */
  hide: z._default(words, []),
  /** The source of the numbers. */
  source: z._default(line, ""),
});

export const exploreKind = {
  title: "Figure with handles",
  shows: false,
  blank: "figure: group",
  schema,
  onPaper: () => "always",
} satisfies CellKind;
