/** A code cell's run: it computes at once. */
import { computes } from "../../../../notebook/cell.ts";
import type { CellStarter } from "../run.ts";

export const codeRun: CellStarter = {
  start: ({ code }, cell) => {
    if (computes(cell)) void code.run([cell.id]);
  },
  stop: ({ code }) => code.stop(),
};
