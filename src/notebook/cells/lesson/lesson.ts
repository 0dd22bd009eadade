/** Makes the notebook a lesson: each second-level heading begins a step (`steps.ts`). */
import { z } from "zod";
import type { CellKind } from "../kind.ts";

export const lessonKind = {
  title: "Lesson",
  shows: false,
  blank: "number: 1\nminutes: 10",
  schema: z.object({
    number: z.int().min(0).max(99),
    minutes: z.number().min(1).max(180).default(10),
  }),
} satisfies CellKind;
