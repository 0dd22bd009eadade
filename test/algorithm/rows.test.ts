/** What every row of the table keeps. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  advantagesAreRewards,
  computeCredit,
  computeObjective,
  creditUnderScale,
  inRewardUnits,
  scaleRewards,
  selectTrajectories,
  type Credit,
} from "../../src/algorithm/registry.ts";
import { composeOffsets, gatherSegments, segmentSum } from "../../src/numeric/segments.ts";
import { klPenalty } from "../../src/method/objective/kl.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import {
  algorithmNames,
  resolveAlgorithm,
  type AlgorithmConfig,
} from "../../src/spec/algorithms.ts";
import { traceUnit, type TraceName } from "../../src/method/credit/trace.ts";
import { baselineFacts } from "../../src/method/baselines.ts";
import { estimatorFacts, estimators } from "../../src/method/estimators.ts";
import { usedSettings } from "../../src/spec/algorithmDocs/settingUse.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { turnBatch } from "../method/credit/turnBatch.ts";
import { expectClose } from "../golden/load.ts";
import { EVERY } from "../every.ts";
import { randomBatch } from "./batches.ts";

const credit = (name: string, batch: TrajectoryBatch, set: Record<string, unknown> = {}) =>
  computeCredit(resolveAlgorithm(name, set), batch);

/** Every number of a credit, but for tokens that have no target. */
function numbers({ turnReturn, tokenReturn, delta, epsScale, ...adv }: Credit): number[] {
  const targets = tokenReturn?.filter((R) => !Number.isNaN(R)) ?? [];
  return [
    turnReturn ?? [],
    targets,
    delta ?? [],
    epsScale ?? [],
    adv.turnAdvantage,
    adv.tokenAdvantage,
  ].flatMap((x) => [...x]);
}

it("every estimator is in some row, and nothing else is", () => {
  const inRows = new Set(algorithmNames.map((name) => resolveAlgorithm(name).estimator));
  expect([...inRows].toSorted()).toEqual(Object.keys(estimators).toSorted());
});

it("the facts of a row's tables are what it computes with", () => {
  for (const name of algorithmNames) {
    const config = resolveAlgorithm(name, { betaKlReward: 0, filter: "none" });
    const { columns, scalesClip, steps } = estimatorFacts(config.estimator);
    const own = computeCredit(config, randomBatch(1));
    expect(own.epsScale !== null, name).toBe(scalesClip);
    expect(own.delta !== null, name).toBe(steps !== null);
    expect(config.critic === "none", name).toBe(steps === null);
    for (const column of [...columns, ...baselineFacts(config.baseline).columns]) {
      const { [column]: _, ...without } = randomBatch(1);
      expect(() => computeCredit(config, without as TrajectoryBatch), name).toThrow(InputError);
    }
    // The trace has a number for each unit that its names are counted by.
    const { task, turnStart, tokenStart } = randomBatch(1);
    const units = { token: tokenStart.at(-1), turn: turnStart.at(-1), trajectory: task.length };
    for (const [key, x] of Object.entries(own.trace))
      expect(x.length, `${name} ${key}`).toBe(units[traceUnit(key as TraceName)]);
  }
});

/** Random batches of every shape; rewards small integers now and then, so that ties happen. */
const arbitraryBatch = fc
  .record({
    seed: fc.integer({ min: 0, max: 1e6 }),
    trajectories: fc.integer({ min: 1, max: 6 }),
    turns: fc.integer({ min: 1, max: 4 }),
    tokens: fc.integer({ min: 1, max: 4 }),
    tied: fc.boolean(),
  })
  .map(({ seed, tied, ...shape }) => {
    const batch = randomBatch(seed, shape);
    if (tied) batch.turnReward = batch.turnReward.map((r) => Math.round(r));
    if (tied) batch.turnGain = batch.turnGain!.map((g) => Math.round(g));
    return batch;
  });

it("advantages are counted in rewards exactly where twice the rewards double them", () => {
  for (const name of algorithmNames) {
    for (const set of [{}, { whiten: "none" }, { whiten: "none", std: "none" }]) {
      const config = resolveAlgorithm(name, { ...set, filter: "none", betaKlReward: 0 });
      const doubles = [1, 2, 3, 4, 5, 6].every((seed) =>
        doublesWithRewards(config, randomBatch(seed)),
      );
      expect(advantagesAreRewards(config), `${name} ${JSON.stringify(set)}`).toBe(doubles);
    }
  }
});

