/** One piece of a finding's evidence in words. */
import { formatNumber } from "../../charts/format.ts";
import type { Evidence } from "../../record/runEvent.ts";
import { words } from "./words.ts";

export function sayEvidence({ value, side, limit, base, measurements }: Evidence): string {
  if (value === null) return words.notFinite;
  const passed = limit === null ? "" : `: ${words.limit(words[side], formatNumber(limit))}`;
  const from = base === null ? "" : words.base(formatNumber(base));
  return `${words.value(formatNumber(value))}${passed}${from}${words.streak(measurements)}`;
}
