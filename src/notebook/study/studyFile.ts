/** The file of a study: everything that is decided before the first run. `study new` writes it, `study run` reads it. */
import { InputError, show } from "../../numeric/inputError.ts";
import { definedRowName, isAlgorithmName, rowNameOf, settingNames } from "../../spec/algorithms.ts";
import { ROW_KINDS, type Definition } from "../../spec/definitions.ts";
import { drawnOver } from "../../spec/drawnOver.ts";
import { LAST_STUDY_SEED, MOST_SEALED, MOST_STUDIES } from "../../spec/levelCount.ts";
import { methodSettings } from "../../spec/learning.ts";
import { presetSpec } from "../../spec/presets.ts";
import { describeIssue } from "../../spec/schemaPaths.ts";
import { z } from "../../spec/zod.ts";
import { readBody } from "../body.ts";

const whole = (low: number, high: number) => z.int().check(z.gte(low), z.lte(high));
/** Two at least: one seed has no spread. */
const seeds = z.array(whole(0, LAST_STUDY_SEED)).check(z.minLength(2), z.maxLength(1000));
const iterations = whole(1, 100_000);
const share = z.number().check(z.gte(0), z.lte(1));

const schema = z.strictObject({
  name: z.string(),
  /** Entries of a spec's algorithms by the arm's name; the first is compared with each other one. */
  arms: z.record(
    z.string().check(z.regex(/^[\w.-]+$/, "a name of letters, digits, _ . - only")),
    z.strictObject({
      name: z.string(),
      set: z._default(z.record(z.string(), z.union([z.number(), z.string(), z.null()])), {}),
      with: z.optional(methodSettings),
    }),
  ),
  /** In the form of `train`. */
  base: z.record(z.string(), z.unknown()),
  search: z.strictObject({
    draws: whole(1, 10_000),
    over: drawnOver,
    stages: z
      .array(z.strictObject({ iterations, seeds, keep: whole(1, 10_000) }))
      .check(z.minLength(1)),
  }),
  final: z.strictObject({ iterations, seeds }),
  /** Whether the first arm also runs with each other one's settings, and the others with its. */
  control: z._default(z.boolean(), true),
  measure: z._default(z.enum(["success", "reward"]), "success"),
  collapse: z.strictObject({ solved: share, valid: share }),
  sealed: z.strictObject({ study: whole(0, MOST_STUDIES - 1), levels: whole(2, MOST_SEALED) }),
});

export type StudyFile = z.infer<typeof schema>;

/** @throws InputError naming field or line, value and what is allowed. */
export function parseStudy(text: string): StudyFile {
  const { fields, remarks } = readBody(text);
  if (remarks[0]) {
    const { line, message } = remarks[0];
    const shown = show(text.split("\n")[line - 1]?.trim());
    throw new InputError(`line ${line} of the study is ${shown}: ${message}`);
  }
  const read = schema.safeParse(fields);
  if (!read.success) {
    const issue = read.error.issues[0]!;
    throw new InputError(`study.yaml: ${describeIssue(schema, issue, fields, "the study")}`);
  }
  checkStudy(read.data);
  return read.data;
}

function checkStudy({ arms, base, search: { draws, over, stages }, final }: StudyFile): void {
  const names = Object.keys(arms);
  checkDrawn(over);
  const { levels } = Object(base["evaluation"]) as { levels?: unknown };
  if (levels === 0)
    throw new InputError(
      "the study's base.evaluation.levels is 0; settings are chosen by them: 1 or more",
    );
  if (names.length < 2)
    throw new InputError(
      `the study's arms are ${names.join(", ") || "none"}; it needs two or more`,
    );
  let left = draws;
  stages.forEach(({ keep, seeds: own }, i) => {
    const field = `the study's search.stages.${i}`;
    if (keep > left) throw new InputError(`${field}.keep is ${keep}; ${left} settings are left`);
    left = keep;
    const shared = final.seeds.find((seed) => own.includes(seed));
    if (shared !== undefined)
      throw new InputError(`${field}.seeds has ${shared}, which final.seeds has too; use others`);
  });
  if (left !== 1)
    throw new InputError(`the study's last stage keeps ${left}; it must keep 1 for each arm`);
  const all = [...stages.map((one) => one.seeds), final.seeds];
  for (const own of all) {
    const twice = own.find((seed, i) => own.indexOf(seed) !== i);
    if (twice !== undefined) throw new InputError(`the study lists seed ${twice} twice`);
  }
}

/** A setting that no row has would draw nothing, without a word. */
function checkDrawn(over: StudyFile["search"]["over"]): void {
  for (const [field, from] of Object.entries(over)) {
    const own = field.startsWith(OF_ROW) ? field.slice(OF_ROW.length) : null;
    if (own !== null && !settingNames.includes(own))
      throw new InputError(
        `the study's search.over has ${show(field)}, which is no setting of a row; allowed: ${settingNames.join(", ")}`,
      );
    if (Array.isArray(from)) continue;
    const [low, high] = "log" in from ? from.log : from.linear;
    if (low >= high)
      throw new InputError(
        `the study's search.over.${field} is from ${low} to ${high}; the first must be the smaller`,
      );
  }
}

/** Names a setting of every arm's row, in `search.over`. */
export const OF_ROW = "row.";

