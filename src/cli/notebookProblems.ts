/** Problems of a notebook's cells, by line. */
import { dirname, resolve } from "node:path";
import { remarksOf } from "../notebook/cellFields.ts";
import type { Notebook, Remark } from "../notebook/document.ts";
import { definitionsIn } from "../notebook/experimentCell.ts";
import { userPath } from "./args.ts";
import { nameRemarks, typedCells } from "./notebookNames.ts";
import { sweepRuns } from "./notebookSweeps.ts";

/**
 * @param lines on which cells begin. @param path the notebook's, for files that it names. @param
 * types of the cells to check; absent: all
 */
export async function cellProblems(
  notebook: Notebook,
  lines: readonly number[],
  path: string,
  types?: readonly string[],
): Promise<Remark[]> {
  const problems: Remark[] = [];
  const definitions = definitionsIn(notebook.cells);
  for (const [i, cell] of notebook.cells.entries()) {
    if (cell.type === "prose" || types?.includes(cell.type) === false) continue;
    const own = [
      ...remarksOf(cell.type, cell.body, definitions),
      ...(await nameRemarks(cell, notebook.cells, (file) => besideNotebooks(path, file))),
      ...sweepRuns(cell, typedCells(notebook)).problems.map(onTop),
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
