/**
 * What a shop policy does wrong, and how much room it leaves: held-out trips at several temperatures with the reason why each
 * was paid less than 1, the spread of rewards within groups, the entropy of what was said, and what a shopper could earn who
 * reads the page alone. With --run DIR the newest checkpoint of a run is looked at in place of the first weights.
 */
import { generateCatalogue } from "../../../src/env/webshop/generate/generateCatalogue.ts";
import { buyFirst, playGoal, type Policy } from "../../../src/env/webshop/policies.ts";
import { reader } from "./shopReader.ts";
import { expert } from "../../../src/env/webshop/expert.ts";
import type { ShopTask } from "../../../src/env/webshop/shopTask.ts";
import { WebShopEnv } from "../../../src/env/webshop/webshopEnv.ts";
import { parseArgs } from "../../../src/cli/args.ts";
import { readAsset } from "../../../src/cli/assets.ts";
import { openNodeEngine } from "../../../src/cli/engine.ts";
import { readJsonFile } from "../../../src/cli/readFile.ts";
import { max, mean, std, tInterval } from "../../../src/numeric/statistics.ts";
import { rollout, type Episode } from "../../../src/rollout/rollout.ts";
import { validateSpec, type ExperimentSpec } from "../../../src/spec/experiment.ts";
import { toSpec } from "../../../src/spec/presets.ts";
import { readCheckpoint } from "../../../src/cli/resumePoint.ts";
import { Experiment } from "../../../src/train/experiment.ts";
import { RUN_FILES } from "../../../src/train/runFiles.ts";
import { testTasks } from "../../../src/train/evaluate.ts";
import { episodeReturn } from "../../../src/train/rolloutMetrics.ts";
import type { TaskFamily } from "../../../src/train/world.ts";

const whole = { type: "integer", min: 1 } as const;

export async function main(argv: string[]): Promise<void> {
  const args = parseArgs(argv, {
    ...{ levels: whole, group: whole, workers: whole, run: { type: "string" } },
  });
  const run = args.string("run");
  const saved = run === undefined ? undefined : await readCheckpoint(run, RUN_FILES.checkpoint);
  const spec = specOf(
    saved?.spec ?? args.words[0] ?? "webshop-class",
    args.number("levels") ?? 256,
  );
  const engine = await openNodeEngine(
    { name: "wasm", backend: "wasm" },
    args.number("workers") ?? 1,
  );
  const experiment = await Experiment.open(spec, { engine, loadAsset: readAsset }, saved);
  const { family } = experiment;
  const tasks = testTasks(spec, family);
  for (const [name, policy] of Object.entries({ buyFirst, reader, expert: expert() }))
    tell({ policy: name, ...scripted(spec, tasks, policy) });
  const model = experiment.learners[0]!.actor;
  const trained = saved ? saved.position.iteration - 1 : 0;
  const play = async (temperature: number, seeds: number[]) =>
    rollout({
      ...{ model, world: family.world, context: spec.context },
      tasks: seeds.map((seed) => ({ name: `webshop:${seed}`, seed })),
      sampling: { ...spec.sampling, temperature },
      key: { seed: spec.seed, stream: "diagnosis", iteration: 0 },
    });
  for (const temperature of [0, 0.5, 1]) {
    const episodes = await play(temperature, tasks);
    tell({ policy: "model", trained, temperature, ...summary(family, episodes) });
  }
  const group = args.number("group") ?? 8;
  const few = tasks.slice(0, 64);
  for (const temperature of [0.5, 1]) {
    const seeds = few.flatMap((seed) => Array<number>(group).fill(seed));
    const spread = spreads(await play(temperature, seeds), group);
    tell({ groups: few.length, group, trained, temperature, ...spread });
  }
  experiment.dispose();
  engine.dispose();
}

const tell = (line: object) => console.log(JSON.stringify(line));

/** A preset or a JSON file, scored on validation goals: the test set stays sealed. */
function specOf(source: string | ExperimentSpec, levels: number): ExperimentSpec {
  const spec = typeof source === "string" ? readSpec(source) : source;
  return validateSpec({ ...spec, evaluation: { ...spec.evaluation, levels, set: "validation" } });
}

function readSpec(source: string): ExperimentSpec {
  return toSpec(source.endsWith(".json") ? readJsonFile("spec", source) : { preset: source });
}

function scripted({ environment }: ExperimentSpec, tasks: number[], policy: Policy) {
  if (environment.kind !== "webshop") throw new Error("the spec is of no shop");
  const { catalogSeed, maxTurns } = environment;
  const shop = new WebShopEnv(generateCatalogue(catalogSeed), { maxTurns });
  const played = tasks.map((seed) => playGoal(shop, seed % shop.catalogue.goals.length, policy));
  return {
    n: tasks.length,
    ...worth(played.map(({ reward }) => reward)),
    turns: mean(played.map(({ turns }) => turns)),
  };
}

function worth(rewards: number[]) {
  const { low, high } = tInterval(rewards);
  return { reward: mean(rewards), reward95: [low, high] };
}

function summary(family: TaskFamily, episodes: Episode[]) {
  const faults = episodes.map((episode) =>
    faultsOf(family.world.create(episode.task.seed) as ShopTask, episode, family),
  );
  const names = [...new Set(faults.flat())].sort();
  const turns = episodes.flatMap((one) => one.turns);
  const surprise = turns.flatMap(({ sampledLogprob }) => sampledLogprob);
  return {
    n: episodes.length,
    ...worth(episodes.map(episodeReturn)),
    success: mean(episodes.map(({ success }) => Number(success))),
    entropy: -mean(surprise),
    shares: Object.fromEntries(
      names.map((name) => [name, mean(faults.map((own) => Number(own.includes(name))))]),
    ),
  };
}

/** Every reason why an episode was paid less than 1; none for a perfect purchase. */
function faultsOf(
  task: ShopTask,
  { task: { seed }, turns, success }: Episode,
  family: TaskFamily,
): string[] {
  if (success) return ["perfect"];
  let { info } = task.reset(seed);
  let invalid = 0;
  for (const { responseIds } of turns) {
    ({ info } = task.step(family.world.prompter.answer(responseIds, info)));
    if (!info.valid) invalid++;
  }
  const { reward } = info;
  const own = invalid > 0 ? ["an invalid action"] : [];
  if (!reward) return [...own, "nothing bought"];
  if (reward.rType < 1) own.push("another kind of product");
  if (reward.rAtt < 1) own.push("an attribute missing");
  if (reward.rPrice === false) own.push("too dear");
  if (reward.rOption !== null && reward.rOption < 1) own.push("an option missing or wrong");
  return own;
}

function spreads(episodes: Episode[], group: number) {
  const rewards = episodes.map(episodeReturn);
  const groups = Array.from({ length: rewards.length / group }, (_, g) =>
    rewards.slice(g * group, (g + 1) * group),
  );
  return {
    reward: mean(rewards),
    standardDeviation: std(rewards),
    withinGroups: mean(groups.map((own) => std(own))),
    bestOfGroup: mean(groups.map((own) => max(own))),
    groupsAllAlike: mean(groups.map((own) => Number(std(own) < 1e-6))),
  };
}
