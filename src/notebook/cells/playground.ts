/** The playground of credit, at a place of the run. */
import { z } from "../../spec/zod.ts";
import { turnPlace } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const playgroundKind = {
  title: "Playground",
  shows: true,
  blank: "",
  schema: z.object({ at: z.optional(turnPlace) }),
  showsRun: true,
} satisfies CellKind;