/** Without the tokens that have no target. */
const targets = (x: Float64Array | null) => [...(x ?? [])].filter((R) => !Number.isNaN(R));

it("credit under a scale is what training on scaled rewards tells", () => {
  const scale = 0.1;
  for (const name of algorithmNames)
    for (const betaKlReward of [0, 0.2]) {
      const config = resolveAlgorithm(name, { betaKlReward });
      const batch = randomBatch(3);
      const scaled = scaleRewards(batch, scale);
      const trained = computeCredit({ ...config, betaKlReward: betaKlReward * scale }, scaled);
      const told = inRewardUnits(config, scaled, trained, scale).credit;
      const made = creditUnderScale(config, batch, scale);
      for (const key of ["turnAdvantage", "tokenAdvantage", "turnReturn", "tokenReturn"] as const)
        expectClose(targets(made[key]), targets(told[key]), 1e-12);
      // With a normalisation of advantages as they are told.
      if (config.whiten === "none") continue;
      const plain = creditUnderScale({ ...config, whiten: "none" }, batch, scale);
      const given = creditUnderScale(config, batch, scale, { mean: 0.5, divisor: 4 });
      const expected = plain.turnAdvantage.map((A) => (A - 0.5) / 4);
      if (!given.kept) expectClose([...given.turnAdvantage], [...expected], 1e-12);
    }
});

it("a batch in reward units is the batch that was scaled, bootstrap values and all", () => {
  const batch = { ...randomBatch(4), bootstrapValue: Float64Array.of(1, -2, 3, 4) };
  const scaled = scaleRewards(batch, 0.1);
  expect(scaled.bootstrapValue[2]).toBeCloseTo(0.3, 12);
  const config = resolveAlgorithm("turn-ppo");
  const told = inRewardUnits(config, scaled, computeCredit(config, scaled), 0.1).batch;
  for (const [name, column] of Object.entries(batch)) {
    const mine = told[name as keyof TrajectoryBatch];
    if (column instanceof Float64Array)
      expectClose([...(mine as Float64Array)], [...column], 1e-12);
    else expect(mine).toEqual(column);
  }
});

it.each(["grpo", "dr-grpo", "gspo"])(
  "%s leaves a rollout without siblings its reward, in the environment's units under any scale",
  (name) => {
    const batch = randomBatch(3);
    const alone = { ...batch, task: batch.task.map((_, b) => `own${b}`) };
    const config = resolveAlgorithm(name);
    const once = creditUnderScale(config, alone, 1).turnAdvantage;
    expect(Math.max(...once.map(Math.abs))).toBeGreaterThan(0.5);
    for (const scale of [0.1, 4])
      expectClose([...creditUnderScale(config, alone, scale).turnAdvantage], [...once], 1e-9);
  },
);

function doublesWithRewards(config: AlgorithmConfig, batch: TrajectoryBatch): boolean {
  const twice = { ...batch };
  for (const key of ["turnReward", "bootstrapValue", "tokenReward"] as const)
    if (batch[key]) twice[key] = batch[key].map((v) => 2 * v);
  for (const key of ["turnValue", "tokenValue", "greedyScore"] as const)
    if (batch[key]) twice[key] = batch[key].map((v) => 2 * v);
  const [once, again] = [batch, twice].map((b) => computeCredit(config, b).turnAdvantage);
  return once!.every((A, k) => Math.abs(again![k]! - 2 * A) < 1e-9 * (1 + Math.abs(A)));
}

/** Settings that advantages and returns can depend on, but for filters. */
const CREDIT_SETTINGS = [
  "gamma",
  "lambda",
  "lambdaCritic",
  "lengthAlpha",
  "gammaTurn",
  "alpha",
  "omega",
  "epsSpread",
  "betaKlReward",
  "whiten",
  "std",
  "valueAt",
  "turnEnds",
  "groupCount",
  "historyLength",
  "historyWeights",
] as const;

