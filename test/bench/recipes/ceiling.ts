/**
 * What limits the critic of a recorded run: how much of the rewards to come the true values of the states explain, which no
 * critic can beat; how much the critic explains; and how well it knows the true values themselves.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, userPath } from "../../../src/cli/args.ts";
import { readEpisodes } from "../../../src/cli/record/openingCommand.ts";
import { MANIFEST } from "../../../src/interchange/columnar/manifest.ts";
import { runWhole } from "../../../src/numeric/sliced.ts";
import { bootstrapInterval, explainedVariance, mean } from "../../../src/numeric/statistics.ts";
import { againstTruth } from "../../../src/figures/critic/fit.ts";
import { valued, type Pair } from "../../../src/figures/critic/pairs.ts";
import { readColumnar } from "../../../src/reading/log/columnar.ts";
import { truthsOfIteration, type Truths } from "../../../src/reading/truths.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { resolveChoice, LATEST } from "../../../src/store/turnChoice.ts";

/** Of one turn. */
interface Point {
  critic: number;
  truth: number;
  /** Discounted rewards that came. */
  came: number;
}

/** `npm run`-like: the folder of a columnar recording; without true values only the second table has rows. */
export async function main(argv: string[]): Promise<void> {
  const [folder, ...rest] = parseArgs(argv, {}).words;
  if (folder === undefined || rest.length > 0)
    throw new InputError("ceiling takes one folder, of a columnar recording");
  const read = (name: string) => readFileSync(join(userPath(folder), name));
  const { log, source } = await readColumnar(read(MANIFEST).toString("utf8"), (name) =>
    Promise.resolve(new Uint8Array(read(name))),
  );
  await readEpisodes(log);
  printCeilings(log, source.truths);
  printWithin(log, source.truths);
}

function printCeilings(log: RunLog, truths: Truths): void {
  console.log(
    "| Method | Iteration | Turns (episodes) | True values of the rewards to come | Critic of the rewards to come | Critic of the true values |",
  );
  console.log("|---|---|---|---|---|---|");
  for (const algorithm of log.algorithms)
    for (const iteration of log.iterationsWithEpisodes(algorithm)) {
      if (truthsOfIteration(truths, algorithm, iteration).length === 0) continue;
      const at = resolveChoice(log, { ...LATEST, algorithm, iteration });
      const { pairs, critic } = runWhole(valued(log, at, 1));
      const { points } = againstTruth({ pairs, critic }, algorithm, truths);
      const byEpisode = new Map<number, Point[]>();
      for (const { pair, x, y } of points) {
        if (pair.came === null) continue;
        const own = byEpisode.get(pair.trajectory) ?? [];
        byEpisode.set(pair.trajectory, [...own, { critic: x, truth: y, came: pair.came }]);
      }
      if (byEpisode.size > 1) console.log(rowOf(algorithm, iteration, [...byEpisode.values()]));
    }
}

/** Recorded iterations that are taken together, the last ones. */
const LATE = 5;

/**
 * How much of the rewards to come the critic explains: of all turns, and of turns with the same number, each set's mean taken
 * off both sides. A critic that knows nothing but a turn's number explains none of the latter.
 */
function printWithin(log: RunLog, truths: Truths): void {
  console.log(
    "\n| Method | Iterations | Turns | Critic, all turns | Critic, turns of the same number | True values, the same (turns) |",
  );
  console.log("|---|---|---|---|---|---|");
  for (const algorithm of log.algorithms) {
    if (resolveAlgorithm(algorithm).critic === "none") continue;
    const iterations = log.iterationsWithEpisodes(algorithm).slice(-LATE);
    const pairs = iterations.flatMap((iteration) => {
      const at = resolveChoice(log, { ...LATEST, algorithm, iteration });
      return runWhole(valued(log, at, 1)).pairs.filter(({ came }) => came !== null);
    });
    if (pairs.length === 0) continue;
    const critic = pairs.map(({ value }) => value);
    const { points } = againstTruth({ pairs, critic: null }, algorithm, truths);
    const known = points.map(({ pair }) => pair);
    const ofTruth = ofSameTurns(
      known,
      points.map(({ y }) => y),
    );
    const came = pairs.map((pair) => pair.came!);
    const shares = [explainedVariance(came, critic), ofSameTurns(pairs, critic)];
    const cells = [algorithm, iterations.join(", "), String(pairs.length)];
    cells.push(...shares.map((share) => share.toFixed(2)));
    cells.push(known.length > 0 ? `${ofTruth.toFixed(2)} (${known.length})` : "");
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** How much of the rewards to come values explain, once each turn number's mean is taken off both. */
function ofSameTurns(pairs: readonly Pair[], values: readonly number[]): number {
  const turns = pairs.map(({ turn }) => turn);
  const came = pairs.map((pair) => pair.came!);
  return explainedVariance(lessMeans(came, turns), lessMeans(values, turns));
}

/** Each number less the mean of those with the same key. */
function lessMeans(x: readonly number[], keys: readonly number[]): number[] {
  const means = new Map<number, number>();
  for (const key of new Set(keys)) means.set(key, mean(x.filter((_, i) => keys[i] === key)));
  return x.map((value, i) => value - means.get(keys[i]!)!);
}

function rowOf(algorithm: string, iteration: number, episodes: Point[][]): string {
  const share = (y: keyof Point, x: keyof Point) => {
    const of = (some: Point[][]) =>
      explainedVariance(
        some.flat().map((point) => point[y]),
        some.flat().map((point) => point[x]),
      );
    const numbers = episodes.map((_, i) => i);
    const interval = bootstrapInterval([numbers], {
      statistic: (drawn) => of(Array.from(drawn, (i) => episodes[i]!)),
      seed: 1,
    });
    return `${of(episodes).toFixed(2)} (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
  };
  const n = `${episodes.flat().length} (${episodes.length})`;
  const cells = [share("came", "truth"), share("came", "critic"), share("truth", "critic")];
  return `| ${algorithm} | ${iteration} | ${n} | ${cells.join(" | ")} |`;
}
