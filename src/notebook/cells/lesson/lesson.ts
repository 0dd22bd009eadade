/** Makes the notebook a lesson: each second-level heading begins a step (`steps.ts`). */
import { z } from "../../../spec/zod.ts";
import type { CellKind } from "../kind.ts";

export const lessonKind = {
  title: "Lesson",
  shows: false,
  blank: "number: 1\nminutes: 10",
  schema: z.object({
    number: z.int().check(z.gte(0), z.lte(99)),
    minutes: z._default(z.number().check(z.gte(1), z.lte(180)), 10),
  }),
} satisfies CellKind;
