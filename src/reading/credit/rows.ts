/** Which rows the table has, and the settings of each: the run's, the algorithm's defaults, or the sliders'. */
import { usedSettings, type SettingName } from "../../spec/algorithmDocs/settingUse.ts";
import { bindCode } from "../../algorithm/registry.ts";
import { inTableOrder, resolveAlgorithm, type AlgorithmConfig } from "../../spec/algorithms.ts";
import { specAlgorithm } from "../../spec/experiment.ts";
import { wordAxes } from "../../method/axes.ts";
import { numberAxes } from "../../method/numbers.ts";
import { ALL, type Changes, type Overrides, type ChangedValue } from "./changes.ts";
import type { RunLog } from "../log/runLog.ts";
import { finite } from "../../numeric/finite.ts";
import { findDefinition, type RowKind } from "../../spec/definitions.ts";
import { shownCode } from "./estimates.ts";
import { reasonOf } from "./reasons.ts";
import type { RowRequest } from "./rowCredit.ts";

export interface Row {
  name: string;
  title: string;
  /** Null if the run's own settings are not understood. */
  config: AlgorithmConfig | null;
  problem: string | null;
  /** Whether sliders have changed any of its settings. */
  changed: boolean;
  /** Whether the weight of its KL is the one that training used, from the log. */
  klRecorded?: boolean;
  /** Whether its advantages are still those of the run's own settings. */
  ownAdvantages: boolean;
  /** Factor that training applies to rewards; 1 if the run does not have it. */
  rewardScale: number;
}

/** Always shown, whatever the run's methods: the subject of the lens. */
const ALWAYS = ["grpo", "token-ppo", "turn-ppo"];

/** In the order of the table of algorithms: those of the run, these three, and those that were added. */
export function rowNames(log: RunLog, added: readonly string[]): string[] {
  const shown = new Set([...log.algorithms, ...ALWAYS, ...added]);
  return inTableOrder(shown);
}

/** The most used settings. */
const FIRST: readonly SettingName[] = ["gamma", "lambda", "epsLow", "epsHigh", "whiten"];
/** These belong to the loss or the gradient as a whole: they change no advantage, ratio or clip. */
const OF_THE_LOSS: readonly SettingName[] = [
  ...(["aggregation", "horizon", "valueClip", "betaKl"] as const),
  ...(["clipBias", "clipBiasScope", "clipBiasKappa"] as const),
];

/** These apply to advantages that are already computed. */
const AFTER_ADVANTAGES: readonly SettingName[] = [
  ...OF_THE_LOSS,
  ...(["ratio", "clip", "epsLow", "epsHigh", "dualClip"] as const),
];

/** Settings that affect one of the rows: the most used ones, and the rest. */
export function settingsInUse(rows: readonly Row[]): {
  first: SettingName[];
  others: SettingName[];
} {
  const used = new Set(rows.flatMap(({ config }) => (config ? usedSettings(config) : [])));
  const others = [...used].filter((name) => !FIRST.includes(name) && !OF_THE_LOSS.includes(name));
  return { first: FIRST.filter((name) => used.has(name)), others };
}

/** The run's own settings of an algorithm; empty for one that the run does not have. */
function runSettings(log: RunLog, name: string): Overrides {
  const entry = log.start?.spec.algorithms.find((one) => one.name === name);
  return (entry?.set ?? {}) as Overrides;
}

/** iteration: where an adaptive weight is read from the log; without it, the configured weight is used. */
export function rowOf(
  log: RunLog,
  name: string,
  changes: Changes,
  iteration: number | null = null,
): Row {
  const { title } = resolveAlgorithm(name);
  const rewardScale = log.start?.spec.optimisation.rewardScale ?? 1;
  const about = { name, title, rewardScale };
  try {
    const spec = log.start?.spec;
    const configured = specAlgorithm(spec, name, runSettings(log, name));
    const recorded = configured.betaKlReward > 0 ? recordedKl(log, name, iteration) : null;
    const own = recorded === null ? configured : { ...configured, betaKlReward: recorded };
    const chosen = specAlgorithm(spec, name, { ...settingsIn(own), ...wanted(own, changes) });
    const config = withCode(log, chosen);
    const changed = JSON.stringify(config) !== JSON.stringify(own);
    const ownAdvantages = !changed || ofAdvantages(config) === ofAdvantages(own);
    const klRecorded = recorded !== null && config.betaKlReward === recorded;
    return { ...about, config, problem: null, changed, ownAdvantages, klRecorded: klRecorded };
  } catch (error) {
    const problem = reasonOf(error, { title });
    return { ...about, config: null, problem, changed: false, ownAdvantages: false };
  }
}

