/** The referee's truth against enumeration, and what is known of some rows. */
import { describe, expect, test } from "vitest";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { exp, log } from "../../src/numeric/deterministic.ts";
import { mean, std } from "../../src/numeric/statistics.ts";
import { numberGame, type Game, type RefereeTask } from "../../src/reading/referee/game.ts";
import { criticTable, playGame, withCritic } from "../../src/reading/referee/play.ts";
import { openCourt, scoreRow } from "../../src/reading/referee/score.ts";
import { refereeTasks } from "../../src/reading/referee/tasks.ts";
import { gameTruth } from "../../src/reading/referee/truth.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";

const taskOf = (name: string) => refereeTasks.find((task) => task.name === name)!;
const chancesOf = (weights: Readonly<Record<string, number>>) => {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  return Object.entries(weights).map(([name, weight]) => [name, weight / total] as const);
};

interface Path {
  chance: number;
  turns: { state: string; response: string; reward: number }[];
}

/** Every episode that there can be, from the task's own words. */
function everyPath({ start, sees = {}, policy, states }: RefereeTask): Path[] {
  const from = (state: string | null): Path[] => {
    if (state === null) return [{ chance: 1, turns: [] }];
    return chancesOf(policy[sees[state] ?? state]!).flatMap(([response, likely]) =>
      states[state]![response]!.flatMap(([to, reward, chance = 1]) =>
        from(to).map((rest) => ({
          chance: likely * chance * rest.chance,
          turns: [{ state, response, reward }, ...rest.turns],
        })),
      ),
    );
  };
  return chancesOf(start).flatMap(([state, chance]) =>
    from(state).map((path) => ({ ...path, chance: chance * path.chance })),
  );
}

/** The expected return if every token's logit is changed by `by`. by [P] */
function scoreWith(game: Game, by: Float64Array): number {
  const { nodeStart, paramNode, paramChance } = game;
  const logit = paramChance.map((chance, p) => log(chance) + by[p]!);
  const total = nodeStart
    .slice(1)
    .map((end, m) => logit.slice(nodeStart[m], end).reduce((sum, x) => sum + exp(x), 0));
  const value = (s: number): number =>
    game.responses[game.seen[s]!]!.reduce((sum, { params }, a) => {
      const chance = params.reduce((c, p) => (c * exp(logit[p]!)) / total[paramNode[p]!]!, 1);
      const Q = game.branches[game.cellStart[s]! + a]!.reduce(
        (q, { to, reward, chance: likely }) => q + likely * (reward + (to < 0 ? 0 : value(to))),
        0,
      );
      return sum + chance * Q;
    }, 0);
  return game.states.reduce(
    (sum, _, s) => sum + (game.start[s]! > 0 ? game.start[s]! * value(s) : 0),
    0,
  );
}

