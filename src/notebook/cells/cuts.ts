/** Three ways to cut an episode, from an opening figure's file. */
import { z } from "../../spec/zod.ts";
import { line } from "./fields.ts";
import type { CellKind } from "./kind.ts";
import { openingKind } from "./opening.ts";

export const cutsKind = {
  title: "Three ways to cut",
  shows: false,
  blank: "figure: figures/opening.json",
  schema: z.object({ figure: line }),
  onPaper: () => "always",
  files: openingKind.files,
} satisfies CellKind;
