/** Runs of several experiments side by side; of all if none are named. */
import { z } from "zod";
import { metrics, words } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const compareKind = {
  title: "Comparison",
  shows: false,
  blank: "metrics: [reward, heldout]",
  schema: z.object({ experiments: words.optional(), metrics }),
  names: "experiments",
} satisfies CellKind;
