/** `--from PATH`: an iteration of another program's rollouts as a batch, each algorithm's own. */
import { translate } from "../interchange/import/translate.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { sharedBatch } from "../reading/credit/batch.ts";
import { readDetails } from "../reading/log/episodeSchema.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { isRecord, jsonOrNothing, type JsonObject } from "../spec/jsonText.ts";
import { openPaths } from "./openPaths.ts";

export interface ImportedSource {
  from: string;
  /** Undefined: the first that has episodes. */
  iteration: number | undefined;
}

/** @throws InputError if the files are not known, or lack the iteration */
export async function importedBatches({
  from,
  iteration,
}: ImportedSource): Promise<(config: AlgorithmConfig) => TrajectoryBatch> {
  const lines = await linesFrom(from);
  const found = lines.find(
    (line) => (iteration === undefined || line["iteration"] === iteration) && hasEpisodes(line),
  );
  if (!found) {
    const numbers = lines.filter(hasEpisodes).map((line) => line["iteration"]);
    throw new InputError(
      `option --iteration is ${iteration ?? "absent"}; ${show(from)} has episodes of ${numbers.join(", ") || "none"}`,
    );
  }
  const { episodes } = readDetails(found);
  return (config) => sharedBatch(config, episodes);
}

const hasEpisodes = ({ episodes }: JsonObject) => Array.isArray(episodes) && episodes.length > 0;

async function linesFrom(path: string): Promise<JsonObject[]> {
  try {
    const { files } = await openPaths([path]);
    return Array.from(translate(files).lines, (line) => jsonOrNothing(line)).filter(isRecord);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new InputError(`option --from is ${show(path)}; ${error.message} ${error.action}`);
  }
}
