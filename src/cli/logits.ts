/** `logits`: a model folder's raw logits for one token row (a critic's values), and optionally its loss and gradient norms. */
import type { Engine, EngineModel, TokenRows } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { withAdapter } from "../model/adapter.ts";
import { openModelFolder, type OpenedModel } from "../model/folder.ts";
import { loadOpened, readingConfig, WEIGHT_FORMS, type WeightForm } from "../model/loadOpened.ts";
import { logitsDifference, rowLogits } from "../model/logitsDifference.ts";
import { singleRow } from "../model/speak.ts";
import { formatBytes } from "../numeric/format.ts";
import { InputError, show } from "../numeric/inputError.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { parseArgs, userPath, type Args } from "./args.ts";
import { openNodeEngine } from "./engine.ts";
import type { Command } from "./command.ts";
import { filesIn, folderOpener } from "./modelFolder.ts";
import { readJsonFile } from "./readFile.ts";

/** From this size on it is said what a model needs. */
const LARGE = 2 ** 28;

/** Hugging Face's label for "not counted". */
const IGNORED = -100;

/** `logits --model DIR --ids 1,2,3 [--adapter DIR] [--weights stored|int8|float32] [--against FORM] [--engine tfjs|wasm|webgpu] [--backend cpu|wasm|webgpu] [--grad FILE]` */
export const logitsCommand: Command = async (argv, out) => {
  const args = readArgs(argv);
  const folder = userPath(needed(args, "model", "DIR"));
  const base = await openModelFolder(folderOpener("model", folder), filesIn(folder));
  const adapter = args.string("adapter");
  const opened = adapter
    ? await withAdapter(base, folderOpener("adapter", userPath(adapter)))
    : base;
  const { config } = opened;
  for (const note of opened.notes) out.progress(note);
  const ids = parseIds(needed(args, "ids", "1,2,3"), config);
  const gradFile = args.string("grad");
  if (config.critic && gradFile !== undefined)
    throw new InputError("option --grad needs a language head; the folder is a critic");
  const { form, against } = formsOf(args, gradFile !== undefined || config.critic === true);
  const labels = gradFile === undefined ? null : readLabels(gradFile, ids.length, config.vocabSize);
  const engine = await openNodeEngine(engineOf(args));
  try {
    const rows = singleRow(ids);
    const others = against && (await logitsAs(engine, opened, against, ids, out.progress));
    const model = await modelOf(engine, opened, form, ids.length, out.progress);
    if (config.critic) {
      const { value } = await model.forward({ rows, temperature: 1, value: true });
      out.json({ values: [...value!] });
      return;
    }
    const { logits } = await model.forward({ rows, temperature: 1, logits: true });
    refuseOverflow(logits!, config.vocabSize);
    const nested = matrix(logits!, config.vocabSize); // [L][V]
    const difference = others && { against, ...logitsDifference(others, nested) };
    out.json({
      logits: nested,
      ...difference,
      ...(labels && (await lossAndNorms(model, rows, labels))),
    });
    model.dispose();
  } finally {
    engine.dispose();
  }
};

/** The compiled engine unless a backend is named: it alone holds models beyond 2 GiB. */
function engineOf(args: Args): ExperimentSpec["engine"] {
  const backend = args.string("backend") as ExperimentSpec["engine"]["backend"] | undefined;
  const name = args.string("engine") as ExperimentSpec["engine"]["name"] | undefined;
  return { name: name ?? (backend ? "tfjs" : "auto"), backend: backend ?? "auto" };
}

/** The model, once it is said what a large one needs. @throws EngineError beforehand if it does not fit */
async function modelOf(
  engine: Engine,
  opened: OpenedModel,
  form: WeightForm,
  tokens: number,
  say: (line: string) => void,
): Promise<EngineModel> {
  const { storedBytes } = opened;
  const config = readingConfig(opened, form);
  const plan = engine.memoryPlan?.(config, config.critic ? "detached" : "none", tokens);
  if (plan && plan["parameters"]! > LARGE) {
    const parts = Object.entries(plan).map(([part, bytes]) => `${part} ${formatBytes(bytes)}`);
    say(`memory: ${formatBytes(storedBytes)} of weights are read in pieces; ${parts.join(", ")}`);
  }
  return loadOpened(engine, opened, form);
}

/** What gradients need is float32. */
function formsOf(args: Args, isTrained: boolean): { form: WeightForm; against: WeightForm | null } {
  const form = args.string("weights") as WeightForm | undefined;
  const against = args.string("against") as WeightForm | undefined;
  if (isTrained && (form ?? "float32") !== "float32")
    throw new InputError(
      `option --weights is ${show(form)}; with --grad, and for a critic, it must be float32`,
    );
  if (isTrained && against !== undefined)
    throw new InputError("option --against compares logits; leave out --grad, and take no critic");
  return { form: form ?? (isTrained ? "float32" : "stored"), against: against ?? null };
}