describe.each(refereeTasks.map((task) => [task.name, task] as const))("%s", (_, task) => {
  const game = numberGame(task);
  const truth = gameTruth(game);

  test("score, turns, visits and advantages are those of all episodes that there can be", () => {
    const paths = everyPath(task);
    const sum = (of: (path: Path) => number) =>
      paths.reduce((total, path) => total + path.chance * of(path), 0);
    const returnFrom = (path: Path, h: number) =>
      path.turns.slice(h).reduce((total, { reward }) => total + reward, 0);
    expect(sum(() => 1)).toBeCloseTo(1, 12);
    expect(truth.score).toBeCloseTo(
      sum((path) => returnFrom(path, 0)),
      12,
    );
    expect(truth.turns).toBeCloseTo(
      sum((path) => path.turns.length),
      12,
    );
    const met = new Map<string, [chance: number, paid: number]>();
    const meet = (key: string, chance: number, G: number) => {
      const [all, paid] = met.get(key) ?? [0, 0];
      met.set(key, [all + chance, paid + chance * G]);
    };
    for (const path of paths)
      path.turns.forEach(({ state, response }, h) => {
        meet(state, path.chance, returnFrom(path, h));
        meet(`${state}: ${response}`, path.chance, returnFrom(path, h));
      });
    const meanOf = (key: string) => met.get(key)![1] / met.get(key)![0];
    game.states.forEach((state, s) => {
      expect(truth.visits[s]).toBeCloseTo(met.get(state)![0], 12);
      expect(truth.value[s]).toBeCloseTo(meanOf(state), 12);
      game.responses[game.seen[s]!]!.forEach(({ text }, a) => {
        const A = meanOf(`${state}: ${text}`) - meanOf(state);
        expect(truth.advantage[game.cellStart[s]! + a]).toBeCloseTo(A, 12);
      });
    });
  });

  test("the gradient is that of finite differences", () => {
    const h = 1e-5;
    game.paramChance.forEach((_chance, p) => {
      const by = game.paramChance.map((_one, q) => (q === p ? h : 0));
      const there = scoreWith(game, by);
      const back = scoreWith(
        game,
        by.map((x) => -x),
      );
      expect(truth.gradient[p]).toBeCloseTo((there - back) / (2 * h), 8);
    });
  });

  test("episodes that are played earn what they should, within four standard errors", () => {
    const { batch } = playGame(game, truth, { seed: 3, episodes: 512, purpose: "scored" });
    const { turnStart, turnReward } = batch;
    const scores = batch.task.map((_name, b) =>
      turnReward.slice(turnStart[b], turnStart[b + 1]).reduce((sum, r) => sum + r, 0),
    );
    // Groups share their first state: at most eight times the variance of a mean.
    const error =
      (std(scores) / Math.sqrt(512)) * (game.start.filter((p) => p > 0).length > 1 ? 2.9 : 1);
    expect(Math.abs(mean(scores) - truth.score)).toBeLessThan(4 * error);
  });
});

test("a task that comes back, lacks an outcome or has chances beside 1 is refused by name", () => {
  const task = {
    name: "odd",
    title: "",
    tests: "",
    start: { a: 1 },
    policy: { a: { x: 1 } },
  };
  const open = (states: RefereeTask["states"]) => () => numberGame({ ...task, states });
  expect(open({ a: { x: [["a", 0]] } })).toThrow('task odd: state "a" comes back');
  expect(open({ a: { x: [["b", 0]] } })).toThrow('state "b" is missing');
  expect(open({ a: { x: [[null, 0, 0.5]] } })).toThrow("sum to 0.5");
  expect(open({ a: {} })).toThrow('no outcome of "x"');
});

const court = (name: string, seeds = 4, episodes = 256) => openCourt(taskOf(name), seeds, episodes);

