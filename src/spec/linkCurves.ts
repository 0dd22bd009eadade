/**
 * The sender's curves in a link: short enough for a link, precise enough to be drawn and compared.
 *
 *     curves=reward,-0.21,4.39,1.1.50,AAbCk_...,BAq3...,heldout,0.1,0.47,0.10.6,...,...
 *
 * For each metric: its id, lowest and highest value, its iterations as ranges `first.step.count`
 * joined by "-", and for each method, in the order of the experiment, one word: two base64url
 * digits per iteration, 0 to 4094 from the lowest to the highest value, "__" if there is none.
 * Fixed digits rather than differences: equally short, and a damaged one does not affect the
 * others.
 */
import { InputError, show } from "../numeric/inputError.ts";

/** Metrics that a link can carry; those of curves cells that have short names. */
export const LINK_METRICS = ["reward", "success", "heldout"] as const;
export type LinkMetric = (typeof LINK_METRICS)[number];

/** Any other number of a run, as written in cells and links: `train:actor/entropy`, `heldout:val-env/sokoban/num_turns`. */
export const RUN_METRIC = /^(train|heldout):[^,\s\p{C}]{1,120}$/u;

export interface LinkCurve {
  metric: LinkMetric;
  /** Iterations, ascending. [K] */
  x: readonly number[];
  /** By method, then by iteration; null if a method has no number. [M][K] */
  y: readonly (readonly (number | null)[])[];
}

/** A decoded curve: its values are rounded. */
export interface SentCurve extends LinkCurve {
  low: number;
  high: number;
}

/** Maximum metrics in a link, and maximum points of each method's curve. */
const MOST_METRICS = 2;
const MOST_POINTS = 64;
/** Maximum digits of all points of a link: with the rest, links stay under 2,000 characters. */
const MOST_DIGITS = 1400;
/** Maximum characters that are read. */
export const MOST_OF_CURVES = 1800;

const LEVELS = 4094;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Maximum rounding error of a value in a link. */
export function roundingOf({ low, high }: SentCurve): number {
  // The ends are themselves rounded to six digits.
  return (high - low) / LEVELS / 2 + 1e-5 * Math.max(Math.abs(low), Math.abs(high));
}

/**
 * The text of curves with at least one point each; "" for none. Long curves are thinned out evenly,
 * keeping their last point.
 * @param mostDigits of all points together.
 */
export function curvesToText(curves: readonly LinkCurve[], mostDigits = MOST_DIGITS): string {
  const sent = curves.filter(hasNumbers).slice(0, MOST_METRICS);
  const words = sent.reduce((sum, { y }) => sum + y.length, 0);
  const most = Math.min(MOST_POINTS, Math.floor(mostDigits / 2 / Math.max(1, words)));
  const text = sent.map((curve) => curvePart(thinned(curve, most))).join(",");
  return most < 2 || text.length > MOST_OF_CURVES ? "" : text;
}

function hasNumbers({ y }: LinkCurve): boolean {
  return y.some((values) => values.some((value) => value !== null));
}

/** Every n-th point, counted from the last. */
function thinned({ metric, x, y }: LinkCurve, most: number): LinkCurve {
  const stride = Math.max(1, Math.ceil((x.length - 1) / Math.max(1, most - 1)));
  const isKept = (_: unknown, i: number) => (x.length - 1 - i) % stride === 0;
  return { metric, x: x.filter(isKept), y: y.map((values) => values.filter(isKept)) };
}

function curvePart({ metric, x, y }: LinkCurve): string {
  const values = y.flat().filter((value) => value !== null);
  const low = rounded(values.reduce((a, b) => Math.min(a, b), Infinity));
  const high = Math.max(low, rounded(values.reduce((a, b) => Math.max(a, b), -Infinity)));
  const words = y.map((row) => row.map((value) => digitsOf(value, low, high)).join(""));
  return [metric, low, high, stretchesOf(x), ...words].join(",");
}

const rounded = (value: number) => Number(value.toPrecision(6));

