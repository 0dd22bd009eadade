/** `credit` and `objective`: the algorithms on a batch file, without a page. */
import {
  computeObjective,
  correctOnBatch,
  creditMetrics,
  creditUnderScale,
} from "../algorithm/registry.ts";
import type { Normalisation } from "../method/credit/whiten.ts";
import { decodeBatch } from "../record/decodeBatch.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { specAlgorithm } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { preferenceNames } from "../spec/preference.ts";
import { parseArgs, type Args } from "./args.ts";
import type { Command } from "./command.ts";
import { importedBatches, type ImportedSource } from "./importedBatch.ts";
import { rowsWithCode } from "./nodeHost.ts";
import { perToken, perTurn } from "./perUnit.ts";
import { pairObjective, type AskedObjective } from "./preference.ts";
import { readJsonFile } from "./readFile.ts";
import { specIn } from "./trainOptions.ts";

/** `credit --algorithm NAME (--batch FILE | --from PATH [--iteration N]) [--set KEY=VALUE]... [--normalise MEAN,DIVISOR] [--reward-scale S] [--spec FILE]` */
export const creditCommand: Command = async (argv, out) => {
  const { config, batch, rewardScale, whole } = await readRequest("credit", argv, out.progress);
  const credited = creditUnderScale(config, batch, rewardScale, whole);
  const { turnAdvantage, tokenAdvantage, turnReturn, tokenReturn } = credited;
  out.json({
    advantages: config.critic === "token" ? null : perTurn(turnAdvantage, batch),
    tokenAdvantages: perToken(tokenAdvantage, batch),
    returns: turnReturn ? perTurn(turnReturn, batch) : tokenReturn && perToken(tokenReturn, batch),
  });
};

/** `objective`, with the options of `credit`; also with a method on preference pairs. */
export const objectiveCommand: Command = async (argv, out) => {
  const asked = readOptions("objective", argv);
  if (preferenceNames.includes(asked.name)) {
    if (!("json" in asked.source)) throw new InputError("a method on pairs needs --batch FILE");
    out.json(pairObjective({ ...asked, json: asked.source.json }));
    return;
  }
  const { config, batch, rewardScale, whole } = await resolve(asked, out.progress);
  const credited = creditUnderScale(config, batch, rewardScale, whole);
  const plain = computeObjective(config, batch, credited);
  const { objective, note } = correctOnBatch(config, batch, credited, plain);
  const { loss, dLogprob, valueLoss, dValue, metrics } = objective;
  out.json({
    loss,
    dLogprob: perToken(dLogprob, batch),
    valueLoss,
    dValue: dValue && (config.critic === "turn" ? perTurn : perToken)(dValue, batch),
    metrics: { ...creditMetrics(config, batch, credited), ...metrics },
    ...(note !== null && { note }),
  });
};

interface FileRequest {
  config: AlgorithmConfig;
  batch: TrajectoryBatch;
  /** Factor that training applies to the batch's rewards. */
  rewardScale: number;
  /** From a larger batch that this one is a part of. */
  whole: Normalisation | null;
}

interface AskedCredit extends Omit<AskedObjective, "json"> {
  source: BatchSource;
  normalise: string | undefined;
  scale: string | undefined;
  spec: string | undefined;
}

function readRequest(
  command: string,
  argv: string[],
  say: (line: string) => void,
): Promise<FileRequest> {
  return resolve(readOptions(command, argv), say);
}

async function resolve(
  { name, set, source, normalise, scale, spec: specFile }: AskedCredit,
  say: (line: string) => void,
): Promise<FileRequest> {
  const spec = specFile === undefined ? undefined : specIn(specFile);
  const row = specAlgorithm(spec, name, set);
  const [config] = (await rowsWithCode([row], spec)) as [AlgorithmConfig];
  const whole = normalise === undefined ? null : readNormalisation(config, normalise);
  const rewardScale = scale === undefined ? 1 : readScale(scale);
  const batch =
    "json" in source ? decodeBatch(source.json) : (await importedBatches(source, say))(config);
  return { config, batch, rewardScale, whole };
}

/** @throws InputError unless it is a number above 0. */
function readScale(text: string): number {
  const scale = toNumber(text);
  if (scale > 0 && scale < Infinity) return scale;
  throw new InputError(`option --reward-scale is ${show(text)}; it must be a number above 0`);
}

/** @throws InputError unless it is two numbers, and if the algorithm does not normalise. */
function readNormalisation({ name, whiten }: AlgorithmConfig, text: string): Normalisation {
  const [mean = NaN, divisor = NaN, ...more] = text.split(",").map(toNumber);
  if (!Number.isFinite(mean) || !(divisor > 0 && divisor < Infinity) || more.length > 0)
    throw new InputError(
      `option --normalise is ${show(text)}; it must be MEAN,DIVISOR, two numbers, the second above 0`,
    );
  if (whiten === "none")
    throw new InputError(`option --normalise: ${name} with whiten=none normalises nothing`);
  return { mean, divisor };
}

function toNumber(text: string): number {
  return text.trim() === "" ? NaN : Number(text);
}

function readOptions(command: string, argv: string[]): AskedCredit {
  const args = parseArgs(argv, {
    algorithm: { type: "string" },
    batch: { type: "string" },
    from: { type: "string" },
    iteration: { type: "integer", min: 0 },
    set: { type: "string", repeat: true },
    normalise: { type: "string" },
    "reward-scale": { type: "string" },
    spec: { type: "string" },
  });
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`${command} takes options only, not ${show(word)}`);
  const name = args.string("algorithm");
  const [normalise, scale] = [args.string("normalise"), args.string("reward-scale")];
  if (name === undefined) throw new InputError(`${command} needs --algorithm NAME`);
  return {
    name,
    set: overrides(args.list("set")),
    source: sourceIn(command, args),
    normalise,
    scale,
    spec: args.string("spec"),
  };
}

/** A batch file, or another program's rollouts. */
type BatchSource = { json: unknown } | ImportedSource;

export function sourceIn(command: string, args: Args): BatchSource {
  const [path, from] = [args.string("batch"), args.string("from")];
  const iteration = args.number("iteration");
  if ((path === undefined) === (from === undefined))
    throw new InputError(`${command} needs --batch FILE or --from PATH, and not both`);
  if (from !== undefined) return { from, iteration };
  if (iteration !== undefined) throw new InputError("option --iteration is for --from");
  return { json: readJsonFile("option --batch", path!) };
}

/** KEY=VALUE words as an object; a key given twice is an error. */
export function overrides(words: string[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const word of words) {
    const eq = word.indexOf("=");
    if (eq < 1) throw new InputError(`--set is ${show(word)}; it must be KEY=VALUE`);
    const key = word.slice(0, eq);
    if (found.has(key)) throw new InputError(`--set ${key} is given twice`);
    found.set(key, word.slice(eq + 1));
  }
  return Object.fromEntries(found);
}
