/** JavaScript that computes a value, or defines something that experiments train with. */
import type { CellKind } from "./kind.ts";

export const codeKind = {
  title: "Code",
  shows: false,
  blank: "// The last line is the cell's value.\nObject.keys(runs)",
  button: "Code",
  isCode: true,
  starts: true,
} satisfies CellKind;