/** Whether some other value of the setting makes another credit of a random batch. */
function hasEffect(name: string, setting: (typeof CREDIT_SETTINGS)[number], seed: number): boolean {
  const batch = randomBatch(seed, { trajectories: 6, turns: 6 });
  batch.turnReward = batch.turnReward.map((r) => Math.round(r));
  const others =
    setting === "historyLength"
      ? [0, 3]
      : setting in wordAxes
        ? Object.keys(wordAxes[setting as "std"].values)
        : [0.3, 0.7];
  const base = { whiten: "none", filter: "none" };
  const own = numbers(credit(name, batch, base));
  return others.some((value) => {
    const changed = numbers(credit(name, batch, { ...base, [setting]: value }));
    return changed.length !== own.length || changed.some((x, i) => x !== own[i]);
  });
}

/**
 * The sum that whitened numbers may have: what rounding leaves, and verl's count of tokens, which is 1e-8 too large and so
 * moves their mean. Both grow where nearly equal numbers are drawn apart.
 */
function sumAllowed(whitened: Float64Array, raw: Float64Array, tokens: boolean): number {
  const spread = (x: Float64Array) => Math.max(...x) - Math.min(...x);
  const stretch = spread(raw) > 0 ? spread(whitened) / spread(raw) : 0;
  const largest = Math.max(...raw.map(Math.abs));
  return (raw.length * 1e-15 + (tokens ? 1.01e-8 : 0)) * largest * stretch;
}

