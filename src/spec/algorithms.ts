/**
 * An algorithm is a row in a table of choices, one per axis. The axes, their values, the rows and
 * their defaults are plain data, read by the page, the formula panel, the command line and
 * `algorithm/`, which binds them to functions. A new algorithm is a new row, or one new value on
 * one axis.
 */
import { rows, type AlgorithmRow } from "./algorithmRows.ts";
import { wordAxes, type Settings, type WordAxis } from "../method/axes.ts";
import { DEFAULT_HORIZON, numberAxes, type NumberAxis } from "../method/numbers.ts";
import { filterFacts } from "../method/credit/groupFilter.ts";
import { aggregations, type Aggregation } from "../method/objective/aggregate.ts";
import { baselineFacts } from "../method/baselines.ts";
import { estimatorFacts } from "../method/estimators.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { ROW_KINDS, type RowKind } from "./definitions.ts";
import { CURRENT_READING, type RowReading } from "./revision.ts";
import type { RowChoices } from "../method/rowAxes.ts";

const rowByName = new Map(rows.map((row) => [row.name, row]));

/** All algorithms, in display order. */
export const algorithmNames: readonly string[] = rows.map((row) => row.name);

/** Keys that `resolveAlgorithm` accepts as overrides. */
export const settingNames: readonly string[] = [
  ...Object.keys(wordAxes),
  ...Object.keys(numberAxes),
];

/** Separates a row's name from those of code: an estimator's alone, others after their kind: turn-ppo@mine@clip-soft. */
const DEFINED = "@";

/** A row, or a row with user-defined code in place of some of its own choices. */
interface RowName {
  /** A row of the table. */
  row: string;
  /** Names of the definitions, by kind. */
  own: Partial<Record<RowKind, string>>;
}

/** Null if it does not have the form of a row's name. */
function rowNameIn(name: string): RowName | null {
  const [row = "", ...parts] = name.split(DEFINED);
  const own: RowName["own"] = {};
  for (const part of parts) {
    const dash = part.indexOf("-");
    const word = dash < 0 ? "estimator" : part.slice(0, dash);
    const kind = ROW_KINDS.find((one) => one === word && (dash < 0 || one !== "estimator"));
    const definition = part.slice(dash + 1);
    if (!kind || definition === "" || own[kind] !== undefined) return null;
    own[kind] = definition;
  }
  return { row, own };
}

export function rowNameOf(name: string): RowName {
  return rowNameIn(name) ?? { row: name, own: {} };
}

/** The name of a row with user-defined code in place of one of its choices. */
export function definedRowName(row: string, kind: RowKind, definition: string): string {
  return `${row}${DEFINED}${kind === "estimator" ? "" : `${kind}-`}${definition}`;
}

/** Whether it is a row of the table, or one with user-defined code. */
export function isAlgorithmName(name: string): boolean {
  return rowByName.has(rowNameIn(name)?.row ?? "");
}

/** Names in the order of the table of algorithms, each row followed by its variants; others are left out. */
export function inTableOrder(names: Iterable<string>): string[] {
  const known = [...new Set(names)].filter(isAlgorithmName);
  return algorithmNames.flatMap((row) =>
    known.filter((name) => rowNameOf(name).row === row).sort((a, b) => (a < b ? -1 : 1)),
  );
}

/** One algorithm with every choice made; plain JSON data. */
export interface AlgorithmConfig
  extends RowChoices, Settings, Omit<AlgorithmRow, "defaults" | "first"> {
  /** Names of the definitions that replace the row's choices, by kind; absent: none. */
  own?: Partial<Record<RowKind, string>>;
  /** What the critic's values are for. */
  critic: "none" | "turn" | "token";
  /** Whether the rollouts of one task are compared or filtered, so that a task needs several. */
  grouped: boolean;
}

/** A turn critic reads values at the state-end only; otherwise a turn's value comes from token values. */
function criticOfAxes({ baseline }: RowChoices, { valueAt }: Settings): AlgorithmConfig["critic"] {
  const { critic } = baselineFacts(baseline);
  return critic === "turn" && valueAt !== "state-end" ? "token" : (critic ?? "none");
}

/** Whether advantages may be divided by a standard deviation of the group: if the estimator and the baseline have one. */
export function canDivide({ estimator, baseline }: AlgorithmConfig): boolean {
  return estimatorFacts(estimator).divisor !== "never" && baselineFacts(baseline).divided;
}

/** Whether turns and tokens have separate discounts. */
export function hasTwoLevels({ estimator }: RowChoices): boolean {
  return estimatorFacts(estimator).settings.includes("gammaTurn");
}

