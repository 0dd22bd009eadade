/** The opening figure: one recorded episode by each method, with the run's curves. */
import { z } from "../../spec/zod.ts";
import { readBody } from "../body.ts";
import { line } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const openingKind = {
  title: "Figure",
  shows: true,
  blank: "figure: figures/opening.json",
  schema: z.object({ figure: line, note: z._default(line, "") }),
  onPaper: () => "recorded",
  files: (body) => {
    const { figure } = readBody(body).fields;
    return typeof figure === "string" ? [["figure", figure]] : [];
  },
} satisfies CellKind;
