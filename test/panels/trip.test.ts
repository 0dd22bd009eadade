/** The shop's trip in words: what was asked, what each click did, and what a guess shows. */
import { beforeAll, describe, expect, it } from "vitest";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { groupScores } from "../../src/method/credit/groupScores.ts";
import {
  answerOf,
  bestOf,
  deedOf,
  endOf,
  goalParts,
  sharesOf,
} from "../../src/panels/shop/trip/facts.ts";
import type { RunLog } from "../../src/reading/log/runLog.ts";
import { recordedEpisode, replayOf, type Frame } from "../../src/reading/shop/replay.ts";
import { shopOf } from "../../src/reading/shop/trip.ts";
import { isElsewhere, tellingTrip, tripCredit } from "../../src/reading/shop/tripCredit.ts";
import type { EpisodeTruth, Truths } from "../../src/reading/truths.ts";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { recordedTruths } from "../fixtures/lesson.ts";

let log: RunLog;
let truths: Truths;
let environment: WebShopSpec;

beforeAll(async () => {
  ({ log, truths } = await recordedTruths("shop"));
  environment = log.start!.spec.environment as WebShopSpec;
});

/** Of Turn-PPO. */
const placeOf = (iteration: number, episode: number) => {
  const episodes = log.episodes("turn-ppo", iteration);
  return { algorithm: "turn-ppo", iteration, episodes, episode };
};
const creditAt = (iteration: number, episode: number) =>
  tripCredit(log, truths, placeOf(iteration, episode))!;

/** The trip for a tent that the lesson tells of. */
const tent = () => {
  const episode = recordedEpisode(log.episodes("turn-ppo", 30)[1]!, environment);
  return { frames: replayOf(episode).frames, shop: shopOf(episode.catalogue, episode.setup) };
};

describe("a trip", () => {
  it("asks for what its goal wants, with names of options only where their values need them", () => {
    expect(goalParts(tent().shop.goal)).toEqual({
      article: "a ",
      noun: "durable, easy setup camping tent",
      wanted: ["blue", "sleeps six"],
      limit: "140 dollars",
    });
    const { goals } = generateCatalogue(2);
    const free = {
      ...goals[0]!,
      priceUpper: 1e6,
      options: ["red"],
      attributes: [],
      query: "cookies",
    };
    expect(goalParts(free)).toEqual({ article: "", noun: "cookies", wanted: ["red"], limit: null });
  });

  it("says of each click in three words what it did", () => {
    const { frames } = tent();
    const deeds = frames.slice(0, -1).map(deedOf);
    expect(deeds.map(({ did }) => did)).toEqual([
      "searches",
      "opens product 2",
      "picks the color",
      "not an action",
      "not an action",
      "picks the capacity",
      "buys it",
    ]);
    expect(deeds.map(({ doing }) => doing)).toEqual([
      "the search",
      "opening product 2",
      "picking blue",
      "a click on nothing",
      "a click on nothing",
      "picking six",
      "the purchase",
    ]);
    for (const { did } of deeds) expect(did.split(" ").length).toBeLessThanOrEqual(3);
  });

  it("names every other button, and a click on one that is not there", () => {
    const { frames } = tent();
    const on = (at: number, element: string | null, text = "click[x]"): Frame => {
      return { ...frames[at]!, text, element, valid: element !== null };
    };
    const did = (frame: Frame) => deedOf(frame).did;
    expect(did(on(2, "button:< Prev"))).toBe("goes back");
    expect(did(on(1, "button:Next >"))).toBe("more results");
    expect(did(on(2, "button:Back to Search"))).toBe("starts over");
    expect(did(on(2, "button:Features"))).toBe("reads the features");
    expect(did(on(2, null))).toBe("no such button");
    expect(did(on(2, null, "oops"))).toBe("not an action");
  });

  it("ends with what was bought and whether that is right, or with nothing", () => {
    const { frames, shop } = tent();
    expect(endOf(frames.at(-1)!, shop)).toEqual({
      bought: "blue, six",
      says: "Right camping tent",
      isRight: true,
      reward: 1,
    });
    const { stand, ...rest } = frames.at(-1)!;
    const { page } = stand;
    if (page.kind !== "done") throw new Error("nothing was bought");
    const cheap = { ...page, reward: { ...page.reward, reward: 0.6 } };
    expect(endOf({ ...rest, stand: { ...stand, page: cheap } }, shop)).toMatchObject({
      says: "Not as asked",
      isRight: false,
      reward: 0.6,
    });
    expect(endOf(frames[2]!, shop)).toMatchObject({ bought: null, says: "Nothing bought" });
  });
});

