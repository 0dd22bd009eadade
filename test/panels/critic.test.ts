import { describe, expect, it } from "vitest";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { creditMetrics } from "../../src/algorithm/metrics.ts";
import { recordedBatch } from "../../src/algorithm/recordedBatch.ts";
import {
  describeFit,
  describeModel,
  describeTruth,
  explainedText,
  hollowNote,
} from "../../src/figures/critic/describe.ts";
import {
  againstTruth,
  calibrationBins,
  fitByTurn,
  fitOf,
  truthFit,
  type Against,
  type FitPoint,
} from "../../src/figures/critic/fit.ts";
import { formatSigned } from "../../src/numeric/format.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { words } from "../../src/figures/critic/words.ts";
import { scatterAxis } from "../../src/figures/critic/critic.ts";
import { criticModel } from "../../src/figures/critic/model.ts";
import { describeLandscape, describeThen, landscapeOf } from "../../src/panels/critic/landscape.ts";
import { valued, type Pair } from "../../src/figures/critic/pairs.ts";
import { returnsThatCame } from "../../src/reading/returns.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { Fork } from "../../src/store/forkTypes.ts";
import { RunLog, viewOf, type RunView } from "../../src/reading/log/runLog.ts";
import { truthKey } from "../../src/reading/truths.ts";
import { NO_TRUTHS } from "../../src/store/truths.ts";
import { LATEST, resolveChoice, type ResolvedChoice } from "../../src/store/turnChoice.ts";
import { creditEpisodes, creditEvents, creditSpec } from "../fixtures/creditRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

const viewOfEvents = (events = creditEvents()) => {
  const log = new RunLog();
  for (const event of chained(events)) log.append(event);
  return viewOf(log, "recorded");
};
const view = viewOfEvents();
const at = (algorithm: string, iteration = 1) =>
  resolveChoice(view.log, { ...LATEST, algorithm, iteration });
interface Asked {
  against: Against;
  span: number;
}
const modelAt = (
  seen: RunView,
  place: ResolvedChoice,
  truths = NO_TRUTHS,
  { against, span }: Asked = { against: "came", span: 1 },
) => criticModel(runWhole(valued(seen.log, place, span)), seen, place, truths, against);
const modelOf = (algorithm: string, asked: Partial<Asked> = {}, truths = NO_TRUTHS) =>
  modelAt(view, at(algorithm), truths, { against: "came", span: 1, ...asked });

const point = (x: number, y: number, turn = 0): FitPoint => {
  const pair: Pair = {
    ...{ iteration: 1, episode: 0, trajectory: 0, turns: 9, turn, value: x, target: y },
    ...{ came: y, pay: 0, cutOff: false },
  };
  return { pair, x, y };
};

describe("returns that came", () => {
  it("are Turn-PPO's returns where lambda is 1", () => {
    const config = resolveAlgorithm("turn-ppo", { lambda: 1 });
    const episodes = creditEpisodes("turn-ppo");
    const { turnReturn } = computeCredit(config, recordedBatch(config, episodes));
    const critic = modelOf("turn-ppo").critic!;
    const came = episodes.flatMap((episode) => returnsThatCame(episode, critic));
    expect(came).toHaveLength(turnReturn!.length);
    came.forEach((R, k) => expect(R).toBeCloseTo(turnReturn![k]!, 10));
  });

  it("are token-PPO's at each turn's first token where lambda is 1", () => {
    const config = resolveAlgorithm("token-ppo", { lambda: 1, gamma: 0.9 });
    const episodes = creditEpisodes("token-ppo");
    const batch = recordedBatch(config, episodes);
    const { tokenReturn } = computeCredit(config, batch);
    const critic = { ...modelOf("token-ppo").critic!, gamma: 0.9 };
    const came = episodes.flatMap((episode) => returnsThatCame(episode, critic));
    came.forEach((R, k) => expect(R).toBeCloseTo(tokenReturn![batch.tokenStart[k]!]!, 10));
  });
});

