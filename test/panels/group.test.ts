import { describe, expect, it } from "vitest";
import { around } from "../../src/numeric/lists.ts";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { recordedBatch } from "../../src/algorithm/recordedBatch.ts";
import {
  firstDifference,
  flatness,
  groupsOf,
  isComparable,
  outcomeOf,
  partingTurn,
} from "../../src/reading/groups.ts";
import { groupView } from "../../src/figures/group/group.ts";
import { words } from "../../src/figures/group/words.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { creditEpisodes, creditEvents, GROUP } from "../fixtures/creditRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

const episodes = creditEpisodes("grpo");

describe("groups", () => {
  it("have the mean and std that GRPO's advantages come from", () => {
    const config = resolveAlgorithm("grpo");
    const batch = recordedBatch(config, episodes);
    const { turnAdvantage } = computeCredit(config, batch);
    const groups = groupsOf(episodes, "sample");
    expect(groups.map(({ rollouts }) => rollouts.length)).toEqual([GROUP, GROUP]);
    expect(groups[1]!.std).toBeGreaterThan(0);
    for (const { rollouts, std } of groups)
      for (const { episode, gap } of rollouts)
        expect(gap / (std + 1e-6)).toBeCloseTo(turnAdvantage[batch.turnStart[episode]!]!, 9);
  });

  it("know the std of a population, and none of a single rollout", () => {
    const of = (rewards: number[], std: "sample" | "population") =>
      groupsOf(
        rewards.map((reward) => ({ ...episodes[0]!, reward })),
        std,
      )[0]!;
    expect(of([0, 2], "sample").std).toBeCloseTo(Math.SQRT2, 12);
    expect(of([0, 2], "population").std).toBe(1);
    expect(of([3], "sample").std).toBeNaN();
    // 0.1 three times sums to a little more than 0.3.
    expect(of([0.1, 0.1, 0.1], "sample")).toMatchObject({ mean: 0.1, std: 0, flat: true });
  });

  it("distinguish rollouts that failed from those with unknown outcome", () => {
    const of = (outcomes: (boolean | null)[]) =>
      groupsOf(
        outcomes.map((success) => ({ ...episodes[0]!, success })),
        "sample",
      )[0]!;
    const said = (outcomes: (boolean | null)[]) => {
      const { rollouts, solved, unknown } = of(outcomes);
      const n = rollouts.length;
      return [words.outcomes(n, solved, unknown), words.share(n, solved, unknown)];
    };
    expect(said([true, false, false])).toEqual(["1 solved", "1/3"]);
    expect(said([true, null, false])).toEqual(["1 solved, 1 unknown", "1–2/3"]);
    expect(said([null, null])).toEqual(["solved count unknown", "?/2"]);
    expect(of([true, false, null]).rollouts.map(({ record }) => outcomeOf(record))).toEqual([
      "solved",
      "failed",
      "unknown",
    ]);
  });

  it("can be compared where they have several rollouts of known reward", () => {
    const [first] = groupsOf(episodes, "sample");
    const single = groupsOf(episodes.slice(0, 1), "sample")[0]!;
    const unknown = episodes.map((one) => ({ ...one, reward: NaN }));
    const found = [first!, single, groupsOf(unknown, "sample")[0]!].map(isComparable);
    expect(found).toEqual([true, false, false]);
    expect(words.summary(3, 0, 0)).toBe("3 tasks recorded.");
    expect(words.summary(3, 3, 0)).toMatch(/every task has some spread/);
    expect(words.summary(3, 2, 0)).toMatch(/; 2 can be compared, each with some spread/);
    expect(words.summary(3, 2, 1)).toMatch(/; 1 without spread/);
  });

  it("tell where rollouts part", () => {
    const [flat, other] = groupsOf(episodes, "sample");
    expect(partingTurn(flat!)).toBe(1);
    expect(partingTurn({ ...flat!, rollouts: flat!.rollouts.slice(0, 3) })).toBeNull();
    expect(partingTurn(other!)).toBe(0);
    const [a, b] = [episodes[0]!, { ...episodes[0]!, turns: episodes[0]!.turns.slice(0, 1) }];
    expect(firstDifference(a, b)).toBe(1);
    expect(firstDifference(b, a)).toBe(1);
    expect(firstDifference(a, a)).toBeNull();
  });
});

describe("a group without spread", () => {
  const [flat, other] = groupsOf(episodes, "sample");
  const trained = (advantage: number) => ({
    ...flat!,
    rollouts: flat!.rollouts.map((rollout) => ({
      ...rollout,
      record: withAdvantage(rollout.record, advantage),
    })),
  });

  it("teaches nothing when that was trained with", () => {
    expect(flatness(flat!, GROUP)).toBe("flat");
    expect(flatness(flat!, null)).toBe("flat");
    expect(flatness(flat!, 8)).toBe("flatRecorded");
    expect(flatness(other!, GROUP)).toBe("spread");
  });

  it("is not such a group when its advantages are not 0", () => {
    expect(flatness(trained(0.4), 8)).toBe("flatOthersDiffer");
    expect(flatness(trained(0.4), GROUP)).toBe("flatElse");
  });

  it("says that its advantages are not known, where a file has none", () => {
    const lacking = trained(null as unknown as number);
    expect(flatness(lacking, null)).toBe("flatUnknown");
    const [first, ...others] = lacking.rollouts;
    const some = [{ ...first!, record: withAdvantage(first!.record, 0.4) }, ...others];
    expect(flatness({ ...lacking, rollouts: some }, null)).toBe("flatElse");
  });
});

const withAdvantage = (record: EpisodeRecord, advantage: number): EpisodeRecord => ({
  ...record,
  turns: record.turns.map((turn) => ({ ...turn, advantage })),
});

describe("the panel's view", () => {
  const log = new RunLog();
  for (const event of chained(creditEvents())) log.append(event);
  const viewAt = (algorithm: string, episode: number) => {
    const choice = { ...LATEST, algorithm, episode };
    return groupView(viewOf(log, "recorded"), resolveChoice(log, choice))!;
  };

  it("is of the group at the cursor", () => {
    expect(viewAt("grpo", GROUP)).toMatchObject({ current: 1, planned: 8, compares: true });
    expect(viewAt("grpo", GROUP - 1).current).toBe(0);
  });

  it("knows a method that plays each task once, and who does not", () => {
    const view = viewAt("turn-ppo", 0);
    expect(view).toMatchObject({ planned: 1, compares: false, others: ["grpo"] });
  });

  it("is nothing where nothing is recorded", () => {
    const empty = new RunLog();
    expect(groupView(viewOf(empty, "none"), resolveChoice(empty, LATEST))).toBeNull();
  });
});

describe("drawing", () => {
  it("takes a stretch around the cursor", () => {
    expect(around(0, 3, 64)).toEqual({ from: 0, to: 3 });
    expect(around(50, 100, 10)).toEqual({ from: 45, to: 55 });
    expect(around(99, 100, 10)).toEqual({ from: 90, to: 100 });
  });
});
