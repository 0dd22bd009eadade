/** Rollouts of any program: one JSON object each, with the usual names or those of a mapping. */
import type { Format } from "./foreign.ts";
import type { RowMap } from "./choices.ts";
import { isRolloutRow, rowFault, tableRows, takeRow } from "./rows.ts";
import { namesInOrder } from "./values.ts";

/** Rows, alone or in tables, whose columns are named by a mapping. */
export function mappedRollouts(map: RowMap): Format {
  // Without a mapping, tables are a format of their own.
  const isMapped = Object.keys(map).length > 0;
  const rowsIn = (value: unknown) => (isMapped && tableRows(value)) || [value];
  return {
    apart: "name",
    fits: (value) => rowsIn(value).some((row) => isRolloutRow(row, map)),
    reader(findings) {
      const taskName = namesInOrder("prompt");
      return {
        take(value, file) {
          const rows = rowsIn(value).filter((row) => isRolloutRow(row, map));
          for (const row of rows)
            takeRow(row, `rollouts${file.run}`, file, findings, taskName, {}, map);
          return rows.length > 0 || (rowFault(value, map) ?? false);
        },
      };
    },
  };
}

export const messageRollouts = mappedRollouts({});
