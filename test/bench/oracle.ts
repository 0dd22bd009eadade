/**
 * Credit against the truth, of every algorithm on the same groups of rollouts: the policy and the critics are those of
 * kept training runs (several seeds and checkpoints), the true advantages come of branched rollouts. Each pair of a run
 * and an iteration is a file in --out, so that a stopped bench goes on; the table pools them, tasks of different files apart.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, userPath } from "../../src/cli/args.ts";
import { readAsset } from "../../src/cli/assets.ts";
import { overrides } from "../../src/cli/credit.ts";
import { openNodeEngine } from "../../src/cli/engine.ts";
import { keptLog, nearestCheckpoint } from "../../src/cli/keptRun.ts";
import { mean } from "../../src/numeric/statistics.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { IterationContext } from "../../src/train/context.ts";
import { playIteration } from "../../src/train/iterate.ts";
import type { Learner } from "../../src/train/learner.ts";
import {
  creditErrors,
  summariseTruth,
  type CreditError,
  type CreditEstimate,
  type CreditTruth,
  type Measured,
} from "../../src/train/oracle/creditErrors.ts";
import { againstWhat, judgeCredit } from "../../src/train/oracle/judge.ts";
import { experimentBefore } from "../../src/train/oracle/replay.ts";
import { sayConditions, startConditions } from "./conditions.ts";

interface Part {
  run: string;
  iteration: number;
  success: number;
  episodes: number;
  /** Per turn: task, number in the episode, state with response. */
  task: string[];
  turn: number[];
  visit: string[];
  truth: Record<"mean" | "low" | "high" | "standardError", number[]>;
  rows: {
    name: string;
    title: string;
    inRewardUnits: boolean;
    critic: string | null;
    raw: number[];
    advantage: number[];
  }[];
  refused: { algorithm: string; reason: string }[];
}

const whole = (min: number) => ({ type: "integer", min }) as const;
const say = (line: string) => void process.stderr.write(`${line}\n`);

export async function main(argv: string[]): Promise<void> {
  const args = parseArgs(argv, {
    ...{
      run: { type: "string", repeat: true },
      iterations: { type: "string" },
      out: { type: "string" },
    },
    ...{
      set: { type: "string", repeat: true },
      branches: whole(2),
      tasks: whole(2),
      group: whole(2),
    },
    ...{ against: { type: "string" }, workers: whole(1) },
  });
  const asked = {
    set: overrides(args.list("set")),
    branches: args.number("branches") ?? 32,
    tasks: args.number("tasks") ?? 16,
    group: args.number("group") ?? 8,
  };
  const conditions = startConditions();
  const out = userPath(args.string("out") ?? "oracle-parts");
  mkdirSync(out, { recursive: true });
  const iterations = (args.string("iterations") ?? "3").split(",").map(Number);
  const parts: Part[] = [];
  for (const run of args.list("run"))
    for (const iteration of iterations)
      parts.push(
        await kept(join(out, partName(run, iteration, asked)), () =>
          part(run, iteration, asked, args.number("workers") ?? 1),
        ),
      );
  print(parts, args.string("against") ?? "dr-grpo");
  console.log(`\n${sayConditions(conditions())}.`);
}

/** Another for other settings, so that a part is never taken for what was asked otherwise. */
export function partName(run: string, iteration: number, asked: Asked): string {
  const settings = createHash("sha256").update(canonicalJson(asked)).digest("hex").slice(0, 8);
  return `${run.replace(/\W+/g, "-")}-${iteration}-${settings}.json`;
}

async function kept(file: string, make: () => Promise<Part>): Promise<Part> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Part;
  const made = await make();
  writeFileSync(file, `${JSON.stringify(made)}\n`);
  return made;
}

export interface Asked {
  /** Settings of all rows, `--set gamma=1`. */
  set: Record<string, string>;
  branches: number;
  tasks: number;
  group: number;
}

