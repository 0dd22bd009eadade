/** `--from PATH`: an iteration of another program's rollouts as a batch, each algorithm's own. */
import { withApart, type Findings, type ForeignEpisode } from "../interchange/import/foreign.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import { readInto } from "../interchange/import/translate.ts";
import { words } from "../interchange/import/words.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { sharedBatch } from "../reading/credit/batch.ts";
import { readDetails } from "../reading/log/episodeSchema.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { openPaths } from "./openPaths.ts";

export interface ImportedSource {
  from: string;
  /** Undefined: the first that has episodes. */
  iteration: number | undefined;
}

/** @param say receives what is wrong in the files. @throws InputError if they are not known, or lack the iteration */
export async function importedBatches(
  { from, iteration }: ImportedSource,
  say: (line: string) => void,
): Promise<(config: AlgorithmConfig) => TrajectoryBatch> {
  const kept = new OneIteration(iteration);
  const { files, faults } = await openPaths([from]);
  try {
    const { refused, refusedAt } = readInto(kept, files);
    if (refused > 0) faults.push(words.unread(refused, refusedAt));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new InputError(`option --from is ${show(from)}; ${error.message} ${error.action}`);
  }
  if (kept.episodes.length === 0) {
    const numbers = [...kept.iterations].sort((a, b) => a - b);
    throw new InputError(
      numbers.length === 0
        ? `option --from is ${show(from)}; it has metrics and no episodes, which credit is computed from`
        : `option --iteration is ${iteration ?? "absent"}; ${show(from)} has episodes of iteration ${numbers.join(", ")}`,
    );
  }
  // A refusal is one line.
  for (const line of [...faults, ...kept.warnings]) say(line);
  const { episodes } = readDetails({ episodes: kept.episodes });
  return (config) => sharedBatch(config, episodes);
}

/** Evaluations come after every training step. */
const EVALUATIONS = 1e9;

/** Holds the episodes of one iteration, of its first run that trained if any did. */
class OneIteration implements Findings {
  readonly iterations = new Set<number>();
  /** As a recording has them. */
  episodes: unknown[] = [];
  readonly warnings = new Set<string>();
  isEmpty = true;
  readonly #wanted: number | undefined;
  #run = "";
  #at = Infinity;

  constructor(wanted: number | undefined) {
    this.#wanted = wanted;
  }

  episode(run: string, iteration: number, found: ForeignEpisode): void {
    this.isEmpty = false;
    this.iterations.add(iteration);
    const isEval = found.split === "eval" || run.includes("-validation");
    const place = isEval ? iteration + EVALUATIONS : iteration;
    if (iteration !== (this.#wanted ?? iteration) || place > this.#at) return;
    if (place < this.#at) [this.#at, this.#run, this.episodes] = [place, run, []];
    if (run !== this.#run) return;
    const record = { trajectory: this.episodes.length, ...withApart(found) };
    this.episodes.push(JSON.parse(JSON.stringify(record)));
  }

  metrics(): void {
    this.isEmpty = false;
  }

  warn(text: string): void {
    this.warnings.add(text);
  }

  readonly runs: string[] = [];
  measured(): void {}
  settings(): void {}
  unread(): void {}
  note(): void {}
  assume(): void {}
}
