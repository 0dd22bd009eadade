/**
 * `notebook check FILE`: problems of a notebook, by line. With `--run` it is also trained, and each
 * run's fingerprint compared with the stored one: of its recording, or in a file of `notebook run`
 * (`--fingerprints FILE`).
 */
import { kindOf } from "../notebook/cells/kinds.ts";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeManifest, isManifest } from "../interchange/columnar/manifest.ts";
import { typedCells, type Notebook } from "../notebook/cell.ts";
import { parseNotebook } from "../notebook/document.ts";
import { readExperiment } from "../notebook/cells/experiment/experiment.ts";
import { readRecording } from "../reading/log/recording.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { outFolder, parseArgs, type Args } from "./args.ts";
import type { Command, Output } from "./command.ts";
import { besideNotebooks, cellProblems } from "./notebookProblems.ts";
import { RUN_OPTIONS, trainNotebook, type NotebookRun } from "./notebookRun.ts";
import { readJsonFile, readText } from "./readFile.ts";

/** Exit code 1 if there are problems, or a run differs from the stored one. */
export const checkNotebook: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    ...RUN_OPTIONS,
    run: { type: "flag" },
    fingerprints: { type: "string" },
  });
  const [path, ...more] = args.words;
  if (path === undefined || more.length > 0)
    throw new InputError(`notebook check needs one file, not ${args.words.length}`);
  for (const name of ["out", "fingerprints", "workers"])
    if (!args.flag("run") && args.string(name) !== undefined)
      throw new InputError(`option --${name} needs --run`);
  const { notebook, remarks, lines } = parseNotebook(readText("the notebook", path));
  const problems = [...remarks, ...(await cellProblems(notebook, lines, path))];
  const runs = args.flag("run") ? await comparedRuns(notebook, path, args, out) : null;
  out.json({
    title: notebook.title,
    cells: typedCells(notebook.cells).map(({ type, id, of }) => ({ type, id, of })),
    problems: problems.sort((a, b) => a.line - b.line),
    ...(runs && { runs }),
  });
  const isFine = problems.length === 0 && (runs ?? []).every(({ verdict }) => verdict !== "other");
  return isFine ? 0 : 1;
};

interface CheckedRun extends NotebookRun {
  /** Null if nothing is stored for this run. */
  kept: string | null;
  verdict: "same" | "other" | "nothing kept";
}

/** Trains in the folder of `--out`, where runs can be resumed; otherwise in a temporary one. */
async function comparedRuns(
  notebook: Notebook,
  path: string,
  args: Args,
  out: Output,
): Promise<CheckedRun[]> {
  const kept = await keptFingerprints(notebook, path, args);
  const own = outFolder(args);
  const folder = own ?? mkdtempSync(join(tmpdir(), "turnbook-check-"));
  try {
    const { experiments, sweeps } = await trainNotebook(notebook, folder, args, out);
    return [...experiments, ...sweeps].map((run) => {
      const before = kept.get(run.id) ?? null;
      const verdict =
        before === null ? "nothing kept" : before === run.fingerprint ? "same" : "other";
      return { ...run, kept: before, verdict };
    });
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
    const recorded = file !== null && existsSync(file) ? await recordedFingerprint(file) : null;
    if (recorded !== null) kept.set(id, recorded);
  }
  const file = args.string("fingerprints");
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

async function recordedFingerprint(file: string): Promise<string | null> {
  const bytes = readFileSync(file);
  const text = bytes.subarray(0, 100).toString();
  if (isManifest(text)) return decodeManifest(bytes.toString()).fingerprint;
  return (await readRecording(bytes))?.log.lastChain ?? null;
}
