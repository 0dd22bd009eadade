/** The checkpoint that a run continues from: the first one that is intact and fits the log. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { decodeCheckpoint, type Checkpoint } from "../train/checkpoint.ts";
import { keptCheckpoint, keptIteration, RUN_FILES } from "../train/runFiles.ts";
import { hasCode } from "./fileError.ts";
import { firstSpecDifference, isSameSpec } from "./specDifference.ts";

/** The hash after each event of a log. */
type Chains = readonly string[];

export interface ResumePoint {
  checkpoint: Checkpoint | undefined;
  /** Those tried before it, and why they were skipped. */
  passed: { name: string; why: string }[];
  /** Its path within the run. */
  name: string | undefined;
}

export async function findResumePoint(
  directory: string,
  spec: ExperimentSpec,
  chains: Chains,
): Promise<ResumePoint> {
  const passed: ResumePoint["passed"] = [];
  for (const name of candidates(directory)) {
    try {
      const checkpoint = await decodeCheckpoint(readFileSync(join(directory, name)));
      const why = misfitOf(checkpoint, spec, chains);
      if (why === null) return { checkpoint, passed, name };
      passed.push({ name, why });
    } catch (error) {
      passed.push({ name, why: resumeRefusal(error) });
    }
  }
  return { checkpoint: undefined, passed, name: undefined };
}

function resumeRefusal(error: unknown): string {
  return hasCode(error, "ENOENT") ? "it is missing" : (error as Error).message;
}

/** In the order in which they are tried. A missing first one is also named if there are others. */
function candidates(directory: string): string[] {
  const kept = keptIterations(directory).map(keptCheckpoint);
  const older = [RUN_FILES.previous, ...kept].filter((name) => existsSync(join(directory, name)));
  const isThere = older.length > 0 || existsSync(join(directory, RUN_FILES.checkpoint));
  return isThere ? [RUN_FILES.checkpoint, ...older] : [];
}

/** The iterations whose checkpoints are stored, the last one first. */
export function keptIterations(directory: string): number[] {
  const folder = join(directory, RUN_FILES.kept);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const iterations = names.map((name) => keptIteration(`${RUN_FILES.kept}/${name}`));
  return iterations.filter((n) => n !== null).sort((a, b) => b - a);
}

/** Null if a checkpoint fits the spec and is in the log. */
export function misfitOf(
  { spec: saved, position }: Checkpoint,
  spec: ExperimentSpec,
  chains: Chains,
): string | null {
  if (!isSameSpec(saved, spec))
    return `it belongs to another spec (${firstSpecDifference(saved, spec)})`;
  const { events, chain } = position;
  if (events > chains.length)
    return `it was saved after ${events} events, but the log has ${chains.length}`;
  const here = events === 0 ? "" : chains[events - 1];
  return here === chain ? null : "the log's chain differs at that point";
}

/** @throws InputError that names the file. */
export async function readCheckpoint(directory: string, name: string): Promise<Checkpoint> {
  const path = join(directory, name);
  try {
    return await decodeCheckpoint(readFileSync(path));
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${path}: ${error.message}`);
    throw error;
  }
}
