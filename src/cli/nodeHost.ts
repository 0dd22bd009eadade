/** The host that the command line provides to an experiment. */
import type { Engine } from "../engine/engine.ts";
import { openDefinedCodes } from "../runtime/sandbox/definitions.ts";
import { nodeQuickJs } from "../runtime/sandbox/node.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { Definition } from "../spec/definitions.ts";
import { InputError } from "../numeric/inputError.ts";
import { boundRow } from "../train/definitions.ts";
import type { ExperimentHost } from "../train/host.ts";
import { readAsset } from "./assets.ts";
import type { Output } from "./command.ts";
import { progressLine } from "./trainOptions.ts";

/** Reads a spec's definitions. @throws InputError with name and line. */
export async function openDefinitionsHere(
  definitions: readonly Definition[],
): Promise<DefinedCodes> {
  return openDefinedCodes(await nodeQuickJs(), definitions);
}

/**
 * Rows for a batch file; rows with user-defined code get it from a spec.
 * @throws InputError if such a row has no spec, or the spec no such definition.
 */
export async function rowsWithCode(
  configs: readonly AlgorithmConfig[],
  spec: ExperimentSpec | undefined,
): Promise<AlgorithmConfig[]> {
  const defined = configs.find(({ own }) => own !== undefined);
  if (!defined) return [...configs];
  if (!spec) throw new InputError(`${defined.name} needs --spec FILE, a spec with its definition`);
  const { definitions = [] } = spec;
  const codes = await openDefinitionsHere(definitions);
  return configs.map((config) => boundRow(config, codes));
}

export function nodeHost(engine: Engine, out: Output) {
  return {
    engine,
    loadAsset: readAsset,
    progress: progressLine(out),
    openDefinitions: openDefinitionsHere,
  } satisfies ExperimentHost;
}
