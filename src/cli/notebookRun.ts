/**
 * `notebook run FILE --out DIR`: trains every experiment of a notebook, in order, then every run of
 * its sweeps, each in its own folder below DIR, then computes every code cell. When started again,
 * it resumes. DIR/fingerprints.json has the fingerprint of each run and of each cell's output.
 */
import {
  cellsWith,
  computes,
  trains,
  definitionsIn,
  typedCells,
  type Notebook,
  type Cell,
} from "../notebook/cell.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseNotebook } from "../notebook/document.ts";
import { readExperiment } from "../notebook/cells/experiment/experiment.ts";
import { RunLog } from "../reading/log/runLog.ts";
import { runCell } from "../runtime/sandbox/cells.ts";
import { freeNames } from "../runtime/sandbox/freeNames.ts";
import { nodeQuickJs } from "../runtime/sandbox/node.ts";
import { InputError } from "../numeric/inputError.ts";
import { sha256OfText } from "../numeric/sha256.ts";
import { CodeCells } from "../store/codeCells.ts";
import { codeInput, readerInput, type CellRun } from "../store/codeInputs.ts";
import { outFolder, parseArgs, type Args } from "./args.ts";
import type { Command, Output } from "./command.ts";
import { keptLog } from "./keptRun.ts";
import { sweepRuns } from "./notebookSweeps.ts";
import { readText } from "./readFile.ts";
import { trainCommand } from "./train.ts";
import { cellProblems } from "./notebookProblems.ts";

/** Passed on to `train`. */
const PASSED = { iterations: "integer", workers: "integer" } as const;

export const RUN_OPTIONS = {
  out: { type: "string" },
  workers: { type: "integer", min: 1, max: 16 },
} as const;

/** A run of a notebook, by its name in it, such as `first` or `lr/actorLr 0.001/seed 1`. */
export interface NotebookRun {
  id: string;
  fingerprint: string;
  iterations: number;
}

/** Next to the runs: the fingerprint of each, by its name. */
export const FINGERPRINTS = "fingerprints.json";

/** Exit code 1 if a code cell has failed. @throws InputError if an experiment or a sweep is invalid */
export const runNotebook: Command = async (argv, out) => {
  const args = parseArgs(argv, { ...RUN_OPTIONS, iterations: { type: "integer", min: 1 } });
  const [path, ...rest] = args.words;
  if (path === undefined || rest.length > 0)
    throw new InputError(`notebook run needs one file, not ${args.words.length}`);
  const folder = outFolder(args);
  if (folder === undefined) throw new InputError("notebook run needs --out DIR");
  const { notebook, lines } = parseNotebook(readText("the notebook", path));
  // With a setting that cannot be used, another experiment would train.
  const [first, ...others] = await cellProblems(notebook, lines, path, trains);
  if (first)
    throw new InputError(
      `line ${first.line} of ${path}: ${first.message}${others.length > 0 ? ` (${others.length} more: see notebook check)` : ""}`,
    );
  const { experiments, sweeps, code } = await trainNotebook(notebook, folder, args, out);
  out.json({ title: notebook.title, experiments, ...(sweeps.length > 0 && { sweeps }), code });
  return code.every(({ ok }) => ok) ? 0 : 1;
};

interface Trained {
  experiments: NotebookRun[];
  sweeps: NotebookRun[];
  code: CellResult[];
}

/** Trains every experiment and every run of every sweep, each in its own folder, computes every code cell, and records fingerprints. */
export async function trainNotebook(
  notebook: Notebook,
  folder: string,
  args: Args,
  out: Output,
): Promise<Trained> {
  const passed = Object.keys(PASSED).flatMap((name) => {
    const value = args.number(name as keyof typeof PASSED);
    return value === undefined ? [] : [`--${name}`, String(value)];
  });
  const logs = new Map<string, CellRun>();
  const train = async (id: string, place: string, spec: object) => {
    const log = await trained(join(folder, place), spec, passed, labelled(out, id));
    const run: NotebookRun = {
      id,
      fingerprint: log.lastChain ?? "",
      iterations: log.finishedIterations,
    };
    return { run, log };
  };
  const [experiments, sweeps]: NotebookRun[][] = [[], []];
  const cells = typedCells(notebook.cells);
  for (const cell of cellsWith(cells, "hasRun")) {
    const { spec } = readExperiment(cell.body, definitionsIn(cells));
    const { run, log } = await train(cell.id, cell.id, spec);
    logs.set(cell.id, { log, isBusy: false });
    experiments!.push(run);
  }
  for (const { id, place, spec } of cells.flatMap((cell) => sweepRuns(cell, cells).runs))
    sweeps!.push((await train(id, place, spec)).run);
  const code = await cellResult(notebook.cells, logs);
  const computed = code.filter((one) => one.ok);
  const all = [...experiments!, ...sweeps!, ...computed].map(({ id, fingerprint }) => [
    id,
    fingerprint,
  ]);
  mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
  writeFileSync(join(folder, FINGERPRINTS), text);
  return { experiments: experiments!, sweeps: sweeps!, code };
}

/** Events go to the folder; messages name the cell. */
function labelled(out: Output, id: string): Output {
  return { ...out, json: () => {}, progress: (text) => out.progress(`${id}: ${text}`) };
}

async function trained(
  folder: string,
  spec: object,
  passed: readonly string[],
  out: Output,
): Promise<RunLog> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "experiment.json");
  writeFileSync(file, `${JSON.stringify(spec, null, 2)}\n`);
  await trainCommand([file, "--out", join(folder, "run"), ...passed], out);
  const log = new RunLog();
  for (const event of keptLog(join(folder, "run"))) log.append(event);
  return log;
}

export type CellResult = { id: string } & (
  | { ok: true; shown: unknown; lines: string[]; fingerprint: string }
  | { ok: false; problem: string; lines: string[] }
);

async function cellResult(
  all: readonly Cell[],
  runs: ReadonlyMap<string, CellRun>,
): Promise<CellResult[]> {
  const cells = all.filter(computes).map(({ id, body }) => ({ name: id, source: body }));
  const quickjs = await nodeQuickJs();
  const code = new CodeCells({
    cells: () => cells,
    input: (name) => readerInput(all, {}, name) ?? codeInput(runs, name),
    readsOf: ({ source, name }) => freeNames(source, name),
    run: (cell, inputs) => runCell(quickjs, cell, inputs),
  });
  await code.run(cells.map(({ name }) => name));
  const { views } = code.store.getState();
  return cells.map(({ name }) => {
    const output = views[name]!.output!;
    const lines = output.lines.map(({ text }) => text);
    if (!output.ok) return { id: name, ok: false, problem: output.problem.message, lines };
    const { shown } = output;
    const fingerprint = sha256OfText(JSON.stringify({ shown, lines }));
    return { id: name, ok: true, shown, lines, fingerprint };
  });
}