describe("what is known of rows", () => {
  const plain = { gamma: 1, whiten: "none", aggregation: "seq-mean-token-sum" };

  test("GAE with a perfect critic has no bias where no states look alike, at any lambda; lambda 1 has more variance", () => {
    for (const name of ["fork", "tool", "pit"]) {
      const here = court(name);
      const [long, short] = [1, 0].map((lambda) =>
        scoreRow(here, resolveAlgorithm("turn-ppo", { ...plain, lambda }), "perfect"),
      );
      expect(Math.abs(short!.bias.value)).toBeLessThan(0.1);
      expect(Math.abs(long!.bias.value)).toBeLessThan(0.25);
      for (const score of [long!, short!]) {
        expect(score.limit.value).toBeGreaterThan(0.95);
        expect(score.units).toBe("reward");
      }
      expect(long!.variance.value).toBeGreaterThan(2 * short!.variance.value);
    }
  });

  test("where states look alike, a perfect critic of what it sees is biased at lambda 0, not at 1", () => {
    const here = court("locks");
    const [long, short] = [1, 0].map((lambda) =>
      scoreRow(here, resolveAlgorithm("turn-ppo", { ...plain, lambda }), "perfect"),
    );
    expect(short!.bias.value).toBeGreaterThan(long!.bias.value);
  });

  test("REINFORCE credits V too, which biases no gradient but makes it noisier than with a critic", () => {
    for (const name of ["fork", "alias", "lengths", "search"]) {
      const here = court(name);
      const bare = scoreRow(here, resolveAlgorithm("reinforce"), null);
      const led = scoreRow(here, resolveAlgorithm("turn-ppo", { ...plain, lambda: 1 }), "perfect");
      expect(bare.limit.value).toBeGreaterThan(0.95);
      expect(bare.bias.value).toBeGreaterThan(1 + led.bias.value);
      // Of one response in one state, V is a constant.
      expect(bare.variance.value / led.variance.value).toBeCloseTo(1, 0);
      expect(bare.cosine.value).toBeLessThan(led.cosine.value);
    }
  });

  test("GRPO credits a distractor as the turn that decides: it finds that in one of six episodes", () => {
    const { value, low, high } = scoreRow(
      court("distractors", 2, 128),
      resolveAlgorithm("grpo"),
      null,
    ).finds;
    expect([value, low, high]).toEqual([1 / 6, 1 / 6, 1 / 6].map((x) => expect.closeTo(x, 12)));
    const game = numberGame(taskOf("distractors"));
    const { batch, state } = playGame(game, gameTruth(game), {
      seed: 1,
      episodes: 64,
      purpose: "scored",
    });
    const { turnAdvantage } = computeCredit(resolveAlgorithm("grpo"), batch);
    const size = (decides: boolean) =>
      mean(
        [...turnAdvantage.keys()]
          .filter((k) => (game.states[state[k]!] === "door") === decides)
          .map((k) => Math.abs(turnAdvantage[k]!)),
      );
    expect(size(true)).toBeGreaterThan(0.1);
    expect(size(false)).toBeCloseTo(size(true), 12);
  });

  test("MT-GRPO does not see that work is paid: it credits stopping too much, and RLOO does not", () => {
    const game = numberGame(taskOf("lengths"));
    const truth = gameTruth(game);
    const excess = (name: string, response: string) => {
      const errors: number[] = [];
      for (let seed = 1; seed <= 4; seed++) {
        const { batch, cell, state } = playGame(game, truth, {
          seed,
          episodes: 512,
          purpose: "scored",
        });
        const config = resolveAlgorithm(name, { std: "none" });
        const { turnAdvantage } = computeCredit(config, batch);
        cell.forEach((c, k) => {
          const { text } = game.responses[game.seen[state[k]!]!]![c - game.cellStart[state[k]!]!]!;
          if (text === response && game.states[state[k]!] === "day 1")
            errors.push(turnAdvantage[k]! - truth.advantage[c]!);
        });
      }
      return mean(errors);
    };
    expect(excess("mt-grpo", "stop")).toBeGreaterThan(0.2);
    expect(excess("mt-grpo", "work on it")).toBeLessThan(-0.1);
    expect(Math.abs(excess("rloo", "stop"))).toBeLessThan(0.06);
  });

  test("a learned critic is told what earlier episodes earned, never the scored ones", () => {
    const game = numberGame(taskOf("fork"));
    const truth = gameTruth(game);
    const discount = { inTurn: 1, afterTurn: 1 };
    const [perfect, learned] = (["perfect", "learned"] as const).map((critic) =>
      criticTable(game, truth, critic, { seed: 1, discount }),
    );
    const played = playGame(game, truth, { seed: 1, episodes: 64, purpose: "scored" });
    const { turnValue } = withCritic(played, perfect!);
    played.state.forEach((s, k) => expect(turnValue![k]).toBeCloseTo(truth.value[s]!, 12));
    const [exact, guessed] = [perfect![0]!, learned![0]!];
    expect(guessed).not.toBe(exact);
    expect(Math.abs(guessed - exact)).toBeLessThan(0.25);
    const own = played.batch.turnReward.reduce((sum, r) => sum + r, 0) / 64;
    expect(guessed).not.toBeCloseTo(own, 6);
  });
});

test("every row of the table is scored or says what it needs", () => {
  const here = court("luck", 2, 128);
  for (const name of algorithmNames) {
    const config = resolveAlgorithm(name);
    const score = scoreRow(here, config, config.critic === "none" ? null : "perfect");
    expect(score.cosine.value, name).toBeGreaterThanOrEqual(-1);
    expect(score.sign.value, name).toBeLessThanOrEqual(1);
    // Unbiased, so that a row that hardly varies may come out a little below 0.
    expect(score.variance.value, name).toBeGreaterThanOrEqual(-0.05);
  }
});
