/**
 * `compare (--batch FILE | --from PATH [--iteration N]) [--algorithms a,b,c] [--set KEY=VALUE]...
 * [--spec FILE]`: many algorithms on one batch; the spec contains the code of user-defined estimators.
 */
import { compareRows, tokenWeight, type Comparison } from "../algorithm/compare.ts";
import { decodeBatch } from "../record/decodeBatch.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import {
  algorithmNames,
  inTableOrder,
  rowNameOf,
  type AlgorithmConfig,
} from "../spec/algorithms.ts";
import { specAlgorithm, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { preferenceNames } from "../spec/preference.ts";
import { parseArgs } from "./args.ts";
import { overrides, sourceIn } from "./credit.ts";
import { importedBatches } from "./importedBatch.ts";
import { rowsWithCode } from "./nodeHost.ts";
import { perToken } from "./perUnit.ts";
import { perTurn } from "./perUnit.ts";
import type { Command } from "./command.ts";
import { specIn } from "./trainOptions.ts";

export const compareCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    batch: { type: "string" },
    from: { type: "string" },
    iteration: { type: "integer", min: 0 },
    algorithms: { type: "string" },
    set: { type: "string", repeat: true },
    spec: { type: "string" },
  });
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`compare takes options only, not ${show(word)}`);
  const source = sourceIn("compare", args);
  const specFile = args.string("spec");
  const spec = specFile === undefined ? undefined : specIn(specFile);
  const rows = algorithmList(args.string("algorithms"), overrides(args.list("set")), spec);
  const configs = await rowsWithCode(rows, spec);
  const batches =
    "json" in source ? decodeBatch(source.json) : await importedBatches(source, out.progress);
  // Each row's batch has the same turns and tokens.
  const batch = typeof batches === "function" ? batches(configs[0]!) : batches;
  out.json(comparisonReport(compareRows(batches, configs), batch));
};

/**
 * The named rows, or without names all of them and those that a spec defines, each with the same
 * settings replaced and parsed as in a spec.
 * @throws InputError naming a row or setting that does not exist, a row that is named twice, or a
 * method on pairs.
 */
export function algorithmList(
  names: string | undefined,
  set: object = {},
  spec?: ExperimentSpec,
): AlgorithmConfig[] {
  const unasked = inTableOrder([...algorithmNames, ...definedRowNames(spec)]);
  const chosen = names?.split(",").map((name) => name.trim()) ?? unasked;
  const twice = chosen.find((name, i) => chosen.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`--algorithms names ${show(twice)} twice`);
  const pairs = chosen.find((name) => preferenceNames.includes(name));
  if (pairs !== undefined)
    throw new InputError(
      `--algorithms names ${show(pairs)}, which learns from preference pairs and gives no advantages; for its loss and gradient run: objective --algorithm ${pairs}`,
    );
  return chosen.map((name) => specAlgorithm(spec, name, { ...set }));
}

/** The rows of a spec with user-defined code. */
function definedRowNames({ algorithms = [] }: Partial<ExperimentSpec> = {}): string[] {
  return algorithms
    .map(({ name }) => name)
    .filter((name) => Object.keys(rowNameOf(name).own).length > 0);
}

/** NaN becomes null in JSON. */
function comparisonReport(
  { rows, refused, agreement, variance }: Comparison,
  batch: TrajectoryBatch,
) {
  return {
    algorithms: rows.map(({ config }) => config.name),
    rows: rows.map(({ config, raw, credit, objective, note }) => ({
      algorithm: config.name,
      rawAdvantages: perTurn(raw.turnAdvantage, batch),
      advantages: perTurn(credit.turnAdvantage, batch),
      tokenAdvantages: perToken(credit.tokenAdvantage, batch),
      tokenWeights: perToken(tokenWeight(objective), batch),
      tokenClipped: perToken(Float64Array.from(objective.tokenClipped), batch),
      turnRatios: perTurn(objective.turnRatio, batch),
      turnClipped: perTurn(Float64Array.from(objective.turnClipped), batch),
      loss: objective.loss,
      valueLoss: objective.valueLoss,
      ...(note !== null && { note }),
    })),
    refused: refused.map(({ config, reason }) => ({ algorithm: config.name, reason })),
    agreement,
    variance,
  };
}
