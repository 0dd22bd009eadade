/** Speed in words. */
import { formatDuration, formatNumber, formatPercent } from "../../numeric/format.ts";
import { titleOf } from "../../reading/titles.ts";
import type { MethodSpeed } from "./timing.ts";
import { words } from "./words.ts";

const MIB = 1024 * 1024;

export function mebibytes(bytes: number): number {
  return bytes / MIB;
}

/** A number for a table; a dash where it is unknown. */
export function numberCell(x: number | null | undefined): string {
  return typeof x === "number" && Number.isFinite(x) ? formatNumber(x) : words.unknown;
}

/** Short times in seconds with decimals, long ones coarsely. */
export function duration(seconds: number): string {
  return seconds < 60 ? `${formatNumber(seconds)} s` : formatDuration(seconds);
}

export function describeMethod({ algorithm, iterations, phases, seconds, bytes }: MethodSpeed) {
  const title = titleOf(algorithm);
  const each = duration(seconds / iterations.length);
  const shares = Object.entries(phases)
    .map(([name, part]) => words.share(words.phase(name), formatPercent(part / seconds)))
    .join(", ");
  const parts = [
    words.summary(title, iterations.length, duration(seconds), each),
    ...(shares === "" || seconds === 0 ? [] : [words.shares(shares)]),
    ...(bytes === null ? [] : [words.memory(`${formatNumber(mebibytes(bytes))} MiB`)]),
  ];
  return parts.join(" ");
}
