/**
 * `oracle --run DIR --iteration N`: the true value of every turn of an iteration of a stored run,
 * and each algorithm's credit errors.
 */
import type { IterationEvent, RunEvent } from "../record/runEvent.ts";
import type { Episode } from "../rollout/rollout.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { specAlgorithm, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { learnerNames } from "../spec/preference.ts";
import { specAt } from "../spec/schedule.ts";
import type { Experiment } from "../train/experiment.ts";
import { playIteration } from "../train/iterate.ts";
import { type IterationContext } from "../train/context.ts";
import { boundRow } from "../train/definitions.ts";
import { improvesSingleTurns } from "../train/iterative/learner.ts";
import type { Learner } from "../train/learner.ts";
import { judgeCredit, type Judgement } from "../train/oracle/judge.ts";
import { checkEpisodes, experimentBefore, specOfLog } from "../train/oracle/replay.ts";
import type { Estimates } from "../train/oracle/trueValues.ts";
import { learnsFromPairs } from "../train/preference/learner.ts";
import { parseArgs, userPath, type Args } from "./args.ts";
import { algorithmList } from "./compare.ts";
import { overrides } from "./credit.ts";
import { keptLog, nearestCheckpoint } from "./keptRun.ts";
import type { Command } from "./command.ts";
import { MODEL_OPTION, runFolderHost } from "./modelFolder.ts";
import type { Output } from "./command.ts";
import { nodeHost } from "./nodeHost.ts";
import { openTrainEngine, TRAIN_OPTIONS } from "./trainOptions.ts";

const OPTIONS = {
  run: { type: "string" },
  iteration: { type: "integer", min: 1 },
  policy: { type: "string" },
  branches: { type: "integer", min: 2 },
  episodes: { type: "integer", min: 1 },
  algorithms: { type: "string" },
  set: { type: "string", repeat: true },
  ceilings: { type: "flag" },
  against: { type: "string" },
  gamma: { type: "number", min: 0, max: 1 },
  workers: TRAIN_OPTIONS.workers,
  ...MODEL_OPTION,
} as const;

const BRANCHES = 64;

export const oracleCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`oracle takes options only, not ${show(word)}`);
  const [run, iteration] = [args.string("run"), args.number("iteration")];
  if (run === undefined) throw new InputError("oracle needs --run DIR, a folder of train --out");
  if (iteration === undefined) throw new InputError("oracle needs --iteration N");
  const folder = userPath(run);
  const log = keptLog(folder);
  const spec = specOfLog(log);
  const policy = policyOf(spec, args.string("policy"));
  const event = eventOf(log, policy, iteration);
  againstOf(spec, args); // fails before the work, not after it
  const model = await runFolderHost(spec, args);
  const engine = await openTrainEngine(spec, args, out);
  try {
    const host = { ...nodeHost(engine, out), ...model };
    const saved = await nearestCheckpoint(folder, iteration);
    out.progress(`from ${saved ? `iteration ${saved.position.iteration}` : "the start"}`);
    const experiment = await experimentBefore(iteration, log, host, saved);
    out.json(await iterationReport(experiment, event, args, out));
    experiment.dispose();
  } finally {
    engine.dispose();
  }
};

/** Whose policy: the named algorithm of the run, by default the first. */
export function policyOf(spec: ExperimentSpec, asked: string | undefined): string {
  const names = spec.algorithms.map(({ name }) => name);
  if (names.length === 0)
    throw new InputError(
      `the run has no algorithm to judge: ${learnerNames(spec).join(", ")} are not in the table of algorithms`,
    );
  const policy = asked ?? names[0]!;
  if (names.includes(policy)) return policy;
  throw new InputError(`option --policy is ${show(policy)}; the run has ${names.join(", ")}`);
}

function eventOf(log: RunEvent[], policy: string, iteration: number): IterationEvent {
  const own = log.filter(
    (event): event is IterationEvent => event.type === "iteration" && event.algorithm === policy,
  );
  const event = own.find((one) => one.iteration === iteration);
  if (event) return event;
  const last = own.at(-1)?.iteration ?? 0;
  throw new InputError(
    `option --iteration is ${iteration}; the log has iterations 1 to ${last} of ${policy}`,
  );
}