describe.each(algorithmNames)("%s", (name) => {
  it("gives finite numbers on random batches", () => {
    fc.assert(
      fc.property(arbitraryBatch, (batch) => {
        const config = resolveAlgorithm(name);
        const own = computeCredit(config, batch);
        expect(numbers(own).filter((x) => !Number.isFinite(x))).toEqual([]);
        const { loss, dLogprob, valueLoss, dValue } = computeObjective(config, batch, own);
        const all = [loss, valueLoss ?? 0, ...dLogprob, ...(dValue ?? [])];
        expect(all.filter((x) => !Number.isFinite(x))).toEqual([]);
      }),
      { numRuns: EVERY ? 1000 : 15 },
    );
  });

  it("does not let one task touch another, but for statistics of the batch", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const batch = randomBatch(seed, { trajectories: 4 }); // tasks t0 t0 t1 t1
        const set = { whiten: "none", filter: "none" };
        const other = { ...batch, turnReward: batch.turnReward.slice() };
        other.turnReward.fill(100, batch.turnStart[2]);
        const until = batch.tokenStart[batch.turnStart[2]!]!;
        expect(credit(name, other, set).tokenAdvantage.subarray(0, until)).toEqual(
          credit(name, batch, set).tokenAdvantage.subarray(0, until),
        );
      }),
      { numRuns: 10 },
    );
  });

  it("(p9) whitened advantages sum to 0 over what they are whitened over, filtered or not", () => {
    fc.assert(
      fc.property(
        arbitraryBatch,
        fc.constantFrom("none", "mixed", "reward-std"),
        fc.constantFrom("tokens", "turns", "turns-population", "turns-sample"),
        (batch, filter, whiten) => {
          const tokens = whiten === "tokens";
          const own = credit(name, batch, { filter, whiten });
          const plain = credit(name, batch, { filter, whiten: "none" });
          const start = tokens
            ? composeOffsets(batch.turnStart, batch.tokenStart)
            : batch.turnStart;
          const rows = Array.from(batch.task.keys()).filter((b) => own.kept?.[b] !== 0);
          const [x, raw] = [own, plain].map(({ tokenAdvantage, turnAdvantage }) =>
            gatherSegments(tokens ? tokenAdvantage : turnAdvantage, start, rows),
          ) as [Float64Array, Float64Array];
          const sum = x.reduce((a, b) => a + b, 0);
          const allowed = rows.length > 0 ? sumAllowed(x, raw, tokens) : 0;
          expect(Math.abs(sum)).toBeLessThan(1e-9 + allowed);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("gives 0 to the trajectories that a filter drops, and keeps the others' statistics", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const batch = randomBatch(seed, { trajectories: 6 });
        const start = composeOffsets(batch.turnStart, batch.tokenStart);
        const set = { sampler: "none", filterKeep: 0.5 };
        const own = credit(name, batch, { ...set, filter: "reward-std" });
        const { kept, tokenAdvantage, turnAdvantage } = own;
        expect(kept!.reduce((a, b) => a + b, 0)).toBe(2);
        const dropped = Array.from(kept!.keys()).filter((b) => !kept![b]);
        expect(gatherSegments(tokenAdvantage, start, dropped).every((A) => A === 0)).toBe(true);
        expect(gatherSegments(turnAdvantage, batch.turnStart, dropped).every((A) => A === 0)).toBe(
          true,
        );
        // As if the others were the batch.
        const rows = Array.from(kept!.keys()).filter((b) => kept![b]);
        const task = onlyTask(batch, batch.task[rows[0]!]!);
        const alone = credit(name, task, { ...set, filter: "none" });
        expectClose(gatherSegments(tokenAdvantage, start, rows), alone.tokenAdvantage, 1e-9);
      }),
      { numRuns: 10 },
    );
  });

  it("has an effect of every setting that its page names, and of no other", () => {
    const used = usedSettings(resolveAlgorithm(name, { filter: "none" }));
    for (const setting of CREDIT_SETTINGS) {
      const changes = [1, 2, 3].some((seed) => hasEffect(name, setting, seed));
      expect(changes, setting).toBe(used.includes(setting));
    }
  });

  it("names what is missing", () => {
    const bare = { task: "t", turns: [0, 1].map((reward) => ({ reward, tokens: [{}] })) };
    const batch = decodeBatch({ trajectories: [bare, bare] });
    const place = "trajectories[0].turns[0]";
    const missing: Record<string, string> = {
      "turn-critic": `${place}.value`,
      "token-critic": `${place}.tokens[0].value`,
      greedy: "trajectories[0].greedyScore",
      "group-and-anchor": `${place}.anchor`,
      "shared-history": `${place}.anchor`,
      "anchor-mean": `${place}.anchor`,
      "turn-group": `${place}.gain`,
      "edge-mean": `${place}.anchor`,
      "pass-at-k": "trajectories[0].success",
      "energy-weighted-mean": `${place}.tokens[0].oldLogprob`,
    };
    const config = resolveAlgorithm(name, { betaKlReward: 0 });
    const atTokens = config.baseline === "turn-critic" && config.critic === "token";
    const ofCredit =
      name === "mt-grpo"
        ? undefined
        : (missing[atTokens ? "token-critic" : config.baseline] ?? missing[config.estimator]);
    const ofSampler = config.sampler === "none" ? undefined : `${place}.tokens[0].rolloutLogprob`;
    const ofParts = config.reward === "parts" ? `${place}.format` : undefined;
    const ofFilter = config.filter === "accuracy" ? "trajectories[0].success" : undefined;
    const path = ofCredit ?? ofParts ?? ofSampler ?? ofFilter;
    if (path === undefined) {
      expect(numbers(computeCredit(config, batch)).every(Number.isFinite)).toBe(true);
      return;
    }
    const run = () => computeCredit(config, batch);
    expect(run).toThrow(InputError);
    expect(run).toThrow(`${path} is missing; ${name} needs it`);
  });

  it("needs nothing where every advantage is given, but gains for a clip range", () => {
    const trajectory = { turns: [{ advantage: 2, tokens: [{}] }, { tokens: [{ advantage: -1 }] }] };
    const batch = decodeBatch({ trajectories: [trajectory] });
    const betaKlReward = name === "a2tgpo" ? 0 : 0.1;
    const set = { whiten: "none", filter: "none", sampler: "none", betaKlReward };
    const run = () => credit(name, batch, set);
    if (name === "a2tgpo") expect(run).toThrow("turns[0].gain is missing");
    else expect([...run().turnAdvantage]).toEqual([2, -1]);
  });

  it("needs the reference where KL is in the reward, and pays for it", () => {
    const { estimator } = resolveAlgorithm(name);
    // Large enough for two turns of a task to start from the same state.
    const batch = randomBatch(3, { turns: 6 });
    const { refLogprob, ...without } = batch;
    const run = () => credit(name, without, { betaKlReward: 0.1 });
    expect(run).toThrow("refLogprob is missing; betaKlReward 0.1 needs it");
    const far = { ...batch, refLogprob: refLogprob!.map((x, t) => x - (t % 3)) };
    const [near, paid] = [0, 0.1].map((betaKlReward) => credit(name, far, { betaKlReward }));
    const ignores = estimatorFacts(estimator).ignoresRewards === true;
    if (ignores) expect(near!.tokenAdvantage).toEqual(paid!.tokenAdvantage);
    else expect(near!.tokenAdvantage).not.toEqual(paid!.tokenAdvantage);
  });
});

