/**
 * `notebook check FILE...`: problems of notebooks, as `FILE:LINE: message` and as JSON, for a build to stop at. Recordings
 * must be intact, and of the experiment that their cell says; with `--form`, the text as the page writes it. With `--run`
 * a notebook is also trained, and the fingerprint of each run and each cell's output compared with the stored one: of a
 * recording, or in a file of `notebook run` (`--fingerprints FILE`; else NAME.fingerprints.json beside NAME.md).
 */
import { kindOf } from "../notebook/cells/kinds.ts";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { typedCells, type Notebook } from "../notebook/cell.ts";
import { parseNotebook } from "../notebook/document.ts";
import { readExperiment } from "../notebook/cells/experiment/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { outFolder, parseArgs, userPath, type Args } from "./args.ts";
import type { Command, Output } from "./command.ts";
import { formRemarks } from "./notebookForm.ts";
import { besideNotebooks, cellProblems } from "./notebookProblems.ts";
import { recordedEnd } from "./notebookRecordings.ts";
import { RUN_OPTIONS, trainNotebook, type NotebookRun } from "./notebookRun.ts";
import { readJsonFile, readText } from "./readFile.ts";

/** Exit code 1 if there are problems, or a run differs from the stored one. */
export const checkNotebooks: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    ...RUN_OPTIONS,
    run: { type: "flag" },
    form: { type: "flag" },
    fingerprints: { type: "string" },
  });
  const { words: paths } = args;
  if (paths.length === 0) throw new InputError("notebook check needs at least one file, not 0");
  for (const name of ["out", "fingerprints", "workers"]) {
    if (args.string(name) === undefined) continue;
    if (!args.flag("run")) throw new InputError(`option --${name} needs --run`);
    if (name !== "workers" && paths.length > 1)
      throw new InputError(`option --${name} is for one notebook, not ${paths.length}`);
  }
  let isFine = true;
  for (const path of paths) isFine = (await checkNotebook(path, args, out)) && isFine;
  return isFine ? 0 : 1;
};

async function checkNotebook(path: string, args: Args, out: Output): Promise<boolean> {
  const text = readText("the notebook", path);
  const { notebook, remarks, lines } = parseNotebook(text);
  const problems = [
    ...remarks,
    ...(await cellProblems(notebook, lines, path)),
    ...(args.flag("form") ? formRemarks(text, notebook) : []),
  ];
  const runs = args.flag("run") ? await comparedRuns(notebook, path, args, out) : null;
  const failed = (runs?.failed ?? []).map(({ id, problem }) => ({
    line: lines[notebook.cells.findIndex((cell) => "id" in cell && cell.id === id)]!,
    message: problem,
  }));
  const all = [...problems, ...failed].sort((a, b) => a.line - b.line);
  out.json({
    file: path,
    title: notebook.title,
    cells: typedCells(notebook.cells).map(({ type, id, of }) => ({ type, id, of })),
    problems: all,
    ...(runs && { runs: runs.compared }),
  });
  const others = (runs?.compared ?? []).filter(({ verdict }) => verdict === "other");
  for (const { line, message } of all) out.progress(`${path}:${line}: ${message}`);
  for (const { id, fingerprint, kept } of others)
    out.progress(`${path}: ${id} ends with ${fingerprint}; ${kept} is stored`);
  return all.length === 0 && others.length === 0;
}

interface CheckedRun extends Omit<NotebookRun, "iterations"> {
  /** Null if nothing is stored for this run. */
  kept: string | null;
  verdict: "same" | "other" | "nothing kept";
}

/** Trains in the folder of `--out`, where runs can be resumed; otherwise in a temporary one. */
async function comparedRuns(notebook: Notebook, path: string, args: Args, out: Output) {
  const kept = await keptFingerprints(notebook, path, args);
  const own = outFolder(args);
  const folder = own ?? mkdtempSync(join(tmpdir(), "turnbook-check-"));
  try {
    const { experiments, sweeps, code } = await trainNotebook(notebook, folder, args, out);
    const computed = code.flatMap((one) => (one.ok ? [one] : []));
    const compared = [...experiments, ...sweeps, ...computed].map(({ id, fingerprint }) => {
      const before = kept.get(id) ?? null;
      const verdict = before === null ? "nothing kept" : before === fingerprint ? "same" : "other";
      return { id, fingerprint, kept: before, verdict } satisfies CheckedRun;
    });
    return { compared, failed: code.flatMap((one) => (one.ok ? [] : [one])) };
  } finally {
    if (own === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** By the names of runs; a given file takes precedence over recordings. */
async function keptFingerprints(
  notebook: Notebook,
  path: string,
  args: Args,
): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (const { type, id, body } of typedCells(notebook.cells)) {
    const { recording } = kindOf(type).hasRun ? readExperiment(body) : { recording: null };
    const file = recording === null ? null : besideNotebooks(path, recording);
    const recorded =
      file !== null && existsSync(file) ? (await recordedEnd(file)).fingerprint : null;
    if (recorded !== null) kept.set(id, recorded);
  }
  const file = args.string("fingerprints") ?? fingerprintsBeside(path);
  if (file === undefined) return kept;
  const written = readJsonFile("the file of fingerprints", file);
  for (const [id, fingerprint] of Object.entries(Object(written) as Record<string, unknown>)) {
    if (typeof fingerprint !== "string" || !/^[0-9a-f]{64}$/.test(fingerprint))
      throw new InputError(
        `the fingerprint of ${show(id)} in ${file} is ${show(fingerprint)}; it must be 64 hexadecimal digits`,
      );
    kept.set(id, fingerprint);
  }
  return kept;
}

/** NAME.fingerprints.json beside NAME.md, if it is there. */
function fingerprintsBeside(path: string): string | undefined {
  const file = `${path.replace(/\.md$/, "")}.fingerprints.json`;
  return existsSync(userPath(file)) ? file : undefined;
}
