/** The curves that have names of their own, and how any other number of the run is shown. */
import { formatNumber, formatPercent } from "../../numeric/format.ts";
import { metricEntry, PERCENT, type MetricEntry } from "../../spec/metricTable.ts";
import { curveKeys } from "../../reading/curveMetrics.ts";
import type { MetricSource, RunLog } from "../../reading/log/runLog.ts";
import { words } from "./words.ts";

export interface Metric {
  id: string;
  /** In words, with the unit if it has one. */
  title: string;
  hint: string;
  source: MetricSource;
  /** Name in the events, which is verl's wherever verl logs it; shown beside the title. */
  key: string;
  format: (value: number) => string;
  yDomain?: readonly [number, number];
}

const SHARE = { format: formatPercent, yDomain: [0, 1] } as const;

/** Metrics by the id that a curves cell uses; names carry the environment, so they depend on the run. */
export function namedMetrics(environment: string): Record<string, Metric> {
  const keys = curveKeys(environment);
  return {
    reward: {
      id: "reward",
      title: "Mean reward",
      hint: "Total reward per training episode.",
      ...keys.reward,
      format: formatNumber,
    },
    success: {
      id: "success",
      title: "Success rate",
      hint: "Share of training episodes solved.",
      ...keys.success,
      ...SHARE,
    },
    heldout: {
      id: "heldout",
      title: "Held-out success",
      hint: "Share solved of tasks never trained on.",
      ...keys.heldout,
      ...SHARE,
    },
  };
}

/** What is known of a metric's name; null of one that the table lacks. */
type KnownMetric = Pick<MetricEntry, "title" | "unit" | "meaning">;

const HELD_OUT = /^val-env\//;

function knownMetric(name: string): KnownMetric | null {
  const plain = name.replace(HELD_OUT, "");
  const entry = metricEntry(plain);
  if (!entry) return HELD_OUT_ONLY[plain.replace(/^[^/]+\//, "")] ?? null;
  return HELD_OUT.test(name) ? { ...entry, title: heldOut(entry.title) } : entry;
}

const heldOut = (title: string) => `Held-out ${title[0]!.toLowerCase()}${title.slice(1)}`;

/** What only evaluations log. */
const HELD_OUT_ONLY: Record<string, KnownMetric> = {
  reward: { title: "Held-out reward", unit: "", meaning: "Mean total reward of an episode" },
  num_turns: { title: "Held-out turns", unit: "turns", meaning: "Mean number of turns" },
};

/** Any number of the run: in words if it is known, else under its own name. */
function plainMetric(name: string, source: MetricSource, id = "another"): Metric {
  const known = knownMetric(name);
  const where = source === "heldout" ? "Measured on held-out levels." : "Measured while training.";
  const isShare = known?.unit === PERCENT;
  const unit = known && known.unit !== "" && !isShare ? `, ${known.unit}` : "";
  return {
    id,
    title: known ? `${known.title}${unit}` : name,
    hint: known ? `${known.meaning}. ${where}` : where,
    source,
    key: name,
    ...(isShare ? SHARE : { format: formatNumber }),
  };
}

/** What kinds of cells show where they list no metrics. */
export const DEFAULT_METRICS = {
  curves: ["reward", "success", "heldout"],
  compare: ["reward", "heldout"],
} as const;

/** The charts of the ids that a cell lists, `train:NAME` and `heldout:NAME` among them; others are left out. */
export function metricsOf(ids: string | undefined, environment: string): Metric[] {
  const wanted = ids?.split(",").map((id) => id.trim()) ?? DEFAULT_METRICS.curves;
  return wanted.flatMap((id) => metricOf(id.replace(":", "|"), environment) ?? []);
}

/** How a chart of any number is named in the lens. */
function metricId(source: MetricSource, name: string): string {
  return `${source}|${name}`;
}

/** The chart of such a name, or of one with its own name; null for neither. */
export function metricOf(id: string, environment: string): Metric | null {
  const known = namedMetrics(environment);
  if (Object.hasOwn(known, id)) return known[id]!;
  const cut = id.indexOf("|");
  const source = id.slice(0, cut);
  if (cut < 0 || (source !== "train" && source !== "heldout")) return null;
  return plainMetric(id.slice(cut + 1), source, id);
}

export function hasMetric(log: RunLog, { key, source }: Metric): boolean {
  return log.metrics(source).includes(key);
}

/** All numbers of one kind that runs have, by their names. */
export function metricChoices(logs: readonly RunLog[], source: MetricSource): Metric[] {
  const names = [...new Set(logs.flatMap((log) => log.metrics(source)))].sort();
  return names.map((name) => plainMetric(name, source, metricId(source, name)));
}

/** Words first, with the name in logs. */
export const metricText = ({ title, key }: Metric) => (title === key ? key : `${title} · ${key}`);

/** Ids of all numbers of runs by what the reader may write; both kinds never share one. The training's come first. */
export function metricsByText(logs: readonly RunLog[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const metric of [...metricChoices(logs, "train"), ...metricChoices(logs, "heldout")]) {
    const text = metricText(metric);
    known.set(known.has(text) ? `${text} (${words.add.sources.heldout})` : text, metric.id);
  }
  return known;
}

/** By the words with the name, or by either alone; else the shortest that has all words of the text somewhere. */
export function findMetric(known: ReadonlyMap<string, string>, text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (known.has(text.trim())) return known.get(text.trim());
  const isMeant = (full: string) =>
    full
      .toLowerCase()
      .split(" · ")
      .some((part) => part === wanted);
  const parts = wanted.split(/[\s/_-]+/).filter(Boolean);
  const names = [...known.keys()];
  const near = names
    .filter((full) => parts.length > 0 && parts.every((part) => full.toLowerCase().includes(part)))
    .sort((a, b) => a.length - b.length);
  return known.get(names.find(isMeant) ?? near[0] ?? "");
}
