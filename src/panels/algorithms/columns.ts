/** The table's columns: the nine axes of choice, and a row's value on each. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { usedSettings } from "../../spec/algorithmDocs/settingUse.ts";
import { filterFacts } from "../../method/credit/groupFilter.ts";
import type { ClipRule } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { wordAxes } from "../../method/axes.ts";
import { estimatorFacts } from "../../method/estimators.ts";
import { rowAxes } from "../../method/rowAxes.ts";

interface AxisCell {
  /** The value used by filters. */
  value: string;
  /** The text shown in the table. */
  text: string;
}

interface AxisColumn {
  /** Letter of the axis. */
  id: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I";
  title: string;
  cell: (config: AlgorithmConfig) => AxisCell;
  /** The value in words. */
  meaning: (value: string) => string;
}

const same = (value: string): AxisCell => ({ value, text: value });

/** The description of a value on some axis; "" for a composed one. */
const wordsOf = (values: Record<string, string>) => (value: string) => values[value] ?? "";

export const columns: readonly AxisColumn[] = [
  {
    id: "A",
    title: "Reward",
    cell: ({ reward }) => same(reward),
    meaning: wordsOf(rowAxes.reward.values),
  },
  {
    id: "B",
    title: "Baseline",
    cell: ({ baseline, valueAt, estimator }) => ({
      value: baseline,
      text: estimatorFacts(estimator).settings.includes("valueAt")
        ? `${baseline} at ${valueAt}`
        : baseline,
    }),
    meaning: wordsOf(rowAxes.baseline.values),
  },
  {
    id: "C",
    title: "Advantage",
    cell: ({ estimator }) => same(estimator),
    meaning: wordsOf(rowAxes.estimator.values),
  },
  { id: "D", title: "Normalisation", cell: normalisation, meaning: () => "" },
  {
    id: "E",
    title: "Ratio",
    cell: ({ ratio }) => same(ratio),
    meaning: wordsOf(wordAxes.ratio.values),
  },
  {
    id: "F",
    title: "Clip",
    cell: clip,
    meaning: wordsOf(wordAxes.clip.values),
  },
  {
    id: "G",
    title: "Aggregation",
    cell: ({ aggregation }) => same(aggregation),
    meaning: wordsOf(wordAxes.aggregation.values),
  },
  { id: "H", title: "Pull to a policy", cell: regulariser, meaning: () => "" },
  { id: "I", title: "Filter, correction", cell: filter, meaning: () => "" },
];

function normalisation(config: AlgorithmConfig): AxisCell {
  const { std, whiten } = config;
  const group = usedSettings(config).includes("std") && std !== "none" ? ["group std"] : [];
  const batch = whiten === "none" ? [] : [`batch ${whiten}`];
  return same([...group, ...batch].join(", ") || "none");
}

function clip({ ratio, clip: kind, ...config }: AlgorithmConfig): AxisCell {
  if (ratio === "none") return same("none");
  const { epsLow, epsHigh, dualClip } = config;
  const rule: ClipRule = clips[kind];
  if (!rule.settings.includes("epsLow"))
    return { value: kind, text: [kind, ...rule.settings.map((name) => config[name])].join(" ") };
  const range = epsLow === epsHigh ? `±${epsLow}` : `−${epsLow} +${epsHigh}`;
  const hasDual = dualClip !== null && rule.settings.includes("dualClip");
  const dual = !hasDual ? "" : `, ${rule.weighsTokens ? "weight to" : "dual"} ${dualClip}`;
  return { value: kind, text: `${kind} ${range}${dual}` };
}

function regulariser({ betaKl, betaOld, betaKlReward }: AlgorithmConfig): AxisCell {
  const loss = betaKl > 0 ? [`k3 in loss ${betaKl}`] : [];
  const old = betaOld > 0 ? [`k2 to the old policy ${betaOld}`] : [];
  const reward = betaKlReward > 0 ? [`k1 in reward ${betaKlReward}`] : [];
  const value = [
    ...loss.map(() => "k3 in loss"),
    ...old.map(() => "k2 to the old policy"),
    ...reward.map(() => "k1 in reward"),
  ].join(", ");
  return { value: value || "none", text: [...loss, ...old, ...reward].join(", ") || "none" };
}

function filter({ filter: kind, filterKeep, clipBias, clipBiasScope }: AlgorithmConfig): AxisCell {
  if (clipBias !== "none")
    return { value: "clipping bias", text: `clipping bias ${clipBias}, ${clipBiasScope}` };
  const kept = filterFacts(kind)?.keepsShare ? ` ${filterKeep}` : "";
  return { value: kind, text: `${kind}${kept}` };
}

/** The required value of each column; a column without one may have any. */
export type Filter = Partial<Record<AxisColumn["id"], string>>;

export function matches(config: AlgorithmConfig, wanted: Filter): boolean {
  return columns.every(({ id, cell }) => {
    const value = wanted[id];
    return value === undefined || cell(config).value === value;
  });
}

/** Values that occur in a column, in the rows' order. */
export function valuesIn({ cell }: AxisColumn, configs: readonly AlgorithmConfig[]): string[] {
  return [...new Set(configs.map((config) => cell(config).value))];
}
