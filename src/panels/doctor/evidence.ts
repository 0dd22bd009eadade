/** A finding's evidence in words. */
import { formatNumber } from "../../numeric/format.ts";
import type { Evidence } from "../../record/runEvent.ts";
import { words } from "./words.ts";

/** For one metric: what all its limits have in common is mentioned once. */
export function sayEvidence(evidence: readonly Evidence[]): string {
  const [first] = evidence;
  if (!first || first.value === null) return words.notFinite;
  const { value, measurements } = first;
  const same = evidence.every((one) => one.value === value && one.measurements === measurements);
  if (!same) return evidence.map((one) => sayEvidence([one])).join("; ");
  const limits = evidence.flatMap(sayLimit).join(" and ");
  const passed = limits === "" ? "" : `: ${limits}`;
  return `${words.value(formatNumber(value))}${passed}${words.streak(measurements)}`;
}

function sayLimit({ side, limit, base }: Evidence): string[] {
  if (limit === null) return [];
  const from = base === null ? "" : words.base(formatNumber(base));
  return [`${words.limit(words[side], formatNumber(limit))}${from}`];
}
