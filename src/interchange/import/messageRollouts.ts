/** Rollouts of any program: one JSON object each, with the usual names or those of a mapping. */
import type { Format } from "./foreign.ts";
import { isRolloutRow, takeRow, type RowMap } from "./rows.ts";
import { namesInOrder } from "./values.ts";

/** Rows whose columns are named by a mapping. */
export function mappedRollouts(map: RowMap): Format {
  return {
    apart: "name",
    fits: (value) => isRolloutRow(value, map),
    reader(findings) {
      const taskName = namesInOrder("prompt");
      return {
        take(value, file) {
          if (!isRolloutRow(value, map)) return false;
          takeRow(value, `rollouts${file.run}`, file, findings, taskName, {}, map);
          return true;
        },
      };
    },
  };
}

export const messageRollouts = mappedRollouts({});
