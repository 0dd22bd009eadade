/**
 * A spec's definitions, opened by the caller of training, and bound to the settings that name them.
 */
import { bindCode, checkDerivatives, type RowCall } from "../algorithm/registry.ts";
import { DEFINITION_EXPORTS, type DefinedCode, type DefinedCodes } from "../record/definitions.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { DefinitionRef, RowKind } from "../spec/definitions.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import type { ExperimentHost } from "./host.ts";

/** Null if the spec has none. @throws InputError with name and line if one cannot be read. */
export async function openDefinitions(
  { definitions }: Pick<ExperimentSpec, "definitions">,
  { openDefinitions: open }: Pick<ExperimentHost, "openDefinitions">,
): Promise<DefinedCodes | null> {
  if (!definitions || definitions.length === 0) return null;
  if (!open) throw new InputError("definitions is set; here no code can be run");
  return open(definitions);
}

/** One of a spec's definitions. @throws InputError if there is no such definition. */
export function definedCode(definitions: DefinedCodes | null, ref: DefinitionRef): DefinedCode {
  if (definitions) return definitions.get(ref);
  throw new InputError(`the ${ref.kind} ${ref.name} is not defined`);
}

/** The row with the code of its definitions. @throws InputError if a derivative is not that of its value. */
export function boundRow(
  config: AlgorithmConfig,
  definitions: DefinedCodes | null,
): AlgorithmConfig {
  if (!config.own || !definitions) return config;
  const calls = Object.entries(config.own).map(([word, name]) => {
    const kind = word as RowKind;
    const code = definitions.get({ kind, name });
    return [kind, (input: object) => code.call(DEFINITION_EXPORTS[kind][0]!, input)];
  });
  const bound = bindCode(config, Object.fromEntries(calls) as Record<RowKind, RowCall>);
  checkDerivatives(bound);
  return bound;
}