/** A trajectory of the given turns, each token its own reward and value, with other numbers before each turn. */
function spaced(turns: number[][], gaps: number[][]): TrajectoryBatch {
  const row: number[] = [];
  const spans = turns.map((turn, k): [number, number] => {
    row.push(...gaps[k]!, ...turn);
    return [row.length - turn.length, row.length];
  });
  row.push(...gaps.at(-1)!);
  const columns = {
    reward: [row],
    value: [row],
    oldLogprob: [row],
    refLogprob: [row.map((x) => -x)],
    sumPiSquared: [row.map((x) => x * x)],
    rolloutLogprob: [row],
  };
  const turn = (_: number, k: number) => ({
    value: k,
    anchor: "s",
    action: "a",
    gain: k,
    format: -k,
  });
  return turnBatch([spans], columns, {
    turn,
    trajectory: () => ({ task: "t", greedyScore: 1, success: true }),
  });
}

/** The trajectories of one task. */
function onlyTask(batch: TrajectoryBatch, task: string): TrajectoryBatch {
  const rows = batch.task.flatMap((name, b) => (name === task ? [b] : []));
  const none = computeCredit(resolveAlgorithm("reinforce"), batch);
  return selectTrajectories(batch, none, rows).batch;
}

describe("properties of several rows", () => {
  const numberPairs = fc.array(
    fc.integer({ min: -64, max: 64 }).map((x) => x / 64),
    { minLength: 2, maxLength: 8 },
  );

  it("(p1, p6) tokens between turns and after them change nothing", () => {
    const cell = fc.integer({ min: -64, max: 64 }).map((x) => x / 64);
    // For each token how many others precede it, with which numbers.
    const gap = fc.array(cell, { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        fc.array(gap, { minLength: 5, maxLength: 5 }),
        fc.array(gap, { minLength: 5, maxLength: 5 }),
        (turns, between, otherBetween) => {
          const [one, other] = [between, otherBetween].map((gaps) => spaced(turns, gaps));
          for (const name of algorithmNames)
            expect(credit(name, one!), name).toEqual(credit(name, other!));
        },
      ),
      { numRuns: 15 },
    );
  });

  it("(p2) one token a turn: turn GAE wherever V is read, token GAE, its turn mean agree", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.constantFrom(0.5, 0.9, 1), (seed, gamma) => {
        const batch = randomBatch(seed, { tokens: 1, exact: true });
        const same = { ...batch, tokenValue: batch.turnValue! };
        const set = { gamma, lambda: 0.8, whiten: "none", filter: "none", betaKlReward: 0 };
        const expected = credit("token-ppo", same, set).tokenAdvantage;
        for (const name of ["starpo", "starpo-s", "s-ppo", "turn-ppo-st", "st-ppo", "turn-ppo-gem"])
          expect(credit(name, same, set).tokenAdvantage, name).toEqual(expected);
        for (const valueAt of Object.keys(wordAxes.valueAt.values))
          for (const name of ["turn-ppo", "turn-ppo-vagen"])
            expect(credit(name, same, { ...set, valueAt }).tokenAdvantage, name).toEqual(expected);
        // A turn's return leads to its token: nothing is left for the low level to discount.
        const two = credit("bi-level-gae", same, { ...set, gammaTurn: gamma }).tokenAdvantage;
        expectClose(two, expected, 1e-12);
      }),
      { numRuns: 25 },
    );
  });

  it("(p5) gamma = lambda = 1, V = 0, all ended: every estimator of returns gives what remains", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const batch = randomBatch(seed);
        batch.terminated.fill(true);
        batch.turnValue!.fill(0);
        batch.tokenValue!.fill(0);
        batch.greedyScore!.fill(0);
        const remaining = batch.turnReward.map((_, k) => {
          const end = batch.turnStart.find((next) => next > k)!;
          return batch.turnReward.subarray(k, end).reduceRight((sum, r) => r + sum, 0);
        });
        const set = {
          gamma: 1,
          lambda: 1,
          lengthAlpha: null,
          gammaTurn: 1,
          whiten: "none",
          filter: "none",
          betaKlReward: 0,
        };
        const returning = algorithmNames.filter((name) => {
          const { estimator, grouped } = resolveAlgorithm(name, { filter: "none" });
          return /return|gae/.test(estimator) && !grouped;
        });
        expect(returning.length).toBeGreaterThan(10);
        for (const name of returning)
          expectClose(credit(name, batch, set).turnAdvantage, remaining, 1e-12);
      }),
      { numRuns: 25 },
    );
  });

  it("(p7) RLOO is G / (G - 1) times Dr.GRPO", () => {
    fc.assert(
      fc.property(numberPairs, (scores) => {
        const turns = (reward: number) => [{ reward, tokens: [{}] }];
        const batch = decodeBatch({
          trajectories: scores.map((r) => ({ task: "t", turns: turns(r) })),
        });
        const factor = scores.length / (scores.length - 1);
        const centred = credit("dr-grpo", batch).turnAdvantage;
        expectClose(
          credit("rloo", batch).turnAdvantage,
          centred.map((A) => factor * A),
          1e-12,
        );
      }),
    );
  });

  it("(p8) k3 is never negative", () => {
    fc.assert(
      fc.property(numberPairs, numberPairs, (x, y) => {
        const n = Math.min(x.length, y.length);
        const [a, b] = [x, y].map((z) => Float64Array.from(z.slice(0, n)));
        expect(klPenalty("k3", a!, b!).kl.every((k) => k >= 0)).toBe(true);
      }),
    );
  });

  it("the value loss of a value per turn is a mean over turns, or over trajectories' turns", () => {
    const batch = randomBatch(2);
    const K = batch.turnReward.length;
    const counts = batch.task.map((_, b) => batch.turnStart[b + 1]! - batch.turnStart[b]!);
    const perTrajectory = counts.flatMap((n) => Array<number>(n).fill(1 / (counts.length * n)));
    for (const name of ["turn-ppo-gem", "turn-ppo-vagen", "turn-ppo"]) {
      const config = resolveAlgorithm(name, { valueAt: "state-end" });
      const own = computeCredit(config, batch);
      const weight = name === "turn-ppo" ? perTrajectory : Array<number>(K).fill(1 / K);
      const errors = own.turnReturn!.map((R, k) => batch.turnNewValue![k]! - R);
      const { valueLoss, dValue } = computeObjective(config, batch, own);
      expectClose(
        dValue!,
        errors.map((e, k) => weight[k]! * e),
        1e-12,
      );
      const expected = errors.reduce((sum, e, k) => sum + 0.5 * weight[k]! * e * e, 0);
      expect(valueLoss).toBeCloseTo(expected, 12);
    }
  });

  /** Turns in equal states may be at different distances from the end. */
  const comparesStates = (estimator: keyof typeof estimators) =>
    estimatorFacts(estimator).columns.includes("anchor");

  it("scores of equal groups give 0 to every row that compares groups, and no noise", () => {
    const turns = [0.1, 0.2].map((reward) => ({
      reward,
      anchor: "s",
      gain: 0.3,
      format: -0.1,
      tokens: [
        { oldLogprob: -1, rolloutLogprob: -1, sumPiSquared: 0.5 },
        { oldLogprob: -0.3, rolloutLogprob: -0.3, sumPiSquared: 0.6 },
      ],
    }));
    const batch = decodeBatch({
      trajectories: [1, 2, 3].map(() => ({ task: "t", success: true, turns })),
    });
    for (const name of algorithmNames) {
      const { grouped, critic, estimator } = resolveAlgorithm(name);
      if (!grouped || critic !== "none" || comparesStates(estimator)) continue;
      const { turnAdvantage } = credit(name, batch);
      // verl has 1e-8 beside OTB's divisor.
      const limit = name === "otb" ? 1e-8 : 1e-12;
      expect(Math.max(...turnAdvantage.map(Math.abs)), name).toBeLessThan(limit);
    }
  });

  it("a trajectory's score is the sum of its tokens' rewards, KL and all", () => {
    const batch = randomBatch(1);
    const start = composeOffsets(batch.turnStart, batch.tokenStart);
    const set = { betaKlReward: 0.5, gamma: 1, whiten: "none" };
    const returns = credit("reinforce-pp", batch, set).tokenAdvantage;
    const k1 = segmentSum(
      batch.oldLogprob!.map((x, t) => x - batch.refLogprob![t]!),
      start,
    );
    const score = segmentSum(batch.turnReward, batch.turnStart);
    expectClose(
      [...score].map((_, b) => returns[start[b]!]!),
      score.map((r, b) => r - 0.5 * k1[b]!),
      1e-12,
    );
  });
});