describe("explained variance", () => {
  it("is the run's own metric, over all turns and by turn", () => {
    const config = resolveAlgorithm("turn-ppo", { lambda: 1 });
    const batch = recordedBatch(config, creditEpisodes("turn-ppo"));
    const metrics = creditMetrics(config, batch, computeCredit(config, batch));
    const { fit, byTurn } = modelOf("turn-ppo");
    expect(fit.explained).toBeCloseTo(metrics["critic/vf_explained_var"]!, 10);
    byTurn.forEach(({ n, recorded }, h) => {
      const metric = metrics[`critic/turn_vf_explained_var/${h + 1}`];
      if (n > 1) expect(recorded).toBeCloseTo(metric!, 10);
      else expect(metric).toBeUndefined();
    });
    expect(byTurn.length).toBeGreaterThan(2);
  });

  it("is 1 where V is right, 0 where V is constant, NaN of one", () => {
    const right = [1, 2, 3, 4].map((x) => point(x, x));
    expect(fitOf(right).explained).toBeCloseTo(1, 4);
    expect(fitOf([1, 2, 3, 4].map((y) => point(7, y))).explained).toBeCloseTo(0, 4);
    expect(fitOf([point(1, 2)]).explained).toBeNaN();
    expect(fitByTurn([point(1, 1, 2)]).map(({ n }) => n)).toEqual([0, 0, 1]);
  });
});

describe("the summary", () => {
  it("has the run's own number first, and no long number for what is far below 0", () => {
    const model = { ...modelOf("turn-ppo"), metric: 0.116, without: 1 };
    const far = { ...model, fit: { ...model.fit, n: 8, explained: -24.037 } };
    const text = describeModel(far);
    expect(text).toMatch(/^Explained variance of the run over all .*: 11\.6.*%/);
    expect(text).toContain("worse than predicting the mean (few, nearly equal targets).");
    expect(text).not.toMatch(/2,?403|2404/);
    expect(describeModel({ ...far, fit: { ...far.fit, n: 2000 } })).not.toContain("few");
    expect(describeModel({ ...far, metric: -30 })).toContain("of this iteration: below −100 %.");
    expect(explainedText(-1)).toMatch(/100/);
    expect(explainedText(0.5)).toMatch(/50\.0/);
  });
});

describe("what the run's settings say of its critic", () => {
  const model = modelOf("turn-ppo");
  const cut = {
    ...model,
    points: [{ ...point(1, 2), pair: { ...point(1, 2).pair, cutOff: true } }],
  };

  it("is whether anything is missing of an episode that was cut off", () => {
    expect(model.bootstraps).toBe(creditSpec().optimisation.bootstrapOnTruncation);
    const { unknown, ends, missing, guessed } = words.hollow;
    const note = (bootstraps: boolean | null, against: "came" | "target" = "came") =>
      hollowNote({ ...cut, bootstraps, against });
    expect(note(false)).toEqual([ends]);
    expect([note(true), note(true, "target")]).toEqual([[missing], [guessed]]);
    expect(note(null)).toEqual([unknown]);
    expect(hollowNote({ ...cut, points: [point(1, 2)] })).toEqual([]);
  });

  it("is nothing yet where it says 0 everywhere", () => {
    expect(model.untrained).toBe(false);
    const zero = (episode: EpisodeRecord): EpisodeRecord => ({
      ...episode,
      turns: episode.turns.map((turn) => ({ ...turn, value: 0, critics: { "turn-ppo": [0] } })),
    });
    const fresh = viewOfEvents(creditEvents(zero));
    const choice = resolveChoice(fresh.log, { ...LATEST, algorithm: "turn-ppo" });
    const untrained = modelAt(fresh, choice);
    expect(untrained.untrained).toBe(true);
    expect(describeModel(untrained)).toMatch(
      /^The critic predicts 0 for all \d+ turns: it has not/,
    );
  });
});

