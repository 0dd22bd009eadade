/** The smallest experiment that would tell whether a cause stands: the same run with one setting changed. */
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { specOf } from "../../spec/schedule.ts";
import { runConfig } from "../runConfig.ts";
import type { RunLog } from "../log/runLog.ts";
import type { CauseName } from "./causeNames.ts";

/** By dotted path, as in links and notebook cells: `grpo.std`, `turn-ppo.optimisation.actorLr`. */
export type OneChange = Record<string, number | string>;

/** Null if it cannot be said without settings that the log lacks, or if the setting is there already. */
export function proposalFor(
  log: RunLog,
  algorithm: string,
  cause: CauseName,
): { set: OneChange } | null {
  const change = CHANGES[cause](settingsOf(log, algorithm));
  if (!change) return null;
  const [path, value] = change;
  const isShared =
    SHARED.some((group) => path.startsWith(`${group}.`)) || SHARED_FIELDS.includes(path);
  return { set: { [isShared ? path : `${algorithm}.${path}`]: value } };
}

/** What the run has in place of a proposed change; undefined if the log does not say. */
export function valueNow(log: RunLog, algorithm: string, path: string): unknown {
  const own = path.replace(`${algorithm}.`, "");
  const { config, process: processReward, ...rest } = settingsOf(log, algorithm);
  const all: Record<string, unknown> = { ...config, ...rest, processReward };
  const [group, name] = own.split(".");
  const value = all[group!];
  return name === undefined ? value : (value as Record<string, unknown> | undefined)?.[name];
}

/** What a test of a cause takes, for each of two settings. */
export const CAUSE_TEST = { seeds: 3, iterations: 40, levels: 64 };

/** New seeds for a test of a run. */
export const testSeeds = ({ seed }: ExperimentSpec, count = CAUSE_TEST.seeds): number[] =>
  Array.from({ length: count }, (_, i) => seed + i + 1);

/** The run with its method alone, measured on held-out levels at least four times. */
export function testSpec(
  spec: ExperimentSpec,
  algorithm: string,
  iterations = CAUSE_TEST.iterations,
): ExperimentSpec {
  const { evaluation, optimisation } = spec;
  const every = Math.max(1, Math.min(evaluation.every || iterations, Math.floor(iterations / 4)));
  return {
    ...spec,
    algorithms: spec.algorithms.filter(({ name }) => name === algorithm),
    optimisation: { ...optimisation, iterations },
    evaluation: { ...evaluation, levels: evaluation.levels || CAUSE_TEST.levels, every },
  };
}

/** KnownSettings that all methods of a run share. */
const SHARED = ["environment", "evaluation", "processReward"];
const SHARED_FIELDS = ["optimisation.groupSize", "optimisation.tasksPerIteration"];

type KnownSettings = ReturnType<typeof settingsOf>;

/** What is known of the method's settings: those of the log's spec, else the learning rate that it logs. */
function settingsOf(log: RunLog, algorithm: string) {
  const { spec } = log.start ?? {};
  const config = runConfig(spec, algorithm);
  const own = config && spec ? specOf(spec, algorithm) : null;
  const logged = log.series(algorithm, "actor/lr").y.findLast((lr) => lr !== null && lr > 0);
  return {
    config,
    optimisation: own?.optimisation,
    critic: own?.critic,
    sampling: own?.sampling,
    environment: own?.environment,
    process: own?.processReward,
    lr: own?.optimisation.actorLr ?? logged ?? null,
  };
}

type SettingChange = readonly [path: string, value: number | string] | null;

/** Two significant digits: a round number is as good. */
const round = (x: number) => Number(x.toPrecision(2));
const rate = ({ lr }: KnownSettings, factor: number): SettingChange =>
  lr === null || lr === 0 ? null : ["optimisation.actorLr", round(Math.min(1, lr * factor))];
const entropy = ({ optimisation }: KnownSettings, otherwise: SettingChange): SettingChange =>
  optimisation && optimisation.entropyCoef > 0 ? ["optimisation.entropyCoef", 0] : otherwise;
