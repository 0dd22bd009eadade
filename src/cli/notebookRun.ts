/**
 * `notebook run FILE --out DIR`: trains every experiment of a notebook, in its order, each in a folder of its own below DIR,
 * then computes every code cell. Begun again, it resumes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseNotebook, type TypedCell } from "../notebook/document.ts";
import { definitionsIn, readExperiment } from "../notebook/experimentCell.ts";
import { RunLog } from "../reading/log/runLog.ts";
import { runCell, type CodeCell } from "../runtime/sandbox/cells.ts";
import { freeNames } from "../runtime/sandbox/freeNames.ts";
import { nodeQuickJs } from "../runtime/sandbox/node.ts";
import { InputError } from "../spec/inputError.ts";
import { CodeCells } from "../store/codeCells.ts";
import { codeInput, type CellRun } from "../store/codeInputs.ts";
import { outFolder, parseArgs } from "./args.ts";
import type { Command, Output } from "./command.ts";
import { keptLog } from "./keptRun.ts";
import { readText } from "./readFile.ts";
import { trainCommand } from "./train.ts";

/** Handed on to `train`. */
const PASSED = { iterations: "integer", workers: "integer" } as const;

/** Exit code 1 where a code cell has failed. */
export const runNotebook: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    out: { type: "string" },
    iterations: { type: "integer", min: 1 },
    workers: { type: "integer", min: 1, max: 16 },
  });
  const [path, ...rest] = args.words;
  if (path === undefined || rest.length > 0)
    throw new InputError(`notebook run needs one file, not ${args.words.length}`);
  const folder = outFolder(args);
  if (folder === undefined) throw new InputError("notebook run needs --out DIR");
  const { notebook } = parseNotebook(readText("the notebook", path));
  const typed = notebook.cells.filter((cell): cell is TypedCell => cell.type !== "prose");
  const passed = Object.keys(PASSED).flatMap((name) => {
    const value = args.number(name as keyof typeof PASSED);
    return value === undefined ? [] : [`--${name}`, String(value)];
  });
  const runs = new Map<string, CellRun>();
  const experiments = [];
  for (const cell of typed.filter(({ type }) => type === "experiment")) {
    const { spec } = readExperiment(cell.body, definitionsIn(typed));
    const log = await trained(join(folder, cell.id), spec, passed, labelled(out, cell.id));
    runs.set(cell.id, { log, isBusy: false });
    experiments.push({
      id: cell.id,
      fingerprint: log.lastChain,
      iterations: log.finishedIterations,
    });
  }
  const code = await computed(
    typed.flatMap(({ type, defines, id, body }) =>
      type === "code" && !defines ? [{ name: id, source: body }] : [],
    ),
    runs,
  );
  out.json({ title: notebook.title, experiments, code });
  return code.every(({ ok }) => ok) ? 0 : 1;
};

/** Events go to the folder; what is said of it names the cell. */
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

type Computed = { id: string } & (
  { ok: true; shown: unknown; lines: string[] } | { ok: false; problem: string; lines: string[] }
);

async function computed(
  cells: readonly CodeCell[],
  runs: ReadonlyMap<string, CellRun>,
): Promise<Computed[]> {
  const quickjs = await nodeQuickJs();
  const code = new CodeCells({
    cells: () => cells,
    input: (name) => codeInput(runs, name),
    readsOf: ({ source, name }) => freeNames(source, name),
    run: (cell, inputs) => runCell(quickjs, cell, inputs),
  });
  await code.run(cells.map(({ name }) => name));
  const { views } = code.store.getState();
  return cells.map(({ name }) => {
    const output = views[name]!.output!;
    const lines = output.lines.map(({ text }) => text);
    return output.ok
      ? { id: name, ok: true, shown: output.shown, lines }
      : { id: name, ok: false, problem: output.problem.message, lines };
  });
}