describe("the axes of a scatter", () => {
  it("reach as far as the intervals", () => {
    const dot = { ...point(1, 2), interval: [-3, 9] as const };
    expect(scatterAxis([dot]).domain).toEqual([-3, 9]);
    const bin = { n: 5, x: 1, y: 2, low: -7, high: 4 };
    expect(scatterAxis([point(1, 2)], [bin]).domain).toEqual([-7, 4]);
    expect(scatterAxis([point(1, 2)], [{ ...bin, n: 1, low: NaN, high: NaN }]).domain).toEqual([
      1, 2,
    ]);
  });
});

describe("calibration", () => {
  it("puts as many turns in each bin, in order of V", () => {
    const points = Array.from({ length: 43 }, (_, i) => point(((i * 17) % 43) / 10, i % 5));
    const bins = calibrationBins(points);
    expect(bins).toHaveLength(8);
    expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(43);
    expect(Math.max(...bins.map(({ n }) => n)) - Math.min(...bins.map(({ n }) => n))).toBe(1);
    bins.slice(1).forEach(({ x }, i) => expect(x).toBeGreaterThan(bins[i]!.x));
    bins.forEach(({ y, low, high }) => expect(low <= y && y <= high).toBe(true));
  });

  it("needs ten turns", () => {
    expect(calibrationBins(Array.from({ length: 9 }, (_, i) => point(i, i)))).toEqual([]);
    expect(calibrationBins(Array.from({ length: 10 }, (_, i) => point(i, i)))).toHaveLength(2);
  });
});

describe("the model", () => {
  it("takes iterations together up to the cursor's", () => {
    const one = modelOf("turn-ppo");
    const asked = { against: "came", span: 5 } as const;
    const fresh = viewOfEvents();
    const last = resolveChoice(fresh.log, { ...LATEST, algorithm: "turn-ppo" });
    // One iteration after another, with time for the page between two.
    expect([...valued(fresh.log, last, 5)]).toHaveLength(2);
    const both = modelAt(fresh, last, NO_TRUTHS, asked);
    expect(both.iterations).toEqual([1, 2]);
    expect(both.points.length).toBeGreaterThan(one.points.length);
    const turns = creditEpisodes("turn-ppo").flatMap((episode) => episode.turns);
    expect(one.points).toHaveLength(turns.length);
  });

  it("judges another critic where a method has none, without its targets", () => {
    const model = modelOf("grpo", { against: "target" });
    expect(model.critic).toMatchObject({ name: "turn-ppo", own: false });
    expect(model).toMatchObject({ against: "came", hasTargets: false, metric: null });
    expect(describeFit(model)).toMatch(/^\d+ turns of 8 episodes: mean value/);
  });

  it("leaves out what is not a number, and says so", () => {
    const broken = creditEvents((episode) => ({
      ...episode,
      turns: episode.turns.map((turn, h) =>
        h === 0 ? { ...turn, value: null, critics: { "turn-ppo": [null as never] } } : turn,
      ) as EpisodeRecord["turns"],
    }));
    const damaged = viewOfEvents(broken);
    const model = modelAt(damaged, resolveChoice(damaged.log, LATEST));
    expect(model.without).toBe(8);
    expect(model.points.every(({ x, y }) => Number.isFinite(x + y))).toBe(true);
  });

  it("compares V with the truth where it is known", () => {
    const { turns, trajectory } = creditEpisodes("turn-ppo")[0]!;
    const truth = turns.map((turn) => ({
      value: turn.value! + 0.5,
      valueInterval: [turn.value! - 0.1, turn.value! + 1] as const,
      ...{ advantage: 0, advantageInterval: [0, 0] as const },
    }));
    const model = modelOf(
      "turn-ppo",
      {},
      { [truthKey("turn-ppo", 1, trajectory)]: { turns: truth } },
    );
    const fit = truthFit(model.truth);
    expect(fit).toMatchObject({ n: turns.length, inside: 1 });
    expect(fit.error).toBeCloseTo(0.5, 10);
    expect(describeTruth(model)).toContain("100.0");
    expect(describeTruth(model)).not.toContain("not compared");
    // Turns with unknown reward are counted, not skipped.
    const pairs = model.pairs.map((pair, i) => (i === 0 ? { ...pair, pay: null } : pair));
    const truths = { [truthKey("turn-ppo", 1, trajectory)]: { turns: truth } };
    const { points, unpaid } = againstTruth({ ...model, pairs }, "turn-ppo", truths);
    expect([points.length, unpaid]).toEqual([turns.length - 1, 1]);
    expect(describeTruth({ ...model, truth: points, unpaidTurns: unpaid })).toContain(
      "1 more turn is not compared",
    );
    // Found under another discount, it is another thing.
    const found = { trained: 0, branches: 8, gamma: 0.99, steps: "turn" } as const;
    const under = (changes: object) => ({
      [truthKey("turn-ppo", 1, trajectory)]: { turns: truth, found: { ...found, ...changes } },
    });
    expect(modelOf("turn-ppo", {}, under({})).truth).toHaveLength(turns.length);
    for (const changes of [{ gamma: 1 }, { steps: "token" }]) {
      const other = modelOf("turn-ppo", {}, under(changes));
      expect(other.truth).toEqual([]);
      expect(describeTruth(other)).toMatch(/^Not comparable: .* this critic .*0\.99 per turn/);
    }
    const wrong = { [truthKey("turn-ppo", 1, trajectory)]: { turns: truth.slice(1) } };
    expect(modelOf("turn-ppo", {}, wrong).truth).toEqual([]);
  });
});

