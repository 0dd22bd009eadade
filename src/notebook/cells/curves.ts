/** Curves of an experiment's run. */
import { z } from "../../spec/zod.ts";
import { metrics } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const curvesKind = {
  title: "Curves",
  shows: true,
  blank: "metrics: [reward, heldout]",
  schema: z.object({ metrics }),
  showsRun: true,
  onPaper: () => "recorded",
} satisfies CellKind;
