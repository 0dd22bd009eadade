/** Measures one workload on one contender, the same way for all. */
import type { Contender, Trainer } from "./contender.ts";
import { clockStep, type Counts, type Meter, type Reading } from "./meter.ts";
import { batchOf, decoding, type Workload } from "./workload.ts";

export interface Effort {
  /** Timed repetitions. */
  repeats: number;
  /** Seconds of timed repetitions after which no other begins. */
  seconds: number;
}

export interface Cell {
  about: string;
  /** Milliseconds of each timed step; of a decode: of each token for all rows. */
  wall: number[];
  /** JavaScript milliseconds, likewise; NaN where nothing is submitted to a device. */
  host: number[];
  /** Fewer than this count as none. */
  hostNoise: number;
  /** Of the last timed step; of a decode: per token. */
  counts: Counts;
  /** Losses of the first steps. */
  losses: number[];
  /** Decoded tokens. [rows][tokens] */
  ids: number[][];
  /** Milliseconds from nothing to the end of the first step, compilation included. */
  firstMs: number;
  /** Milliseconds to take the prompts in and draw one token. */
  promptMs: number[];
  /** Bytes of device buffers at most; on wasm: linear memory. */
  bytes: number;
  /** Worker threads started beside the one that computes. */
  workers: number;
}

/** Losses to compare. Slow contenders warm up as little as possible; timed steps may show their losses too. */
const CHECKED_STEPS = 4;
const SLOW_MS = 5000;

export async function measureCell(
  contender: Contender,
  workload: Workload,
  effort: Effort,
  meter: Meter,
): Promise<Cell> {
  const measured =
    workload === "decode-64"
      ? await measureDecode(contender, effort, meter)
      : await measureTraining(await contender.trainer(batchOf(workload)), effort, meter);
  const heap = Math.max(meter.heapBytes(), contender.bytes?.() ?? 0);
  const bytes = meter.peak > 0 ? meter.peak : heap;
  return { about: contender.about, bytes, workers: meter.workers, ...measured };
}

type Measured = Omit<Cell, "about" | "bytes" | "workers">;

async function measureTraining(trainer: Trainer, effort: Effort, meter: Meter): Promise<Measured> {
  const losses: number[] = [];
  const warmUp = () => meter.read(async () => void losses.push(await stepWithLoss(trainer)));
  const first = await warmUp();
  const least = trainer.loss ? 2 : 1;
  const enough = (ms: number) => losses.length >= (ms < SLOW_MS ? CHECKED_STEPS : least);
  for (let last = first; !enough(last.wall);) last = await warmUp();
  const readings = await repeat(effort, () =>
    meter.read(async () => {
      const loss = await trainer.step();
      if (losses.length < CHECKED_STEPS && typeof loss === "number") losses.push(loss);
    }),
  );
  return {
    ...seriesOf(readings),
    hostNoise: clockStep(),
    counts: readings.at(-1)!.counts,
    losses,
    ids: [],
    firstMs: first.wall,
    promptMs: [],
  };
}

async function stepWithLoss(trainer: Trainer): Promise<number> {
  const before = await trainer.loss?.();
  const returned = await trainer.step();
  const loss = before ?? returned;
  if (typeof loss === "number") return loss;
  throw new Error("the contender reports no loss");
}

const seriesOf = (readings: Reading[]) => ({
  wall: readings.map(({ wall }) => wall),
  host: readings.map(({ host }) => host),
});

/** At least once, at most `repeats` times, and no longer than wished for. */
async function repeat<T>({ repeats, seconds }: Effort, body: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  const start = performance.now();
  while (results.length < repeats) {
    results.push(await body());
    if (performance.now() - start > 1000 * seconds) break;
  }
  return results;
}

/**
 * A token's cost is what 32 more of them cost, after the prompt and the first one. Their JavaScript is timed as it runs: from
 * where all is dispatched that the first one alone takes.
 */
async function measureDecode(
  contender: Contender,
  effort: Effort,
  meter: Meter,
): Promise<Measured> {
  const decoder = await contender.decoder();
  const { tokens } = decoding;
  let ids: number[][] = [];
  const first = await meter.read(() => decoder.generate(1));
  await meter.read(async () => (ids = await decoder.generate(tokens)));
  const pairs = await repeat(effort, async () => {
    const short = await meter.read(() => decoder.generate(1));
    const long = await meter.read(() => decoder.generate(tokens), short.counts.dispatches);
    return { short, long };
  });
  const more = tokens - 1;
  const last = pairs.at(-1)!;
  return {
    wall: pairs.map(({ short, long }) => (long.wall - short.wall) / more),
    host: pairs.map(({ long }) => long.host / more),
    hostNoise: clockStep() / more,
    counts: perToken(last.short.counts, last.long.counts, more),
    losses: [],
    ids,
    firstMs: first.wall,
    promptMs: pairs.map(({ short }) => short.wall),
  };
}

function perToken(short: Counts, long: Counts, tokens: number): Counts {
  const keys = Object.keys(short) as (keyof Counts)[];
  const entries = keys.map((key) => [key, (long[key] - short[key]) / tokens]);
  return Object.fromEntries(entries) as unknown as Counts;
}

/** The middle one, or the mean of the two in the middle; NaN of nothing. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? NaN : (low + high) / 2;
}