function digitsOf(value: number | null, low: number, high: number): string {
  if (value === null) return "__";
  const share = high > low ? (value - low) / (high - low) : 0;
  const level = Math.round(Math.max(0, Math.min(1, share)) * LEVELS);
  return DIGITS[level >> 6]! + DIGITS[level & 63]!;
}

function stretchesOf(x: readonly number[]): string {
  const stretches: [first: number, step: number, count: number][] = [];
  for (const at of x) {
    const last = stretches.at(-1);
    if (last?.[2] === 1 && at > last[0]) last[1] = at - last[0];
    if (last && at === last[0] + last[1] * last[2]) last[2]++;
    else stretches.push([at, 1, 1]);
  }
  return stretches.map((stretch) => stretch.join(".")).join("-");
}

/** @param methods the number of methods of the experiment. @throws InputError unless the text is such curves. */
export function curvesFromText(text: string, methods: number): SentCurve[] {
  const fields = text.split(",");
  const size = 4 + methods;
  if (fields.length % size !== 0 || fields.length > MOST_METRICS * size)
    throw new InputError(
      `curves has ${fields.length} parts; with ${methods} methods it must be ${size} of each of 1 or ${MOST_METRICS} metrics`,
    );
  const curves: SentCurve[] = [];
  for (let at = 0; at < fields.length; at += size)
    curves.push(linkedCurve(fields.slice(at, at + size)));
  if (new Set(curves.map(({ metric }) => metric)).size < curves.length)
    throw new InputError(`curves names ${curves[0]!.metric} twice`);
  return curves;
}

function linkedCurve(fields: readonly string[]): SentCurve {
  const [name = "", lowest = "", highest = "", stretches = "", ...words] = fields;
  const metric = LINK_METRICS.find((known) => known === name);
  if (!metric)
    throw new InputError(
      `curves has the metric ${show(name)}; allowed: ${LINK_METRICS.join(", ")}`,
    );
  const [low, high] = [valueFrom(lowest), valueFrom(highest)];
  if (low > high) throw new InputError(`curves of ${metric} go from ${low} to ${high}`);
  const x = iterationsFrom(stretches);
  const y = words.map((word) => valuesFrom(word, x.length, { low, high }));
  return { metric, low, high, x, y };
}

/** Above any number that training gives. */
const LARGEST = 1e150;

function valueFrom(text: string): number {
  const value = /^-?[\d.]{1,20}(e[+-]?\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (!(Math.abs(value) <= LARGEST))
    throw new InputError(`curves has the value ${show(text)}; it must be a number up to 1e150`);
  return value;
}

function iterationsFrom(text: string): number[] {
  const x: number[] = [];
  for (const stretch of text.split("-")) {
    const parts = /^(\d{1,7})\.(\d{1,7})\.(\d{1,2})$/.exec(stretch);
    const [first, step, count] = (parts ?? []).slice(1).map(Number);
    if (first === undefined || !step || !count || first <= (x.at(-1) ?? -1))
      throw new InputError(
        `curves has the iterations ${show(text)}; they must be first.step.count`,
      );
    for (let i = 0; i < count; i++) x.push(first + i * step);
    if (x.length > MOST_POINTS)
      throw new InputError(`curves has more than ${MOST_POINTS} iterations`);
  }
  return x;
}

function valuesFrom(
  word: string,
  count: number,
  { low, high }: { low: number; high: number },
): (number | null)[] {
  if (word.length !== 2 * count)
    throw new InputError(`curves has ${word.length} digits for ${count} iterations, not 2 of each`);
  return Array.from({ length: count }, (_, i) => {
    const [upper, lower] = [DIGITS.indexOf(word[2 * i]!), DIGITS.indexOf(word[2 * i + 1]!)];
    if (upper < 0 || lower < 0) throw new InputError(`curves has ${show(word)}, not base64url`);
    const level = upper * 64 + lower;
    return level > LEVELS ? null : low + (level / LEVELS) * (high - low);
  });
}
