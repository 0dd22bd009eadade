/** The oracle on a real model, with so few tokens to choose from that everything it can say can be summed over. */
import { describe, expect, it } from "vitest";
import type { EngineModel } from "../../src/engine/engine.ts";
import { exp } from "../../src/numeric/deterministic.ts";
import { rollout } from "../../src/rollout/rollout.ts";
import type { PartialSpec } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { statesOf, type Player, type State } from "../../src/train/oracle/branches.ts";
import { trueValues } from "../../src/train/oracle/trueValues.ts";
import { prepareModel } from "../../src/train/warmStart.ts";
import { host, wasmEngine } from "./support.ts";

const LIKELIEST = 2;
const TOKENS = 3;
const GAMMA = 0.9;

type Moment = Pick<State, "task" | "turn" | "snapshot" | "queryIds" | "historyIds" | "info">;

async function playerIn(
  context: "full" | "turn",
  changes: PartialSpec = { environment: { maxTurns: 2 } },
): Promise<Player> {
  const spec = toSpec({ context, ...changes });
  const { family, config, weights } = await prepareModel(spec, await host(), false);
  const model = await (await wasmEngine()).createModel(config, weights, "none");
  const sampling = { temperature: 1.5, topK: LIKELIEST, topP: 1, maxTokensPerTurn: TOKENS };
  return { model, world: family.world, context, sampling };
}

/** The likeliest next tokens with their chances among themselves. */
async function choices(model: EngineModel, ids: number[], temperature: number) {
  const L = ids.length;
  const rows = {
    B: 1,
    L,
    ids: Int32Array.from(ids),
    position: Int32Array.from(ids, (_, i) => i),
    segment: new Int32Array(L),
  };
  const { logits } = await model.forward({ rows, temperature, logits: true });
  const V = model.config.vocabSize;
  const last = Array.from(logits!.subarray((L - 1) * V, L * V), (z, id) => ({ id, z }));
  const top = last.sort((a, b) => b.z - a.z).slice(0, LIKELIEST);
  const weights = top.map(({ z }) => exp((z - top[0]!.z) / temperature));
  const total = weights.reduce((a, b) => a + b);
  return top.map(({ id }, i) => ({ id, chance: weights[i]! / total }));
}

/** Every response to what was seen, with its probability. */
async function responses(player: Player, seen: number[], said: number[] = [], chance = 1) {
  const { model, world, sampling } = player;
  const ended = said.length === TOKENS || world.prompter.stopIds.includes(said.at(-1) ?? -1);
  if (ended) return [{ said, chance }];
  const all: { said: number[]; chance: number }[] = [];
  for (const next of await choices(model, [...seen, ...said], sampling.temperature))
    all.push(...(await responses(player, seen, [...said, next.id], chance * next.chance)));
  return all;
}

async function exactValue(player: Player, moment: Moment): Promise<number> {
  const { world, context } = player;
  const seen = [...(context === "full" ? moment.historyIds : []), ...moment.queryIds];
  let sum = 0;
  for (const { said, chance } of await responses(player, seen)) {
    const environment = world.create(moment.task.seed);
    environment.restore(moment.snapshot);
    const step = environment.step(world.prompter.answer(said, moment.info));
    const turn = moment.turn + 1;
    const next = {
      ...moment,
      ...{ turn, info: step.info, snapshot: environment.snapshot() },
      queryIds: world.prompter.query(step.observation, step.info, turn, said),
      historyIds: [...seen, ...said],
    };
    const over = step.terminated || step.truncated;
    sum += chance * (step.reward + GAMMA * (over ? 0 : await exactValue(player, next)));
  }
  return sum;
}

describe.each(["turn", "full"] as const)("in %s context", (context) => {
  it("V, Q and the advantage are those of summing over all that the model can say", async () => {
    const player = await playerIn(context);
    const tasks = [10_003, 10_011].map((seed) => ({ name: `${seed}`, seed }));
    const key = { seed: 2, stream: "rollout", iteration: 1 };
    const episodes = await rollout({ ...player, tasks, key });
    const truth = await trueValues(player, episodes, {
      branches: 600,
      gamma: GAMMA,
      key: { seed: 2, iteration: 1 },
      chunk: 500,
    });
    let k = 0;
    for (const episode of episodes) {
      const V: number[] = [];
      for (const state of statesOf(player.world, episode)) V.push(await exactValue(player, state));
      episode.turns.forEach(({ reward }, h) => {
        const Q = reward + GAMMA * (V[h + 1] ?? 0);
        const near = (x: number, { mean, standardError }: typeof truth.value) =>
          expect(Math.abs(mean[k]! - x)).toBeLessThanOrEqual(4 * standardError[k]! + 1e-5);
        near(V[h]!, truth.value);
        near(Q, truth.actionValue);
        near(Q - V[h]!, truth.advantage);
        expect(truth.best[k]!).toBeGreaterThanOrEqual(V[h]! - 1e-5);
        expect(truth.bestAdvantage[k]!).toBeLessThanOrEqual(1e-9);
        k += 1;
      });
    }
    expect(k).toBeGreaterThan(2);
    expect(Math.max(...truth.value.standardError)).toBeGreaterThan(0.01);
    player.model.dispose();
  });
});

it("a shop's trip is branched as well, and no branch earns more than can be reached", async () => {
  const player = await playerIn("turn", { preset: "webshop-class", environment: { maxTurns: 4 } });
  player.sampling = { ...player.sampling, temperature: 1, topK: 0, maxTokensPerTurn: 12 };
  const tasks = [3, 30, 300].map((seed) => ({ name: `${seed}`, seed }));
  const key = { seed: 2, stream: "rollout", iteration: 1 };
  const episodes = await rollout({ ...player, tasks, key });
  const options = { branches: 8, gamma: 1, key: { seed: 2, iteration: 1 } };
  const { value, best, bestAdvantage } = await trueValues(player, episodes, options);
  expect(best).toHaveLength(episodes.reduce((n, { turns }) => n + turns.length, 0));
  best.forEach((most, k) => expect(most).toBeGreaterThanOrEqual(value.mean[k]! - 1e-12));
  expect(Math.max(...best)).toBeGreaterThan(0.5);
  expect(Math.max(...bestAdvantage)).toBeLessThanOrEqual(1e-12);
  player.model.dispose();
});