/** Columns of a batch that the row needs besides rewards, log-probs of the policies and the critic's values. */
export function neededColumns({
  estimator,
  baseline,
  filter,
  sampler,
  lmWeight,
}: Pick<AlgorithmConfig, "estimator" | "baseline" | "filter" | "sampler" | "lmWeight">) {
  const bySuccess = filterFacts(filter)?.judges === "success" || lmWeight > 0;
  const ofSampler = sampler === "none" ? [] : (["rolloutLogprob"] as const);
  return [
    ...estimatorFacts(estimator).columns,
    ...baselineFacts(baseline).columns,
    ...(bySuccess ? (["success"] as const) : []),
    ...ofSampler,
  ];
}

/** Whether groups are filtered by the rewards or successes of their rollouts, so that a single rollout is left out. */
export function leavesOutEqual({ filter }: Pick<Settings, "filter">): boolean {
  return filterFacts(filter)?.keepsShare === false;
}

/**
 * The named row with some settings replaced. Numbers may be numbers or strings; "none" and null
 * both mean none. A setting that the algorithm does not use is checked and kept without effect.
 * @param reading of the experiment, if there is one.
 * @throws InputError naming the setting, its value and what is allowed.
 */
export function resolveAlgorithm(
  name: string,
  overrides: Record<string, unknown> = {},
  reading: RowReading = CURRENT_READING,
): AlgorithmConfig {
  const { row, compares, usual } = rowConfig(name, reading);
  const config: AlgorithmConfig = { ...usual };
  const settings = config as unknown as Record<string, string | number | null>;
  for (const [key, value] of Object.entries(overrides)) settings[key] = checkSetting(key, value);
  if (!Object.hasOwn(overrides, "horizon")) settings["horizon"] = usualHorizon(settings, reading);
  config.critic = criticOfAxes(row, config);
  config.grouped = compares || config.filter !== "none";
  return config;
}

/** A row before any setting is replaced. */
interface RowConfig {
  row: AlgorithmRow;
  /** Whether its rollouts are compared, whatever the settings. */
  compares: boolean;
  usual: AlgorithmConfig;
}

/** Found once for each name and kind of reading: figures resolve hundreds of rows at every step of the cursor. */
const known = new Map<string, RowConfig>();

function rowConfig(name: string, { revision }: RowReading): RowConfig {
  const key = `${revision < 2 ? "first" : "now"} ${name}`;
  const found = known.get(key) ?? newRowConfig(name, revision < 2);
  known.set(key, found);
  return found;
}

/** @throws InputError if there is no such row. */
function newRowConfig(name: string, isFirst: boolean): RowConfig {
  const { row: rowName, own } = rowNameOf(name);
  const row = rowByName.get(rowName);
  if (!row) {
    throw new InputError(`algorithm is ${show(name)}; allowed: ${algorithmNames.join(", ")}`);
  }
  const { defaults, first, ...choices } = { ...row, ...definedParts(row, name, own) };
  const settings = { ...defaults, ...(isFirst && first) };
  const compares = estimatorFacts(row.estimator).grouped || baselineFacts(row.baseline).grouped;
  // Found anew for each use, but in their places here.
  const usual = { ...choices, critic: "none" as const, grouped: compares, ...settings };
  return { row, compares, usual };
}

/** The default divisor of token sums: one constant, whatever a minibatch contains; none: its longest rollout. */
function usualHorizon(
  { aggregation, horizon = null }: Record<string, string | number | null>,
  { revision, mostTokens }: RowReading,
): string | number | null {
  const divides = aggregations[aggregation as Aggregation].outer === "horizon";
  return divides && revision >= 2 ? (mostTokens ?? DEFAULT_HORIZON) : horizon;
}

/** The differences of a row with user-defined code. */
function definedParts({ title }: AlgorithmRow, name: string, own: RowName["own"]) {
  const names = Object.values(own);
  return names.length === 0 ? {} : { name, title: `${title} (${names.join(", ")})`, own };
}

function checkSetting(key: string, value: unknown): string | number | null {
  if (Object.hasOwn(wordAxes, key)) return checkAxisWord(key, value, wordAxes[key as "ratio"]);
  if (Object.hasOwn(numberAxes, key))
    return checkAxisNumber(key, value, numberAxes[key as "gamma"]);
  throw new InputError(`${show(key)} is not a setting; allowed: ${settingNames.join(", ")}`);
}

function checkAxisWord(key: string, value: unknown, axis: WordAxis): string {
  const word = value === null ? "none" : value;
  if (typeof word === "string" && Object.hasOwn(axis.values, word)) return word;
  throw new InputError(`${key} is ${show(value)}; allowed: ${Object.keys(axis.values).join(", ")}`);
}

function checkAxisNumber(key: string, value: unknown, axis: NumberAxis): number | null {
  if (axis.none && (value === null || value === "none")) return null;
  const text = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof text === "number" && text >= axis.min && text <= axis.max) return text;
  const shown = typeof value === "number" ? String(value) : show(value);
  const range = `from ${axis.min} to ${axis.max}${axis.none ? " or none" : ""}`;
  throw new InputError(`${key} is ${shown}; it must be a number ${range}`);
}