/** Of a sampler that takes likely tokens only. */
function wider({ sampling }: KnownSettings): SettingChange {
  if (!sampling) return null;
  const { temperature, topP, topK } = sampling;
  if (temperature < 0.7) return ["sampling.temperature", 1];
  if (topP < 0.7) return ["sampling.topP", 1];
  return topK > 0 && topK < 4 ? ["sampling.topK", 0] : null;
}
const colder = ({ sampling }: KnownSettings): SettingChange =>
  sampling && sampling.temperature > 1.2 ? ["sampling.temperature", 1] : null;
/** Of a clip or a penalty that holds the policy. */
function freed({ config }: KnownSettings): SettingChange {
  if (!config) return null;
  const { betaKl, epsHigh, epsLow, ratio } = config;
  if (betaKl > 1) return ["betaKl", 0.01];
  return ratio !== "none" && Math.max(epsHigh, epsLow) < 0.05 && !ratio.endsWith("geomean")
    ? ["epsHigh", 0.2]
    : null;
}
const format = ({ environment }: KnownSettings): SettingChange =>
  environment
    ? ["environment.formatPenalty", round(Math.min(-0.1, environment.formatPenalty * 3))]
    : null;
const more = (path: string, value: number | undefined, factor: number): SettingChange =>
  value === undefined || value === 0 ? null : [path, value * factor];

/** Where the settings are not known, a value that is likely another. */
const NO_BONUS: SettingChange = ["optimisation.entropyCoef", 0];

const CHANGES: Record<CauseName, (settings: KnownSettings) => SettingChange> = {
  "silent-groups": (s) =>
    wider(s) ?? more("optimisation.groupSize", s.optimisation?.groupSize, 2) ?? ["filter", "mixed"],
  "cheap-failures": () => ["std", "none"],
  "echo-trap": (s) => wider(s) ?? rate(s, 0.2) ?? ["betaKl", 0.01],
  "template-collapse": (s) => entropy(s, rate(s, 0.2) ?? NO_BONUS),
  "large-steps": (s) => rate(s, 0.1) ?? ["optimisation.epochs", 1],
  "small-steps": (s) => freed(s) ?? rate(s, 10),
  "critic-failure": ({ critic, lr }) => {
    if (!critic) return ["critic.warmup", 10];
    // Far slower than the policy whose returns it is to learn.
    if (lr !== null && critic.lr < lr / 10) return ["critic.lr", lr];
    return critic.coef > 1 && critic.kind === "head-shared"
      ? ["critic.coef", 1]
      : ["critic.lr", round(critic.lr / 10)];
  },
  "entropy-crash": (s) => wider(s) ?? rate(s, 0.2) ?? ["optimisation.entropyCoef", 0.01],
  "entropy-blow-up": (s) => colder(s) ?? entropy(s, rate(s, 0.2) ?? NO_BONUS),
  "length-growth": (s) => entropy(s, format(s) ?? NO_BONUS),
  "format-loss": (s) => format(s),
  "sampler-mismatch": ({ sampling }) =>
    sampling && sampling.temperature !== 1 ? ["sampling.temperature", 1] : null,
  "reference-drift": ({ config }) => [
    "betaKl",
    config && config.betaKl > 0 ? round(config.betaKl * 10) : 0.01,
  ],
  "reward-hacking": ({ process }) => (process ? ["processReward.eta", 0] : null),
  "low-signal": ({ optimisation }) =>
    more("optimisation.tasksPerIteration", optimisation?.tasksPerIteration, 4),
  "too-hard": ({ environment, optimisation }) =>
    environment && "boxes" in environment && environment.boxes > 1
      ? ["environment.boxes", 1]
      : more("optimisation.tasksPerIteration", optimisation?.tasksPerIteration, 4),
  "short-sight": ({ config }) => (!config || config.gamma === 1 ? ["lambda", 0.95] : ["gamma", 1]),
  memorised: ({ environment }) =>
    environment && environment.trainLevels > 0 ? ["environment.trainLevels", 0] : null,
  "masked-tokens": ({ config }) =>
    config && config.turnEnds !== "explicit" ? ["turnEnds", "explicit"] : null,
  "stale-batch": ({ optimisation }) =>
    optimisation && optimisation.epochs > 1 ? ["optimisation.epochs", 1] : null,
};