/** The logits with weights in another form, which are gone afterwards. [L][V] */
async function logitsAs(
  engine: Engine,
  opened: OpenedModel,
  form: WeightForm,
  ids: readonly number[],
  say: (line: string) => void,
): Promise<number[][]> {
  const model = await modelOf(engine, opened, form, ids.length, say);
  const logits = await rowLogits(model, ids);
  model.dispose();
  return logits;
}

function readArgs(argv: string[]): Args {
  const args = parseArgs(argv, {
    model: { type: "string" },
    adapter: { type: "string" },
    weights: { type: "string", choices: WEIGHT_FORMS },
    against: { type: "string", choices: WEIGHT_FORMS },
    ids: { type: "string" },
    engine: { type: "string", choices: ["tfjs", "wasm", "webgpu"] },
    backend: { type: "string", choices: ["cpu", "wasm", "webgpu"] },
    grad: { type: "string" },
  });
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`logits takes options only, not ${show(word)}`);
  return args;
}

function needed(args: Args, key: string, form: string): string {
  const value = args.string(key);
  if (value === undefined) throw new InputError(`logits needs --${key} ${form}`);
  return value;
}

function parseIds(text: string, { vocabSize, maxPositions }: ModelConfig): number[] {
  const words = text.split(",");
  if (words.length > maxPositions) {
    throw new InputError(
      `option --ids has ${words.length} ids; the model takes at most ${maxPositions}`,
    );
  }
  return words.map((word) => {
    if (/^\s*\d+\s*$/.test(word) && Number(word) < vocabSize) return Number(word);
    throw new InputError(
      `option --ids has ${show(word)}; each id must be a whole number from 0 to ${vocabSize - 1}`,
    );
  });
}

/** Labels aligned with the ids; -100 is ignored. */
function readLabels(path: string, length: number, vocabSize: number): number[] {
  const { labels } = Object(readJsonFile("option --grad", path)) as { labels?: unknown };
  if (!Array.isArray(labels) || labels.length !== length) {
    throw new InputError(
      `${path}: labels is ${show(labels)}; it must be a list of ${length} numbers, one per id`,
    );
  }
  labels.forEach((label, i) => {
    const known = Number.isInteger(label) && label >= 0 && label < vocabSize;
    if (known || label === IGNORED) return;
    throw new InputError(
      `${path}: labels[${i}] is ${show(label)}; it must be ${IGNORED} or a whole number from 0 to ${vocabSize - 1}`,
    );
  });
  if (labels.slice(1).every((label) => label === IGNORED)) {
    throw new InputError(
      `${path}: labels after the first are all ${IGNORED}; at least one must count`,
    );
  }
  return labels as number[];
}

/** Finite weights may still be so large that their sums overflow; JSON cannot represent that. */
function refuseOverflow(logits: Float32Array, width: number): void {
  const bad = logits.findIndex((z) => !Number.isFinite(z));
  if (bad < 0) return;
  const [t, v] = [Math.floor(bad / width), bad % width];
  throw new InputError(
    `logits[${t}][${v}] is ${logits[bad]}; it must be finite: the weights are too large for float32`,
  );
}

/**
 * Mean negative log-prob of the labels, shifted as in Hugging Face (position t predicts labels[t + 1]), and each
 * weight's gradient norm.
 */
async function lossAndNorms(model: EngineModel, row: TokenRows, labels: number[]) {
  const counted = labels.map((label, t) => t > 0 && label !== IGNORED); // [L]
  const n = counted.filter(Boolean).length;
  const rows = { ...row, labels: Int32Array.from(labels, (label) => Math.max(0, label)) };
  const { logprob } = await model.forward({ rows, temperature: 1 });
  const dLogprob = Float32Array.from(counted, (c) => (c ? -1 / n : 0)); // [1, L]
  await model.backward({ rows, temperature: 1, dLogprob });
  let loss = 0;
  dLogprob.forEach((d, t) => (loss += d * logprob[t]!));
  const grads = await model.readGrads();
  const gradNorms = Object.fromEntries(
    [...grads].map(([name, { data }]) => [name, vectorNorm(data)]),
  );
  return { loss, gradNorms };
}

function vectorNorm(data: Float32Array): number {
  let sum = 0;
  for (const x of data) sum += x * x;
  return Math.sqrt(sum);
}

function matrix(flat: Float32Array, width: number): number[][] {
  const rows = flat.length / width;
  return Array.from({ length: rows }, (_, t) => [...flat.subarray(t * width, (t + 1) * width)]);
}
