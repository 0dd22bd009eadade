/** Conditions of a comparison, one row each: everything that can differ between the methods of an experiment. */
import { usedSettings, type SettingName } from "./algorithmDocs/settingUse.ts";
import type { AlgorithmConfig } from "./algorithms.ts";
import { wordAxes } from "../method/axes.ts";
import { numberAxes } from "../method/numbers.ts";
import { ROW_KINDS } from "./definitions.ts";
import { specAlgorithm, type ExperimentSpec } from "./experiment.ts";
import { folderName } from "./folder.ts";
import { groupSizeOf } from "./groups.ts";
import { rowAxes } from "../method/rowAxes.ts";
import { specOf, waitOf } from "./schedule.ts";

/** A method of an experiment, with its tasks and its updates per iteration. */
export interface FairMethod {
  name: string;
  config: AlgorithmConfig;
  /** The spec as it applies to this method. */
  spec: ExperimentSpec;
  hasCritic: boolean;
  /** Number of distinct tasks. */
  tasks: number;
  /** Rollouts per task, unless the pool of training levels is small. */
  groupSize: number;
  episodes: number;
  actorSteps: number;
  criticSteps: number;
}

/** A method's tasks and updates per iteration under this spec. @param whole the spec of all methods */
export function fairMethod(whole: ExperimentSpec, config: AlgorithmConfig): FairMethod {
  const spec = specOf(whole, config.name);
  const { tasksPerIteration, groupSize: G, minibatch, epochs } = spec.optimisation;
  const { trainLevels } = spec.environment;
  const episodes = tasksPerIteration * G;
  const groupSize = groupSizeOf(spec, config);
  const hasCritic = config.critic !== "none";
  const perEpoch = Math.ceil(episodes / minibatch);
  return {
    name: config.name,
    config,
    spec,
    hasCritic,
    episodes,
    groupSize,
    tasks: Math.min(episodes / groupSize, trainLevels || Infinity),
    actorSteps: perEpoch * epochs,
    criticSteps: hasCritic ? perEpoch * spec.critic.epochs : 0,
  };
}

/** equal: for all methods that have it. method: part of the method's definition. unknown: not in the spec. */
export type FairnessStatus = "equal" | "differs" | "method" | "unknown";

export interface FairnessRow {
  id: FairnessId;
  status: FairnessStatus;
  /** By method; null if it does not apply, as for a critic. */
  values: Record<string, string | null>;
}

type ValueOf = (method: FairMethod) => string | null;

/** A number of the critic. */
const ofCritic = (value: (critic: ExperimentSpec["critic"]) => string | number): ValueOf => {
  return ({ hasCritic, spec }) => (hasCritic ? String(value(spec.critic)) : null);
};

const startOf = ({ folder, checkpoint, preset }: ExperimentSpec["model"]): string =>
  folder ? folderName(folder) : (checkpoint ?? preset);

const CONDITIONS = {
  weights: ({ spec: { model } }) => `${startOf(model)}, ${model.warmStart}`,
  tasks: ({ tasks }) => String(tasks),
  rollouts: ({ groupSize }) => String(groupSize),
  episodes: ({ episodes }) => String(episodes),
  turnTokens: ({ spec: { sampling } }) => String(sampling.maxTokensPerTurn),
  tokens: ({ spec: { sampling, environment }, episodes }) =>
    String(sampling.maxTokensPerTurn * environment.maxTurns * episodes),
  actorSteps: ({ actorSteps }) => String(actorSteps),
  criticSteps: (one) => (one.hasCritic ? String(one.criticSteps) : null),
  minibatch: ({ spec }) => String(spec.optimisation.minibatch),
  epochs: ({ spec }) => String(spec.optimisation.epochs),
  criticEpochs: ofCritic(({ epochs }) => epochs),
  actorLr: ({ spec }) => String(spec.optimisation.actorLr),
  criticLr: ofCritic(({ lr }) => lr),
  lrWarmup: ({ spec }) => String(spec.optimisation.actorLrWarmup),
  /** The policy of a method without a critic learns from the first iteration on. */
  criticWarmup: ({ config, spec }) => String(waitOf(spec, config)),
  entropyCoef: ({ spec }) => String(spec.optimisation.entropyCoef),
  weightDecay: ({ spec }) => String(spec.optimisation.weightDecay),
  maxGradNorm: ({ spec }) => String(spec.optimisation.maxGradNorm),
  criticKind: ofCritic(({ kind }) => kind),
  criticSize: ({ hasCritic, spec: { critic } }) =>
    hasCritic && critic.kind === "separate" ? (critic.size ?? "as the policy") : null,
  criticCoef: ofCritic(({ coef }) => coef),
  temperature: ({ spec }) => String(spec.sampling.temperature),
  topK: ({ spec }) => String(spec.sampling.topK || "all"),
  topP: ({ spec }) => String(spec.sampling.topP),
  segmentation: ({ spec }) => spec.optimisation.segmentation ?? "as played",
} satisfies Record<string, ValueOf>;

export type ConditionId = keyof typeof CONDITIONS;
type AxisName = SettingName | keyof typeof rowAxes;
type FairnessId = "search" | ConditionId | AxisName;

/** For an axis of choice: its description. */
export const axisAbout: Readonly<Record<AxisName, { about: string }>> = {
  ...rowAxes,
  ...wordAxes,
  ...numberAxes,
};

/** What all methods have, and what at least one uses. */
export function conditionRows(methods: readonly FairMethod[]): FairnessRow[] {
  const conditions = Object.entries(CONDITIONS).map(([id, of]): FairnessRow => {
    const values = valuesOf(methods, of);
    const status = knownIn(values).size <= 1 ? "equal" : "differs";
    return { id: id as ConditionId, status, values };
  });
  const axes = (Object.keys(axisAbout) as AxisName[]).map((id): FairnessRow => {
    const values = valuesOf(methods, (one) => choiceOf(one, id));
    return { id, status: axisStatus(methods, id, values), values };
  });
  return [...conditions, ...axes].filter(({ values }) => knownIn(values).size > 0);
}

/** A row's values by method, computed by `of`. */
export function valuesOf(methods: readonly FairMethod[], of: ValueOf): FairnessRow["values"] {
  return Object.fromEntries(methods.map((one) => [one.name, of(one)]));
}

const knownIn = (values: FairnessRow["values"]) =>
  new Set(Object.values(values).filter((value) => value !== null));

const isRowAxis = (id: AxisName): id is keyof typeof rowAxes => Object.hasOwn(rowAxes, id);

/** A method's choice on an axis; null if the axis has no effect on it. */
function choiceOf({ config }: FairMethod, id: AxisName): string | null {
  const own = ROW_KINDS.find((kind) => kind === id && config.own?.[kind] !== undefined);
  if (own) return config.own![own]!;
  if (isRowAxis(id)) return config[id];
  return usedSettings(config).includes(id) ? String(config[id] ?? "none") : null;
}

/** A method's own choice belongs to it; an override by the experiment is a setting like any other. */
function axisStatus(
  methods: readonly FairMethod[],
  id: AxisName,
  values: FairnessRow["values"],
): FairnessStatus {
  const isSet = ({ name, config, spec }: FairMethod) =>
    config[id] !== specAlgorithm(spec, name)[id];
  if (knownIn(values).size > 1) return methods.some(isSet) ? "differs" : "method";
  const isAlone = Object.values(values).filter((value) => value !== null).length === 1;
  return isAlone && methods.length > 1 ? "method" : "equal";
}
