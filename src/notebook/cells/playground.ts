/** The playground of credit, at a place of the run. */
import { z } from "zod";
import { turnPlace } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const playgroundKind = {
  title: "Playground",
  shows: true,
  blank: "",
  schema: z.object({ at: turnPlace.optional() }),
  showsRun: true,
} satisfies CellKind;
