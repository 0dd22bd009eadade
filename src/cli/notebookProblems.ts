/** Problems of a notebook's cells, by line. */
import { dirname, resolve } from "node:path";
import { remarksOf, fieldLine, readFields } from "../notebook/cellFields.ts";
import {
  definitionsIn,
  isTyped,
  typedCells,
  cellsWith,
  type Notebook,
  type TypedCell,
  type Cell,
} from "../notebook/cell.ts";
import { userPath } from "./args.ts";
import { recordingRemarks } from "./notebookRecordings.ts";
import { sweepRuns } from "./notebookSweeps.ts";
import { existsSync } from "node:fs";
import type { Remark } from "../notebook/body.ts";
import { kindOf, type CellType } from "../notebook/cells/kinds.ts";
import { explorations } from "../panels/explore/explorations.ts";
import { manifests } from "../panels/manifests.ts";
import { CodeError } from "../runtime/sandbox/codeError.ts";
import { checkDefinition, freeNames } from "../runtime/sandbox/freeNames.ts";
import type { SettingTable } from "../store/lensCodecs.ts";

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
      ...(await recordingRemarks(cell, definitions, (file) => besideNotebooks(path, file))),
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

/** A name or a value that does not exist. */
interface Misnamed {
  /** The field that contains it. */
  field: string;
  message: string;
}

/** @param fileOf path of a file that the notebook names. */
async function nameRemarks(
  cell: TypedCell,
  cells: readonly Cell[],
  fileOf: (name: string) => string,
): Promise<Remark[]> {
  if (kindOf(cell.type).isCode) return codeRemarks(cell, cells);
  const found = [...(NAMED[cell.type]?.(cell.body, cells) ?? []), ...missingFiles(cell, fileOf)];
  return found.map(({ field, message }) => ({ line: fieldLine(cell.body, field), message }));
}

/** By the kind of cell, what its names are held to. */
const NAMED: Partial<Record<CellType, (body: string, cells: readonly Cell[]) => Misnamed[]>> = {
  panel: ofPanel,
  explore: ofExploration,
  compare: (body, cells) => {
    const { experiments = [] } = readFields("compare", body).value ?? {};
    const known = cellsWith(cells, "hasRun").map(({ id }) => id);
    return unknown("experiments", experiments, known, "experiment");
  },
};

function ofExploration(body: string): Misnamed[] {
  const { figure, set = {}, hide = [], data = {} } = readFields("explore", body).value ?? {};
  if (figure === undefined) return [];
  const found = Object.hasOwn(explorations, figure) ? explorations[figure]! : null;
  if (!found) return unknown("figure", [figure], Object.keys(explorations), "figure with handles");
  const handles = found.handles.map(({ id }) => id);
  const missing = (found.needs ?? []).filter((name) => data[name] === undefined);
  return [
    ...unknown("set", Object.keys(set), handles, `handle of ${figure}`),
    ...unknown("hide", hide, handles, `handle of ${figure}`),
    ...missing.map((name) => ({ field: "data", message: `${figure} needs data.${name}.` })),
  ];
}

function ofPanel(body: string): Misnamed[] {
  const { panel, settings = {} } = readFields("panel", body).value ?? {};
  if (panel === undefined) return [];
  const manifest = manifests.find(({ id }) => id === panel);
  if (!manifest) {
    const known = manifests.map(({ id }) => id);
    return unknown("panel", [panel], known, "panel");
  }
  const table: SettingTable = manifest.settings;
  const names = unknown(
    "settings",
    Object.keys(settings),
    Object.keys(table),
    `setting of ${panel}`,
  );
  const values = Object.entries(settings).flatMap(([name, text]): Misnamed[] =>
    table[name] && table[name].read(text) === undefined
      ? [{ field: name, message: `${name} is ${text}; allowed: ${table[name].allowed}.` }]
      : [],
  );
  return [...names, ...values];
}

function unknown(
  field: string,
  names: readonly string[],
  known: readonly string[],
  kind: string,
): Misnamed[] {
  const allowed = known.join(", ") || "none";
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({ field, message: `${name} is no ${kind}; allowed: ${allowed}.` }));
}

/** Files that the cell shows and that do not exist. */
function missingFiles({ type, body }: TypedCell, fileOf: (name: string) => string): Misnamed[] {
  return (kindOf(type).files?.(body) ?? [])
    .filter(([, file]) => !existsSync(fileOf(file)))
    .map(([field, file]) => ({ field, message: `${file} is not there.` }));
}

/** Code that cannot be parsed and, for cells that compute, undefined names. */
async function codeRemarks(
  { id, body, defines }: TypedCell,
  cells: readonly Cell[],
): Promise<Remark[]> {
  try {
    if (defines) {
      await checkDefinition(body, id);
      return [];
    }
    const reads = await freeNames(body, id);
    const known = new Set(typedCells(cells).map((cell) => cell.id));
    return reads
      .filter((name) => name !== "runs" && !known.has(name))
      .map((name) => ({ line: 1, message: `${name} is no cell of this notebook.` }));
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    return [{ line: error.line ?? 1, message: `${error.what}.` }];
  }
}
