/** A trained model in the shop, to be watched without a run: recorded episodes of one goal. */
import { hasPages } from "../../env/descriptors.ts";
import { z } from "../../spec/zod.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { InputError } from "../../numeric/inputError.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { RunLog } from "../log/runLog.ts";
import { titleOf } from "../titles.ts";
import { textsOf } from "./replay.ts";

const SHOPPER_RULE =
  "Of the goals that the run recorded in its last iteration, the first of those whose episodes' rewards differ most; all its episodes, as sampled.";

const MOST_TURNS = 50;

const schema = z.object({
  format: z.literal("turnbook-shopper-1"),
  /** The command that made it. */
  command: z.string(),
  rule: z.string(),
  /** The weights that play. */
  weights: z.object({
    preset: z.string(),
    model: z.string(),
    method: z.string(),
    iterations: z.number(),
    seed: z.number(),
    /** Of the run that trained them. */
    fingerprint: z.string(),
    /** Mean reward of held-out goals before and after training, and how they were sampled; null if not measured. */
    heldout: z.nullable(
      z.object({ before: z.number(), after: z.number(), temperature: z.number() }),
    ),
  }),
  catalogSeed: z.number(),
  maxTurns: z.number(),
  goal: z.number(),
  episodes: z
    .array(
      z.object({ reward: z.number(), texts: z.array(z.string()).check(z.maxLength(MOST_TURNS)) }),
    )
    .check(z.minLength(1), z.maxLength(64)),
});

export type Shopper = z.infer<typeof schema>;

/** @throws ZodError if the file is invalid. */
export function readShopper(text: string): Shopper {
  return schema.parse(JSON.parse(text));
}

/** From a shop's run. @throws InputError if it is not a shop's, or recorded no episodes. */
export function shopperOf(log: RunLog, command: string): Shopper {
  const spec = log.start?.spec;
  if (!spec || !hasPages(spec.environment)) throw new InputError("the run is not of the shop");
  const [method] = log.algorithms;
  const iteration = method === undefined ? undefined : log.iterationsWithEpisodes(method).at(-1);
  if (method === undefined || iteration === undefined)
    throw new InputError("the run recorded no episodes; recordEpisodes must be at least 1");
  const episodes = mostVaried(log.episodes(method, iteration));
  const { preset, model, seed, environment } = spec;
  const fingerprint = log.lastChain;
  return {
    format: "turnbook-shopper-1",
    command,
    rule: SHOPPER_RULE,
    weights: {
      preset,
      seed,
      fingerprint,
      model: model.preset,
      method: titleOf(method),
      iterations: log.finishedIterations,
      heldout: heldoutOf(log, method),
    },
    catalogSeed: environment.catalogSeed,
    maxTurns: environment.maxTurns,
    goal: episodes[0]!.seed,
    episodes: episodes.map((record) => ({ reward: record.reward, texts: textsOf(record) })),
  };
}

function mostVaried(episodes: readonly EpisodeRecord[]): readonly EpisodeRecord[] {
  const goals = [...new Set(episodes.map(({ seed }) => seed))];
  const groups = goals.map((goal) => episodes.filter(({ seed }) => seed === goal));
  const spread = (group: readonly EpisodeRecord[]) => {
    const rewards = group.map(({ reward }) => reward);
    return greatest(rewards) - least(rewards);
  };
  return groups.reduce((best, group) => (spread(group) > spread(best) ? group : best));
}

const REWARD = "val-env/webshop/reward";

function heldoutOf(log: RunLog, method: string): Shopper["weights"]["heldout"] {
  const { y } = log.series(method, REWARD, "heldout");
  const [before, after] = [y[0] ?? null, y.at(-1) ?? null];
  const { temperature } = log.start!.spec.evaluation;
  return before === null || after === null || y.length < 2 ? null : { before, after, temperature };
}