async function iterationReport(
  experiment: Experiment,
  event: IterationEvent,
  args: Args,
  out: Output,
) {
  const { algorithm: policy, iteration } = event;
  const spec = specAt(experiment.spec, policy, iteration);
  const { family, definitions } = experiment;
  const context: IterationContext = { spec, family, definitions, clock: () => 0 };
  const learners = judgesOf(experiment, policy);
  const episodes = await playIteration(context, learners[0]!, iteration);
  checkEpisodes(episodes, event.episodes);
  const settings = {
    branches: args.number("branches") ?? BRANCHES,
    gamma: args.number("gamma") ?? 1,
  };
  const judged = Math.min(args.number("episodes") ?? Infinity, episodes.length);
  const judgement = await judgeCredit({
    context,
    learners,
    episodes,
    judged,
    iteration,
    ...settings,
    rows: judgedRows(experiment.spec, args).map((row) => boundRow(row, experiment.definitions)),
    ceilings: args.flag("ceilings"),
    against: againstOf(experiment.spec, args),
    progress: (done, total) => out.progress(`branches: ${done} of ${total}`),
  });
  const about = {
    policy,
    iteration,
    ...settings,
    episodes: judged,
    ...(family.bestRefused && { bestRefused: family.bestRefused }),
  };
  const turns = judgedTurns(episodes.slice(0, judged), judgement);
  return { ...about, ...resultOf(judgement), turns };
}

/** The policy's learner, then the others whose critics predict returns (Iterative PPO's predicts its Q). */
export function judgesOf({ learners }: Experiment, policy: string): Learner[] {
  const able = learners.flatMap((learner) =>
    learnsFromPairs(learner) || improvesSingleTurns(learner) || learner.crashed ? [] : [learner],
  );
  const isPolicy = ({ algorithm }: Learner) => algorithm.name === policy;
  return [...able.filter(isPolicy), ...able.filter((learner) => !isPolicy(learner))];
}

/** The requested rows; rows that the run has use the run's settings; `--set` applies to all of them. */
function judgedRows(spec: ExperimentSpec, args: Args): AlgorithmConfig[] {
  const set = overrides(args.list("set"));
  const own = new Map(spec.algorithms.map(({ name, set: ofRun }) => [name, ofRun]));
  return algorithmList(args.string("algorithms"), set, spec).map(({ name }) =>
    specAlgorithm(spec, name, { ...own.get(name), ...set }),
  );
}

/** @throws InputError unless it is one of the rows. */
function againstOf(spec: ExperimentSpec, args: Args): string | undefined {
  const names = judgedRows(spec, args).map(({ name }) => name);
  const asked = args.string("against");
  if (asked === undefined || names.includes(asked)) return asked;
  throw new InputError(`option --against is ${show(asked)}; the rows are ${names.join(", ")}`);
}

function resultOf({ truth, summary, errors, refused }: Judgement) {
  return {
    states: truth.states.length,
    truth: summary,
    errors,
    refused: refused.map(({ config, reason }) => ({ algorithm: config.name, reason })),
  };
}

/** Every turn with its truth and each algorithm's estimate. */
function judgedTurns(episodes: Episode[], { truth, estimates }: Judgement) {
  const turns = episodes.flatMap(({ trajectory, task, turns }) =>
    turns.map((turn, h) => ({ trajectory, task: task.name, turn: h + 1, played: turn })),
  );
  return turns.map(({ played: { text, actions, reward }, ...where }, k) => ({
    ...where,
    text,
    actions,
    reward,
    value: at(truth.value, k),
    actionValue: at(truth.actionValue, k),
    advantage: at(truth.advantage, k),
    best: truth.best[k],
    bestAdvantage: truth.bestAdvantage[k],
    estimates: Object.fromEntries(
      estimates.map(({ config, raw, advantage }) => [
        config.name,
        { raw: raw[k], advantage: advantage[k] },
      ]),
    ),
  }));
}

function at({ mean, low, high, standardError }: Estimates, k: number) {
  return { mean: mean[k], low: low[k], high: high[k], standardError: standardError[k] };
}
