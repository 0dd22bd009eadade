/** Runs of several experiments side by side; of all if none are named. */
import { z } from "../../spec/zod.ts";
import { metrics, words } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const compareKind = {
  title: "Comparison",
  shows: false,
  blank: "metrics: [reward, heldout]",
  schema: z.object({ experiments: z.optional(words), metrics }),
  names: "experiments",
} satisfies CellKind;
