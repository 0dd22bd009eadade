/**
 * What limits the critic of a recorded run: how much of the rewards to come the true values of the states explain, which no
 * critic can beat; how much the critic explains; and how well it knows the true values themselves.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, userPath } from "../../../src/cli/args.ts";
import { readEpisodes } from "../../../src/cli/record/openingCommand.ts";
import { MANIFEST } from "../../../src/interchange/columnar/manifest.ts";
import { bootstrapInterval, explainedVariance } from "../../../src/numeric/statistics.ts";
import { againstTruth } from "../../../src/panels/critic/fit.ts";
import { valued } from "../../../src/panels/critic/pairs.ts";
import { readColumnar } from "../../../src/reading/log/columnar.ts";
import { truthsOfIteration } from "../../../src/reading/truths.ts";
import { InputError } from "../../../src/spec/inputError.ts";
import { resolveChoice, LATEST } from "../../../src/store/turnChoice.ts";

/** Of one turn. */
interface Point {
  critic: number;
  truth: number;
  /** Discounted rewards that came. */
  came: number;
}

/** `npm run`-like: the folder of a columnar recording with true values. */
export async function main(argv: string[]): Promise<void> {
  const [folder, ...rest] = parseArgs(argv, {}).words;
  if (folder === undefined || rest.length > 0)
    throw new InputError("ceiling takes one folder, of a columnar recording with true values");
  const read = (name: string) => readFileSync(join(userPath(folder), name));
  const { log, source } = await readColumnar(read(MANIFEST).toString("utf8"), (name) =>
    Promise.resolve(new Uint8Array(read(name))),
  );
  await readEpisodes(log);
  console.log(
    "| Method | Iteration | Turns (episodes) | True values of the rewards to come | Critic of the rewards to come | Critic of the true values |",
  );
  console.log("|---|---|---|---|---|---|");
  for (const algorithm of log.algorithms)
    for (const iteration of log.iterationsWithEpisodes(algorithm)) {
      if (truthsOfIteration(source.truths, algorithm, iteration).length === 0) continue;
      const at = resolveChoice(log, { ...LATEST, algorithm, iteration });
      const { pairs, critic } = valued(log, at, 1);
      const { points } = againstTruth({ pairs, critic }, algorithm, source.truths);
      const byEpisode = new Map<number, Point[]>();
      for (const { pair, x, y } of points) {
        if (pair.came === null) continue;
        const own = byEpisode.get(pair.trajectory) ?? [];
        byEpisode.set(pair.trajectory, [...own, { critic: x, truth: y, came: pair.came }]);
      }
      if (byEpisode.size > 1) console.log(rowOf(algorithm, iteration, [...byEpisode.values()]));
    }
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