describe("its credit", () => {
  it("is one number of GRPO for all clicks, that of its group of eight", () => {
    const { credits, group, record } = creditAt(50, 1);
    expect(group).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const rewards = Float64Array.from(group, (i) => log.episodes("turn-ppo", 50)[i]!.reward);
    const [, expected] = groupScores(rewards, Array(8).fill("goal"), "sample");
    const { values } = credits.find(({ name }) => name === "grpo")!;
    expect(values).toHaveLength(record.turns.length);
    // The pay for progress changes it by less than 0.02.
    for (const value of values) expect(Math.abs(value - expected!)).toBeLessThan(0.02);
  });

  it("is true only where continuations were played", () => {
    expect(creditAt(30, 1).truth).toBeNull();
    expect(creditAt(50, 1).truth!.turns).toHaveLength(5);
    expect(tripCredit(log, truths, placeOf(30, 99))).toBeNull();
  });

  it("begins with a right purchase whose best click no other such trip's methods miss more often", () => {
    const { episode: _, ...at } = placeOf(50, 0);
    const first = tellingTrip(log, truths, at)!;
    const missed = (episode: number) => {
      const { credits, truth, record } = creditAt(50, episode);
      if (!truth || record.success !== true || record.turns.length < 4) return -1;
      return credits.filter(({ values }) => isElsewhere(values, bestOf(truth))).length;
    };
    expect(missed(first)).toBeGreaterThanOrEqual(1);
    expect(missed(first)).toBe(Math.max(...at.episodes.map((_one, episode) => missed(episode))));
    expect(tellingTrip(log, {}, at)).toBeNull();
  });

  it("is elsewhere where another turn has more, and where all have the same", () => {
    expect(isElsewhere([1, 3, 2], 1)).toBe(false);
    expect(isElsewhere([1, 3, 2], 2)).toBe(true);
    expect(isElsewhere([2, 2, 2], 0)).toBe(true);
  });
});

describe("the answer to a guess", () => {
  const turn = (advantage: number, before: number, after: number) => ({
    ...{ value: 0, valueInterval: [0, 0], advantage },
    advantageInterval: [advantage - 0.02, advantage + 0.02],
    solved: [before, after],
  });
  const truth = {
    turns: [turn(0.05, 0.23, 0.3), turn(0.12, 0.3, 0.88), turn(0.01, 0.88, 1)],
  } as unknown as EpisodeTruth;
  const deeds = ["the search", "picking round", "the purchase"].map((doing) => ({
    did: "",
    doing,
  }));
  const credit = (turnPpo: number[]) => ({
    ...creditAt(50, 1),
    other: null,
    credits: [
      { name: "grpo", values: [1, 1, 1] },
      { name: "turn-ppo", values: turnPpo },
    ],
  });

  it("has the shares before and after the best click, and which methods put it first", () => {
    expect(answerOf(credit([3, 2, 1]), truth, deeds, 0)).toEqual({
      verdict: "Not turn 1: turn 2, picking round.",
      why: "Before turn 2, 30.0\u00a0% of continuations solve the task, after it 88.0\u00a0%. No method puts it first.",
    });
    const right = answerOf(credit([2, 3, 1]), truth, deeds, 1);
    expect(right.verdict).toBe("Yes: turn 2, picking round.");
    expect(right.why).toContain("Only Turn-PPO puts it first.");
  });

  it("says where even the best click is uncertain", () => {
    const open = { turns: [turn(0.01, 0.5, 0.5), turn(0, 0.5, 0.5)] } as unknown as EpisodeTruth;
    expect(answerOf(credit([1, 0]), open, deeds, 0).why).toContain(
      "Whether turn 1 earned anything is uncertain.",
    );
  });

  it("has a share before each turn, and one after the last", () => {
    expect(sharesOf(truth)).toEqual([0.23, 0.3, 0.88, 1]);
    expect(sharesOf({ turns: truth.turns.map(({ solved: _, ...rest }) => rest) })).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