/** One policy: groups of rollouts on an iteration's tasks, which neither it nor a critic has been trained on yet. */
async function part(run: string, iteration: number, asked: Asked, workers: number): Promise<Part> {
  const engine = await openNodeEngine({ name: "wasm", backend: "wasm" }, workers);
  const folder = userPath(run);
  const saved = await nearestCheckpoint(folder, iteration);
  const host = { engine, loadAsset: readAsset };
  const experiment = await experimentBefore(iteration, keptLog(folder), host, saved);
  const { set, branches, tasks, group } = asked;
  const optimisation = { tasksPerIteration: tasks, groupSize: group, grouping: "all" as const };
  const { spec: own, family } = experiment;
  const spec = { ...own, optimisation: { ...own.optimisation, ...optimisation } };
  const context: IterationContext = { spec, family, clock: () => 0 };
  const learners = experiment.learners as Learner[];
  // What is held near the first policy is held near this one: KL is then 0.
  const near = learners.map((learner) => ({ ...learner, reference: learner.actor }));
  const episodes = await playIteration(context, near[0]!, iteration);
  say(`${run}, iteration ${iteration}: ${episodes.length} episodes`);
  const judgement = await judgeCredit({
    ...{ context, learners: near, episodes, iteration, branches, gamma: 1, ceilings: true },
    rows: algorithmNames.map((name) => resolveAlgorithm(name, set)),
  });
  const { advantage, task, turn, visit } = againstWhat(judgement.truth, episodes);
  experiment.dispose();
  engine.dispose();
  const list = (x: Float64Array) => Array.from(x, (y) => Number(y.toPrecision(7)));
  return {
    ...{ run, iteration, episodes: episodes.length },
    success: mean(episodes.map(({ success }) => Number(success))),
    ...{ task: [...task], turn: [...turn], visit: [...visit] },
    truth: {
      ...{ mean: list(advantage.mean), standardError: list(advantage.standardError) },
      ...{ low: list(advantage.low), high: list(advantage.high) },
    },
    rows: judgement.estimates.map(
      ({ config, raw, advantage: A, inRewardUnits, critic = null }) => ({
        ...{ name: config.name, title: config.title, inRewardUnits, critic },
        ...{ raw: list(raw), advantage: list(A) },
      }),
    ),
    refused: judgement.refused.map(({ config, reason }) => ({ algorithm: config.name, reason })),
  };
}

/** All parts as one: tasks and visits of different parts are different. */
function pooled(parts: readonly Part[]): { truth: CreditTruth; estimates: CreditEstimate[] } {
  const all = (of: (part: Part) => number[]) => Float64Array.from(parts.flatMap(of));
  const named = (of: (part: Part) => string[]) =>
    parts.flatMap((part, i) => of(part).map((name) => `${i}:${name}`));
  const truth: CreditTruth = {
    advantage: {
      ...{ mean: all(({ truth }) => truth.mean), low: all(({ truth }) => truth.low) },
      ...{
        high: all(({ truth }) => truth.high),
        standardError: all(({ truth }) => truth.standardError),
      },
    },
    ...{ task: named(({ task }) => task), visit: named(({ visit }) => visit) },
    turn: parts.flatMap(({ turn }) => turn),
  };
  const estimates = parts[0]!.rows.map(({ name, title, inRewardUnits, critic }, i) => ({
    config: { ...resolveAlgorithm(name.startsWith("true-v") ? "turn-ppo" : name), name, title },
    ...{ inRewardUnits, critic },
    raw: all(({ rows }) => rows[i]!.raw),
    advantage: all(({ rows }) => rows[i]!.advantage),
  }));
  return { truth, estimates };
}

const fixed = (x: number) => (Number.isFinite(x) ? x.toFixed(2) : "n/a");
const cell = ({ value, low, high }: Measured) =>
  `${fixed(value)} (${fixed(low)} to ${fixed(high)})`;
const row = (cells: string[]) => console.log(`| ${cells.join(" | ")} |`);

function print(parts: readonly Part[], against: string): void {
  const { truth, estimates } = pooled(parts);
  const errors = creditErrors(estimates, truth, { resamples: 500, against });
  const numbers = errors[0]!.byTurn.map(({ turn }) => turn).slice(0, 4);
  row([
    "row",
    "within tasks",
    `minus ${against}`,
    "pooled",
    `minus ${against}`,
    ...numbers.map((h) => `turn ${h}`),
  ]);
  row(Array<string>(5 + numbers.length).fill("---"));
  for (const alike of ranked(errors)) {
    const { within, pearson, byTurn, against: other } = alike[0]!;
    const cells = [
      cell(within),
      other ? cell(other.within) : "",
      cell(pearson),
      other ? cell(other.pearson) : "",
    ];
    row([
      alike.map(({ title }) => title).join(", "),
      ...cells,
      ...byTurn.slice(0, 4).map(({ pearson: r }) => fixed(r.value)),
    ]);
  }
  const { turns, tasks, variance, reliability } = summariseTruth(truth);
  const where = parts.map(
    ({ run, iteration, success }) =>
      `${run} before iteration ${iteration} (success ${fixed(100 * success)} %)`,
  );
  console.log(
    `\nn = ${parts.reduce((sum, { episodes }) => sum + episodes, 0)} episodes, ${tasks} tasks, ${turns} turns: ${where.join("; ")}. ` +
      `Variance of the true advantage ${fixed(variance)}; no correlation above ${fixed(Math.sqrt(reliability))} can be measured.`,
  );
}

/** Rows whose credit correlates alike together, the best within tasks first. */
function ranked(errors: CreditError[]): CreditError[][] {
  const alike = new Map<string, CreditError[]>();
  for (const error of errors) {
    const key = JSON.stringify([error.within, error.pearson]);
    alike.set(key, [...(alike.get(key) ?? []), error]);
  }
  const height = ({ within }: CreditError) => (Number.isFinite(within.value) ? within.value : -2);
  return [...alike.values()].sort((a, b) => height(b[0]!) - height(a[0]!));
}
