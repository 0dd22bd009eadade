/** Problems of a notebook's cells, by line. */
import { dirname, resolve } from "node:path";
import { remarksOf } from "../notebook/cellFields.ts";
import {
  definitionsIn,
  isTyped,
  typedCells,
  type Notebook,
  type TypedCell,
} from "../notebook/cell.ts";
import type { Remark } from "../notebook/body.ts";
import { userPath } from "./args.ts";
import { nameRemarks } from "./notebookNames.ts";
import { sweepRuns } from "./notebookSweeps.ts";

/**
 * @param lines on which cells begin. @param path the notebook's, for files that it names. @param isWanted which cells are
 * looked at; absent: all
 */
export async function cellProblems(
  notebook: Notebook,
  lines: readonly number[],
  path: string,
  isWanted: (cell: TypedCell) => boolean = () => true,
): Promise<Remark[]> {
  const problems: Remark[] = [];
  const definitions = definitionsIn(notebook.cells);
  for (const [i, cell] of notebook.cells.entries()) {
    if (!isTyped(cell) || !isWanted(cell)) continue;
    const own = [
      ...remarksOf(cell.type, cell.body, definitions),
      ...(await nameRemarks(cell, notebook.cells, (file) => besideNotebooks(path, file))),
      ...sweepRuns(cell, typedCells(notebook.cells)).problems.map(onTop),
    ];
    // The body begins below the fence.
    for (const { line, message } of own)
      problems.push({ line: lines[i]! + line, message: `${cell.id}: ${message}` });
  }
  return problems;
}

const onTop = (message: string): Remark => ({ line: 1, message });

/** As on a site: files that a notebook names are next to the folder of notebooks. */
export function besideNotebooks(path: string, file: string): string {
  return resolve(dirname(userPath(path)), "..", file);
}
