/** What values of fields are drawn from, in the files of sweeps and studies. */
import { z } from "./zod.ts";

/** A field's value. */
export const fieldValue = z.union([z.number(), z.string(), z.boolean()]);
const range = z.tuple([z.number(), z.number()]);
const from = z.union(
  [
    z.array(fieldValue).check(z.minLength(1)),
    /** Uniform between two numbers, or between their logarithms; three digits. */
    z.strictObject({ linear: range }),
    z.strictObject({ log: range }),
  ],
  "a list of values, { log: [low, high] } or { linear: [low, high] }",
);

/** By field, named as in links. */
export const drawnOver = z.record(z.string(), from);

export type DrawnFrom = z.infer<typeof from>;
