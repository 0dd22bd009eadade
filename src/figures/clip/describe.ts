/** The clip panel in words. */
import { formatNumber, formatPercent, formatSigned } from "../../numeric/format.ts";
import { greatest } from "../../numeric/lists.ts";
import type { Band } from "../../method/clip/band.ts";
import { binEdge } from "../../algorithm/ratioHistogram.ts";
import type { Histogram, UpdateRecord } from "../../record/runEvent.ts";
import { countBeyond } from "./band.ts";
import { cutFraction, epochsOf, type Choice, type Sum } from "../../reading/updateSteps.ts";
import { words } from "./words.ts";

const whole = new Intl.NumberFormat("en");
export const count = (n: number) => whole.format(n);

/** A share; a dash in words if it is not known. */
export function share(x: number): string {
  return Number.isFinite(x) ? formatPercent(x) : words.notKnown;
}

export function stepName(choice: Choice, steps: readonly UpdateRecord[]): string {
  if (choice.kind === "epoch" && epochsOf(steps).includes(choice.epoch))
    return words.epoch(choice.epoch);
  const step = choice.kind === "step" ? steps[choice.step] : undefined;
  return step ? words.step(step.epoch, step.minibatch) : words.all(steps.length);
}

/** The main result: how much was cut, on which side, where. */
export function describeSum(name: string, { total, byTurn, cutShare }: Sum): string {
  const { uses, high, low } = total;
  if (uses === 0) return words.noClipData;
  const head = words.summary(
    capital(name),
    ...([count(uses), count(high + low), share(cutFraction(total))] as const),
  );
  if (high + low === 0) return `${head}. ${words.nothingCut}`;
  const fractions = byTurn.map((cuts) => (cuts.uses > 0 ? cutFraction(cuts) : 0));
  const most = fractions.indexOf(greatest(fractions));
  const gradient = Number.isFinite(cutShare) ? ` ${words.gradient(share(cutShare))}` : "";
  const signs = words.signs(count(high), count(low));
  return `${head}: ${signs}.${gradient} ${words.mostCut(most, share(fractions[most]!))}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function bandInWords({ low, high, dual }: Band): string {
  const bound = (x: number | null, write: (x: number) => string) =>
    x === null ? words.noBound : write(x);
  const ratio = (x: number) => formatNumber(Math.exp(x));
  const band = words.band(
    ...([bound(low, ratio), bound(high, ratio)] as const),
    ...([bound(low, formatSigned), bound(high, formatSigned)] as const),
  );
  return dual === null ? band : `${band} ${words.dual(ratio(dual))}`;
}

export function describeHistogram(
  histogram: Histogram,
  unit: "token" | "turn",
  band: Band | null,
): string {
  const { counts } = histogram;
  const all = counts.reduce((sum, n) => sum + n, 0);
  const [first, last] = [counts.findIndex((n) => n > 0), counts.findLastIndex((n) => n > 0)];
  const edge = (i: number) => formatSigned(binEdge(histogram, i));
  const spread = first < 0 ? "" : words.spread(edge(first), edge(last + 1));
  if (band?.level !== unit) return spread;
  const { n, atLeast } = countBeyond(histogram, band);
  const say = atLeast ? words.beyondAtLeast : words.beyond;
  return `${say(count(n), count(all), words.units[unit])} ${spread}`;
}