/** The row whose ratio, clip and critic an own estimator has. */
const OWN_ROW = "turn-ppo";

/** Turn-PPO's advantages, to be changed. */
const ESTIMATOR = `export function estimate({ episodes, gamma, lambda }) {
  return episodes.map(({ turns: { rewards, values }, bootstrap }) => {
    const advantages = [];
    const returns = [];
    let nextValue = bootstrap;
    let nextAdvantage = 0;
    for (let h = rewards.length - 1; h >= 0; h--) {
      const delta = rewards[h] + gamma * nextValue - values[h];
      nextAdvantage = advantages[h] = delta + gamma * lambda * nextAdvantage;
      returns[h] = advantages[h] + values[h];
      nextValue = values[h];
    }
    return { advantages, returns };
  });
}
`;

interface AskedStudy {
  /** A row of the table, or the name of own code. */
  name: string;
  against: readonly string[];
  preset: string;
  /** What rows may name (`turn-ppo@mine`, `turn-ppo@clip-soft`). */
  code: readonly Definition[];
  /** Number of the study, from 0: its sealed levels. */
  study: number;
}

/** An own estimator that nobody has written yet. */
export const blankEstimator = (name: string): Definition => ({
  kind: "estimator",
  name,
  source: ESTIMATOR,
});

/** The text of a new study. @throws InputError for an unknown row, or code that is not there. */
export function newStudy({ name, against, preset, code, study }: AskedStudy): string {
  const unknown = against.find((row) => !isAlgorithmName(row));
  if (unknown !== undefined)
    throw new InputError(
      `option --against has ${show(unknown)}; it must be rows of the table, separated by commas (see algorithms)`,
    );
  const entry = isAlgorithmName(name) ? name : ownEntry(name, code);
  const used = codeOf([entry, ...against], code);
  const { tasksPerIteration, groupSize } = presetSpec(preset).optimisation;
  const episodes = tasksPerIteration * groupSize;
  const minibatches = [8, 4, 2, 1].map((parts) => Math.ceil(episodes / parts));
  const arms = [
    `  ${armOf(name)}: { name: "${entry}" }`,
    ...against.map((row) => `  ${armOf(row)}: { name: "${row}" }`),
  ];
  return `# A study: the first arm is compared with each other one. Everything here is decided before the first run.
name: ${armOf(name)}
arms:
${arms.join("\n")}
base:
  preset: ${preset}
  revision: 2
  recordEpisodes: 0
  engine: { name: wasm }
  evaluation: { levels: 256, every: 10 }
${codeLines(used)}# Every arm gets the same draws. row.NAME is a setting of each arm's row, where the row uses it.
search:
  draws: 8
  over:
    optimisation.actorLr: { log: [0.0001, 0.003] }
    optimisation.minibatch: [${minibatches.join(", ")}]
    optimisation.epochs: [1, 2, 4]
    optimisation.entropyCoef: [0, 0.003, 0.01]
    critic.lr: { log: [0.001, 0.01] }
    row.lambda: [0.5, 0.9, 0.95, 1]
  stages:
    - { iterations: 20, seeds: [11, 12], keep: 3 }
    - { iterations: 50, seeds: [13, 14], keep: 1 }
# Seeds that no stage has; these policies are scored on the sealed levels.
final: { iterations: 100, seeds: [1, 2, 3, 4, 5] }
# The first arm also with each other one's settings, and the others with its.
control: true
# success or reward
measure: success
# Collapsed: not finite; or solves below this share of its start and earns less; or fewer turns are valid.
collapse: { solved: 0.5, valid: 0.5 }
# Levels of this study alone, which no run trains on. They are opened once, after the last final run.
sealed: { study: ${study}, levels: 256 }
`;
}

/** An arm's name has no @. */
const armOf = (row: string) => row.replaceAll("@", "-");

/** Turn-PPO with the code of this name. @throws InputError if there is none. */
function ownEntry(name: string, code: readonly Definition[]): string {
  const kind = ROW_KINDS.find((one) => code.some((own) => own.name === name && own.kind === one));
  if (kind) return definedRowName(OWN_ROW, kind, name);
  throw missing("code", name, code);
}

/** The code that the rows name. @throws InputError for what is not there. */
function codeOf(rows: readonly string[], code: readonly Definition[]): Definition[] {
  const named = rows.flatMap((row) => Object.entries(rowNameOf(row).own));
  const found = named.map(([kind, name]) => {
    const own = code.find((one) => one.kind === kind && one.name === name);
    if (!own) throw missing(kind, name, code);
    return own;
  });
  return [...new Set(found)];
}

function missing(kind: string, name: string, code: readonly Definition[]): InputError {
  const known = code.map((one) => `${one.name} (${one.kind})`).join(", ") || "none";
  return new InputError(
    `the study names the ${kind} ${show(name)}, which is not there; there is: ${known} (option --code NOTEBOOK.md)`,
  );
}

/** The base's definitions. */
function codeLines(definitions: readonly Definition[]): string {
  if (definitions.length === 0) return "";
  const lines = definitions.flatMap(({ kind, name, source }) => [
    `    - kind: ${kind}`,
    `      name: ${name}`,
    "      source: |",
    ...source
      .trimEnd()
      .split("\n")
      .map((line) => `        ${line}`.trimEnd()),
  ]);
  return ["  definitions:", ...lines, ""].join("\n");
}
