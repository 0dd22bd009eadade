/**
 * Scalars by step: verl's file logger (`{"step", "data"}`), prime-rl's, Tinker's and other programs'
 * metrics.jsonl (flat). Beside rollouts they are that run's.
 */
import { ROW_NAMES } from "./choices.ts";
import { isRecord } from "../../spec/jsonText.ts";
import type { Format } from "./foreign.ts";
import { iterationNumber, numbersOf, type Fields } from "./values.ts";

const STEP = [...ROW_NAMES.step, "_step"];
const ABOUT_TIME = [...STEP, "time", "timestamp", "_timestamp", "_runtime"];

const stepIn = (row: Fields) => iterationNumber(row[STEP.find((name) => row[name] != null) ?? ""]);

function metricsIn(value: unknown): Record<string, number> | null {
  if (!isRecord(value) || stepIn(value) === null) return null;
  const found = numbersOf(isRecord(value["data"]) ? value["data"] : value);
  const named = Object.entries(found).filter(([name]) => !ABOUT_TIME.includes(name));
  return named.length > 0 ? Object.fromEntries(named) : null;
}

export const loggedMetrics: Format = {
  apart: "nothing",
  // Other rows have numbers among texts; here all of a row is numbers.
  fits: (value) =>
    metricsIn(value) !== null &&
    Object.values(value as Fields).every((one) => !Array.isArray(one) && typeof one !== "string"),
  reader: (findings) => ({
    take(value) {
      const metrics = metricsIn(value);
      if (!metrics) return false;
      const [run] = [...findings.runs].sort((a, b) => a.length - b.length);
      findings.metrics(run ?? "metrics", stepIn(value as Fields)!, metrics);
      return true;
    },
  }),
};
