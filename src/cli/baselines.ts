/**
 * `baselines webshop`: rewards of the scripted policies and a preset's initial weights on the same
 * goals. One JSON line each.
 */
import { hasPages } from "../env/descriptors.ts";
import type { Catalogue } from "../env/webshop/catalogue.ts";
import { expert } from "../env/webshop/expert.ts";
import { generateCatalogue } from "../env/webshop/generate/generateCatalogue.ts";
import { buyFirst, playGoal, randomPolicy, type Policy } from "../env/webshop/policies.ts";
import { WebShopEnv } from "../env/webshop/webshopEnv.ts";
import { mean, tInterval } from "../numeric/statistics.ts";
import { rollout, type Episode } from "../rollout/rollout.ts";
import { validateSpec, type ExperimentSpec, type WebShopSpec } from "../spec/experiment.ts";
import { presetNames, presetSpec } from "../spec/presets.ts";
import { GoalSeeds } from "../train/goalSeeds.ts";
import { episodeReturn } from "../train/rolloutMetrics.ts";
import { prepareModel } from "../train/warmStart.ts";
import { checkpointFolder } from "../spec/checkpointFolder.ts";
import { parseArgsOf, type Args, type OptionSpec } from "./args.ts";
import { nodeHost } from "./nodeHost.ts";
import type { Command } from "./command.ts";
import type { Output } from "./command.ts";
import { openTrainEngine, TRAIN_OPTIONS } from "./trainOptions.ts";

const SHOP_PRESETS = presetNames.filter((name) => hasPages(presetSpec(name).environment));
const SPLITS = ["held-out", "all"] as const;
const MAX_EPISODES = 10_000;

const OPTIONS: Record<string, OptionSpec> = {
  episodes: { type: "integer", min: 1, max: MAX_EPISODES },
  "catalog-seed": { type: "integer", min: 0, max: 2 ** 32 - 1 },
  goals: { type: "string", choices: SPLITS },
  seed: { type: "integer", min: 0 },
  noise: { type: "number", min: 0, max: 1 },
  model: { type: "string", choices: [...SHOP_PRESETS, "none"] },
  engine: TRAIN_OPTIONS.engine,
  backend: TRAIN_OPTIONS.backend,
  workers: TRAIN_OPTIONS.workers,
};

/** The results of one policy. */
interface ShopOutcome {
  reward: number;
  success: boolean;
  purchased: boolean;
  turns: number;
}

export const baselinesCommand: Command = async (argv, out) => {
  const args = parseArgsOf("baselines", "webshop", argv, OPTIONS);
  const spec = shopSpec(args);
  const { catalogSeed, maxTurns } = spec.environment;
  const catalogue = generateCatalogue(catalogSeed);
  const goals = goalsOf(args, catalogue, catalogSeed);
  const shop = new WebShopEnv(catalogue, { maxTurns });
  const about = { catalogSeed, maxTurns, goals: args.string("goals") ?? SPLITS[0] };
  const print = (policy: string, outcomes: ShopOutcome[], more: object = {}) =>
    out.json({ policy, ...about, ...more, ...summary(outcomes, goals) });
  for (const [policy, at] of scripted(args)) {
    print(
      policy,
      goals.map((goal, episode) => playScript(shop, goal, at(episode))),
    );
  }
  if (args.string("model") === "none") return;
  const more = { checkpoint: checkpointFolder(spec), temperature: spec.evaluation.temperature };
  print("model", await playModel(spec, goals, args, out), more);
};

type ShopExperiment = ExperimentSpec & { environment: WebShopSpec };

function shopSpec(args: Args): ShopExperiment {
  const asked = args.string("model") ?? "none";
  const name = asked === "none" ? SHOP_PRESETS[0]! : asked;
  const base = presetSpec(name) as ShopExperiment;
  const catalogSeed = args.number("catalog-seed") ?? base.environment.catalogSeed;
  return validateSpec({
    ...base,
    seed: args.number("seed") ?? base.seed,
    environment: { ...base.environment, catalogSeed },
    engine: { name: args.string("engine") ?? "auto", backend: args.string("backend") ?? "auto" },
  }) as ShopExperiment;
}

/** Goals to play, repeated if there are fewer than episodes. [episodes] */
function goalsOf(args: Args, catalogue: Catalogue, catalogSeed: number): number[] {
  const all = catalogue.goals.map((_, goal) => goal);
  const heldOut = () => new GoalSeeds(catalogue, catalogSeed).heldOut(all.length);
  const goals = args.string("goals") === "all" ? all : heldOut();
  const episodes = args.number("episodes") ?? 200;
  return Array.from({ length: episodes }, (_, i) => goals[i % goals.length]!);
}

/** The scripted policies by name, each created from an episode's index. */
function scripted(args: Args): [string, (episode: number) => Policy][] {
  const seed = args.number("seed") ?? 1;
  const noise = args.number("noise");
  const policies: ReturnType<typeof scripted> = [
    ["random", (episode) => randomPolicy(seed, episode)],
    ["search and buy first", () => buyFirst],
    ["expert", () => expert()],
  ];
  if (noise !== undefined) {
    const noisy = (episode: number) => expert({ share: noise, seed, episode });
    policies.push([`expert, noise ${noise}`, noisy]);
  }
  return policies;
}

function playScript(shop: WebShopEnv, goal: number, policy: Policy): ShopOutcome {
  const { reward, success, turns } = playGoal(shop, goal, policy);
  return { reward, success, turns, purchased: shop.page.kind === "done" };
}

/** Plays with a spec's initial weights, all goals in one batch. */
async function playModel(
  spec: ExperimentSpec,
  goals: number[],
  args: Args,
  out: Output,
): Promise<ShopOutcome[]> {
  const engine = await openTrainEngine(spec, args, out);
  try {
    const { family, config, weights } = await prepareModel(spec, nodeHost(engine, out), false);
    const episodes = await rollout({
      model: await engine.createModel(config, weights, "none"),
      world: family.world,
      tasks: goals.map((seed) => ({ name: `webshop:${seed}`, seed })),
      context: spec.context,
      // As for held-out scores.
      sampling: { ...spec.sampling, temperature: spec.evaluation.temperature },
      key: { seed: spec.seed, stream: "baselines", iteration: 0 },
    });
    return episodes.map(shopOutcome);
  } finally {
    engine.dispose();
  }
}

function shopOutcome(episode: Episode): ShopOutcome {
  const { success, terminated, turns } = episode;
  return { reward: episodeReturn(episode), success, purchased: terminated, turns: turns.length };
}

/** Means over episodes; for the reward with its 95 % t interval over goals, since repeating a goal adds little information. */
function summary(outcomes: ShopOutcome[], goals: readonly number[]) {
  const rewards = outcomes.map(({ reward }) => reward);
  const byGoal = new Map<number, number[]>();
  goals.forEach((goal, i) => byGoal.set(goal, [...(byGoal.get(goal) ?? []), rewards[i]!]));
  const distinctGoals = byGoal.size;
  const { low, high } = tInterval([...byGoal.values()].map(mean));
  return {
    episodes: outcomes.length,
    distinctGoals,
    reward: mean(rewards),
    reward95: [low, high],
    success: mean(outcomes.map(({ success }) => Number(success))),
    purchased: mean(outcomes.map(({ purchased }) => Number(purchased))),
    turns: mean(outcomes.map(({ turns }) => turns)),
  };
}
