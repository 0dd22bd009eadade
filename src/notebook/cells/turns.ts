/** The turns of the newest episode. */
import { z } from "zod";
import type { CellKind } from "./kind.ts";

export const turnsKind = {
  title: "Turns",
  shows: true,
  blank: "",
  schema: z.object({}),
  showsRun: true,
} satisfies CellKind;
