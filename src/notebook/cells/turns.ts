/** The turns of the newest episode. */
import { z } from "../../spec/zod.ts";
import type { CellKind } from "./kind.ts";

export const turnsKind = {
  title: "Turns",
  shows: true,
  blank: "",
  schema: z.object({}),
  showsRun: true,
} satisfies CellKind;
