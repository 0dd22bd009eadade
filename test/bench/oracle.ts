/**
 * The credit-assignment error of every algorithm: their advantages on the same episodes of the warm-started nano
 * policy, against true advantages from branched rollouts.
 *
 * Critics learn first, alone, on other episodes; the policy stays as it is shipped. Each is a network of its own
 * (critic.kind "separate"), since a head on the policy's trunk could not learn without moving the policy.
 */
import { writeFileSync } from "node:fs";
import { parseArgs, userPath } from "../../src/cli/args.ts";
import { readAsset } from "../../src/cli/assets.ts";
import { openEngine } from "../../src/cli/engine.ts";
import { explainedVariance, mean } from "../../src/numeric/statistics.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { measure, play } from "../../src/train/iterate.ts";
import { type IterationContext } from "../../src/train/context.ts";
import type { Learner } from "../../src/train/learner.ts";
import type { CreditError, Measured } from "../../src/train/oracle/creditErrors.ts";
import { judge, type Judgement } from "../../src/train/oracle/judge.ts";
import { sayConditions, startConditions } from "./conditions.ts";

interface Sizes {
  branches: number;
  tasks: number;
  group: number;
  criticIterations: number;
}

const whole = (min: number) => ({ type: "integer", min }) as const;

export async function main(argv: string[]): Promise<void> {
  const args = parseArgs(argv, {
    ...{ branches: whole(2), tasks: whole(1), group: whole(2), "critic-iterations": whole(1) },
    ...{ workers: whole(1), json: { type: "string" } },
  });
  const sizes = {
    branches: args.number("branches") ?? 64,
    tasks: args.number("tasks") ?? 16,
    group: args.number("group") ?? 16,
    criticIterations: args.number("critic-iterations") ?? 8,
  };
  const conditions = startConditions();
  const engine = await openEngine({ name: "wasm", backend: "wasm" }, args.number("workers") ?? 2);
  const spec = specOf(sizes);
  const host = { engine, loadAsset: readAsset, progress: (what: string) => say(what) };
  const start = performance.now();
  const experiment = await Experiment.open(spec, host);
  while (!experiment.finished) await experiment.advance();
  const context: IterationContext = { spec, family: experiment.family, clock: () => 0 };
  // The policy has not moved: the first policy, which some rows are held near, is the policy itself.
  const learners = (experiment.learners as Learner[]).map((learner) => ({
    ...learner,
    reference: learner.actor,
  }));
  const report = await measureCredit(context, learners, sizes);
  const seconds = (performance.now() - start) / 1000;
  print(report, sizes, seconds);
  console.log(
    `\n${sayConditions(conditions())}; engine ${engine.info.engine}, ${engine.info.adapter}.`,
  );
  const file = args.string("json");
  if (file !== undefined) writeFileSync(userPath(file), `${JSON.stringify(tell(report))}\n`);
  engine.dispose();
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Critic-only iterations of both kinds of critic, as many episodes each as are judged later. */
function specOf({ tasks, group, criticIterations }: Sizes): ExperimentSpec {
  return toSpec({
    preset: "nano",
    algorithms: ["turn-ppo", "token-ppo"].map((name) => ({ name, set: { gamma: 1, lambda: 1 } })),
    critic: { kind: "separate", lr: 1e-3, warmup: criticIterations, epochs: 4 },
    optimisation: {
      iterations: criticIterations,
      tasksPerIteration: tasks,
      groupSize: group,
      minibatch: Math.min(32, tasks * group),
    },
    evaluation: { levels: 0, every: 1 },
    recordEpisodes: 0,
  });
}

interface Report extends Judgement {
  success: number;
  /** Explained variance of each critic on the judged episodes. */
  explained: Record<string, number>;
}

/** Groups of rollouts on tasks that the critics have not seen, by the policy of all learners. */
async function measureCredit(
  context: IterationContext,
  learners: Learner[],
  { branches, criticIterations }: Sizes,
): Promise<Report> {
  const iteration = criticIterations + 1;
  const grouped = { ...learners[0]!, algorithm: resolveAlgorithm("grpo") };
  const episodes = await play(context, grouped, iteration);
  const explained: Record<string, number> = {};
  for (const learner of learners) {
    const { batch, credit } = await measure(context, learner, episodes, iteration);
    const [V, R] = [batch.turnValue ?? batch.tokenValue!, credit.turnReturn ?? credit.tokenReturn!];
    explained[learner.algorithm.critic] = explainedVariance(R, V);
  }
  let told = 0;
  const judgement = await judge({
    ...{ context, learners, episodes, iteration, branches, gamma: 1 },
    rows: algorithmNames.map((name) => resolveAlgorithm(name)),
    progress: (done, total) => {
      if (done - told < total / 10 && done < total) return;
      told = done;
      say(`branches: ${done} of ${total}`);
    },
  });
  return { ...judgement, success: mean(episodes.map(({ success }) => Number(success))), explained };
}

const fixed = (x: number, digits = 2) => (Number.isFinite(x) ? x.toFixed(digits) : "n/a");

function cell(measured: Measured | null, digits = 2): string {
  if (measured === null) return "fitted";
  const { value, low, high, undefinedShare } = measured;
  const without = undefinedShare > 0 ? `, undefined in ${fixed(100 * undefinedShare, 1)} %` : "";
  return `${fixed(value, digits)} (${fixed(low, digits)} to ${fixed(high, digits)}${without})`;
}

const row = (cells: string[]) => console.log(`| ${cells.join(" | ")} |`);

function print(report: Report, sizes: Sizes, seconds: number): void {
  const { errors, refused, summary, truth, explained, success } = report;
  const heads = ["algorithm", "Pearson", "Spearman", "right sign", "bias", "variance", "noise"];
  row(heads);
  row(heads.map(() => "---"));
  for (const alike of ranked(errors)) {
    const { pearson, spearman, sign, bias, variance, noise } = alike[0]!;
    const names = alike.map(({ title }) => title).join(", ");
    const parts = [pearson, spearman, sign, bias, variance].map((x) => cell(x));
    row([names, ...parts, fixed(noise.value)]);
  }
  for (const { config, reason } of refused) console.log(`\n${config.title}: ${reason}.`);
  const { turns, tasks, signed, variance, reliability } = summary;
  const ceiling = Math.sqrt(reliability);
  console.log(
    `\nn = ${sizes.tasks * sizes.group} episodes, ${tasks} tasks, ${turns} turns, ${truth.states.length} distinct states` +
      ` of ${sizes.branches} branches each; success ${fixed(100 * success, 1)} %. Variance of the true advantage ${fixed(variance)},` +
      ` its sign known in ${signed} turns; reliability of the truth ${fixed(reliability, 3)}: no correlation above ${fixed(ceiling, 3)}` +
      ` can be measured. Critics learned for ${sizes.criticIterations} iterations: explained variance of the turn critic` +
      ` ${fixed(explained["turn"]!)}, of the token critic ${fixed(explained["token"]!)}. ${fixed(seconds, 0)} s in all.`,
  );
}

/** Rows whose credit is the same together (they differ in the loss), the best correlated first. */
function ranked(errors: CreditError[]): CreditError[][] {
  const alike = new Map<string, CreditError[]>();
  for (const error of errors) {
    const key = JSON.stringify({ ...error, algorithm: "", title: "" });
    alike.set(key, [...(alike.get(key) ?? []), error]);
  }
  const rank = ({ pearson }: CreditError) => (Number.isFinite(pearson.value) ? pearson.value : -2);
  return [...alike.values()].sort((a, b) => rank(b[0]!) - rank(a[0]!));
}

function tell({ errors, refused, summary, explained, success }: Report) {
  const named = refused.map(({ config, reason }) => ({ algorithm: config.name, reason }));
  return { summary, success, explained, errors, refused: named };
}
