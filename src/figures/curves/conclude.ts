/** What a sweep says so far: each setting against the first, paired by seed, in the words of an interval. */
import { firstAndLast } from "../../numeric/finite.ts";
import { formatSignedLike } from "../../numeric/format.ts";
import { mean, tInterval } from "../../numeric/statistics.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { seedsThatTell, settleCause, type TestedSeed } from "../../reading/story/settle.ts";
import { letterOf } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { words as all } from "./words.ts";

const words = all.sweep;

/** Ends of one method by seed: as the first setting has it, and as another has. */
export function pairedEnds(
  [base, other]: readonly [readonly RunLog[], readonly RunLog[]],
  method: string,
  { key, source }: Metric,
): TestedSeed[] {
  const endsOf = (log: RunLog) => firstAndLast(log.series(method, key, source).y);
  const seedOf = (log: RunLog) => log.start?.spec.seed;
  return base.flatMap((log) => {
    const twin = other.find((one) => seedOf(one) === seedOf(log));
    const [{ first, last }, changed] = [endsOf(log), twin ? endsOf(twin).last : null];
    return first === null || last === null || changed === null
      ? []
      : [{ first, asIs: last, changed }];
  });
}

/** One sentence for each later setting and method that has a pair; none for a single setting. */
export function conclusions(
  settings: readonly { logs: readonly RunLog[] }[],
  methods: readonly string[],
  metric: Metric,
): string[] {
  const [base, ...others] = settings;
  return others.flatMap(({ logs }, i) =>
    methods.flatMap((method) => {
      const pairs = pairedEnds([base!.logs, logs], method, metric);
      const place = words.against(letterOf(i + 1), letterOf(0), method, methods.length);
      return pairs.length === 0 ? [] : [`${place} ${difference(pairs, metric)}`];
    }),
  );
}

function difference(pairs: readonly TestedSeed[], { title, format, yDomain }: Metric): string {
  const gains = pairs.map(({ asIs, changed }) => changed - asIs);
  const signed = (value: number) => formatSignedLike(format, value);
  const said = words.difference(title, signed(mean(gains)), gains.length);
  if (gains.length < 2) return `${said}. ${seedsThatTell(gains)}.`;
  const { low, high } = tInterval(gains);
  const range = yDomain ? yDomain[1] - yDomain[0] : Infinity;
  const [least, most] = [Math.max(-range, low), Math.min(range, high)];
  const interval = words.within(signed(least), signed(most));
  const verdict = low > 0 || high < 0 ? words.differs : words.undecided(seedsThatTell(gains));
  return `${said}${interval}. ${verdict}`;
}

/** What two settings say of the cause that the second takes away. */
export const causeVerdict = (
  [base, changed]: readonly [readonly RunLog[], readonly RunLog[]],
  method: string,
  metric: Metric,
): string | null => {
  const pairs = pairedEnds([base, changed], method, metric);
  return pairs.length === 0 ? null : settleCause(pairs).says;
};