describe("the landscape", () => {
  const observation = "####\n#_P#\n#XS#\n####".replace("S", "O");
  const answer = {
    ...{ kind: "values" as const, trained: 3, rows: 4, cols: 4, player: 6 },
    squares: [5, 6, 10],
    values: { "turn-ppo": [1, 2, null], "token-ppo": [0, 0, 5] },
  };

  it("is coloured by the difference from the player's place", () => {
    const landscape = landscapeOf(answer, observation, "turn-ppo")!;
    const at = (row: number, column: number) =>
      landscape.squares.find((square) => square.row === row && square.column === column)!;
    expect(landscape.squares).toHaveLength(16);
    expect(at(1, 1)).toMatchObject({ value: 1, difference: -1, tone: { sign: "negative" } });
    expect(at(1, 2)).toMatchObject({ value: 2, difference: 0, here: true, cell: "floor" });
    expect(at(2, 2)).toMatchObject({ value: null, cell: "target" });
    expect(at(2, 1)).toMatchObject({ value: null, cell: "box" });
    expect(describeLandscape(landscape)).toBe(
      "At the player's square, row 2, column 3, V is +2.000. Highest: +2.000 at row 2, column 3. Lowest: +1.000 at row 2, column 2.",
    );
  });

  it("says why the run had another V of the same turn", () => {
    const { critic } = modelOf("turn-ppo");
    const choice = at("turn-ppo");
    const then = choice.episodes[0]!.turns[0]!.value!;
    const now = (V: number, name = "turn-ppo", fork: Fork | null = null) => {
      const found = landscapeOf({ ...answer, values: { [name]: [1, V, null] } }, observation, name);
      return describeThen(found!, { ...choice, fork }, critic!);
    };
    expect(now(then + 1)).toContain(`in iteration 1, V was ${formatSigned(then)} at`);
    expect(now(then)).toBe("");
    expect(now(then + 1, "token-ppo")).toBe("");
    // What a fork led to was played and valued later.
    expect(now(then + 1, "turn-ppo", {} as Fork)).toBe("");
  });

  it("takes another critic where the preferred one did not answer, and none where none did", () => {
    expect(landscapeOf(answer, observation, "gspo")!.critic).toBe("turn-ppo");
    expect(landscapeOf({ ...answer, values: {} }, observation, "turn-ppo")).toBeNull();
    expect(landscapeOf(answer, "a shop's page", "turn-ppo")).toBeNull();
    const nothing = { ...answer, values: { "turn-ppo": [null, null, null] } };
    expect(describeLandscape(landscapeOf(nothing, observation, "turn-ppo")!)).toContain(
      "No critic",
    );
  });
});