/** With the user's code where the run defines it; its answers arrive later. */
function withCode(log: RunLog, config: AlgorithmConfig): AlgorithmConfig {
  const calls = Object.entries(config.own ?? {}).flatMap(([word, name]) => {
    const kind = word as RowKind;
    const definition = findDefinition(log.start?.spec.definitions, { kind, name });
    return definition ? [[kind, shownCode(definition)] as const] : [];
  });
  return calls.length > 0 ? bindCode(config, Object.fromEntries(calls)) : config;
}

/** The settings that determine the advantages, as one string. */
function ofAdvantages(config: AlgorithmConfig): string {
  const later: readonly string[] = AFTER_ADVANTAGES;
  return JSON.stringify(Object.entries(config).filter(([name]) => !later.includes(name)));
}

/** Rows to compute; for a fork, which was not trained on, `played` is null. */
export function rowRequest(rows: readonly Row[], played: string | null): RowRequest[] {
  return rows.flatMap((row) => (row.config ? [{ config: row.config, ...howOf(row, played) }] : []));
}

/** The request for its credit, apart from its settings. */
export function howOf(row: Row, played: string | null): Omit<RowRequest, "config"> {
  return { trained: isTrained(row, played), rewardScale: row.rewardScale };
}

/** Whether the row's advantages are those that the episodes of this method were trained with. */
export function isTrained({ name, ownAdvantages }: Row, played: string | null): boolean {
  return name === played && ownAdvantages;
}

/** The row without the sliders' changes. */
export function ownRow(log: RunLog, name: string, iteration: number | null = null): Row {
  return rowOf(log, name, {}, iteration);
}

/** The weight of the KL in rewards that training used in an iteration; null if the log lacks it. */
function recordedKl(log: RunLog, name: string, iteration: number | null): number | null {
  const { x, y } = log.series(name, "actor/reward_kl_penalty_coeff");
  return iteration === null ? null : finite(y[x.indexOf(iteration)]);
}

/** The sliders' changes to this row. */
function wanted(own: AlgorithmConfig, changes: Changes): Overrides {
  const used = usedSettings(own) as readonly string[];
  const all = Object.entries(changes[ALL] ?? {}).filter(([name]) => used.includes(name));
  return { ...Object.fromEntries(all), ...changes[own.name] };
}

function settingsIn(config: AlgorithmConfig): Overrides {
  const names = [...Object.keys(wordAxes), ...Object.keys(numberAxes)] as SettingName[];
  return Object.fromEntries(names.map((name) => [name, config[name]]));
}

/** Settings that differ from the algorithm's defaults, as on the command line. */
export function setWords(config: AlgorithmConfig): string[] {
  const { name } = config;
  const first = settingsBeside(resolveAlgorithm(name), config);
  // The default of one setting may depend on another.
  const set = { ...first, ...settingsBeside(resolveAlgorithm(name, first), config) };
  return Object.entries(set).map(([key, value]) => `${key}=${value ?? "none"}`);
}

/** The settings in which a configuration differs. */
function settingsBeside(usual: AlgorithmConfig, config: AlgorithmConfig): Overrides {
  const theirs = settingsIn(usual);
  const differs = ([name, value]: [string, unknown]) => value !== theirs[name as SettingName];
  return Object.fromEntries(Object.entries(settingsIn(config)).filter(differs));
}

/**
 * The changes with one more; null as `value` of a number means none, undefined removes the change.
 */
export function withChange(
  changes: Changes,
  target: string,
  name: SettingName,
  value: ChangedValue | undefined,
): Changes {
  const { [name]: _old, ...others } = changes[target] ?? {};
  const next = value === undefined ? others : { ...others, [name]: value };
  return { ...changes, [target]: next };
}
