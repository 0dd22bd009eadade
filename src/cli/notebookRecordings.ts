/** Recordings that a notebook names: whether they are intact, and of the experiment that the cell says. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { decodeManifest, isManifest, MANIFEST } from "../interchange/columnar/manifest.ts";
import { ColumnarRecording } from "../interchange/columnar/open.ts";
import { fieldLine } from "../notebook/cellFields.ts";
import type { Remark } from "../notebook/body.ts";
import type { TypedCell } from "../notebook/cell.ts";
import { readExperiment } from "../notebook/cells/experiment/experiment.ts";
import { kindOf } from "../notebook/cells/kinds.ts";
import { InputError } from "../numeric/inputError.ts";
import { readRecording } from "../reading/log/recording.ts";
import type { Definition } from "../spec/definitions.ts";
import { specAlgorithms, type ExperimentSpec } from "../spec/experiment.ts";
import { firstSpecDifference, isSameSpec } from "./specDifference.ts";
import { isAltered } from "./verifyFiles.ts";
import { verifyPath } from "./verifyPath.ts";

/** What is recorded of an experiment, in a file beside the notebook. */
interface RecordedEnd {
  /** Null if it did not reach its end. */
  fingerprint: string | null;
  spec: ExperimentSpec | null;
}

/** @param fileOf path of a file that the notebook names. */
export async function recordingRemarks(
  { type, body }: TypedCell,
  definitions: readonly Definition[],
  fileOf: (name: string) => string,
): Promise<Remark[]> {
  const { recording, spec } = kindOf(type).hasRun
    ? readExperiment(body, definitions)
    : { recording: null, spec: null };
  if (recording === null || !existsSync(fileOf(recording))) return [];
  const found = await faultOf(fileOf(recording), spec!);
  const line = fieldLine(body, "recording");
  return found === null ? [] : [{ line, message: `recording ${recording} ${found}.` }];
}

/** What speaks against a recording; null: nothing. */
async function faultOf(file: string, spec: ExperimentSpec): Promise<string | null> {
  try {
    const path = file.endsWith(`${sep}${MANIFEST}`) ? dirname(file) : file;
    const altered = (await verifyPath(path, file)).find(isAltered);
    if (altered) return `is altered: ${altered.file}, ${altered.why ?? altered.state}`;
    const recorded = (await recordedEnd(file)).spec;
    const [before, now] = [recorded ?? spec, spec].map(learned);
    if (isSameSpec(before!, now!)) return null;
    return `is of another experiment: ${firstSpecDifference(before!, now!)}`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `cannot be read: ${error.message}`;
  }
}

/** Without what changes no number: where it ran, how much was kept, the preset's name, and defaults that are spelt out. */
function learned(spec: ExperimentSpec): object {
  const { engine: _e, recordEpisodes: _r, preset: _p, algorithms, ...rest } = spec;
  const rows = specAlgorithms(spec);
  return { ...rest, rows, own: algorithms.map(({ name, with: own = {} }) => ({ name, own })) };
}

/** @throws InputError if the file is damaged. */
export async function recordedEnd(file: string): Promise<RecordedEnd> {
  const bytes = readFileSync(file);
  if (!isManifest(bytes.subarray(0, 100).toString())) {
    const log = (await readRecording(bytes))?.log;
    return { fingerprint: log?.lastChain ?? null, spec: log?.start?.spec ?? null };
  }
  const text = bytes.toString();
  const columns = new ColumnarRecording(text, async (name) =>
    Promise.resolve(new Uint8Array(readFileSync(join(dirname(file), name)))),
  );
  const [start] = await columns.events();
  const { spec = null } = Object(start) as { spec?: ExperimentSpec };
  return { fingerprint: decodeManifest(text).fingerprint, spec };
}
