import { describe, expect, it } from "vitest";
import { formatNumber } from "../../../src/numeric/format.ts";
import { RunLog } from "../../../src/reading/log/runLog.ts";
import { creditOf } from "../../../src/reading/credit/rowCredit.ts";
import { branchesOf } from "../../../src/panels/formula/branch.ts";
import { findNumber, numberAt } from "../../../src/panels/formula/numbers.ts";
import { BatchNumbers, placeAt, type BatchPlace } from "../../../src/panels/formula/place.ts";
import { otherAdvantage, otherCut } from "../../../src/panels/formula/trained.ts";
import { recoverWhitening } from "../../../src/reading/credit/training.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import { updateFacts, updateLines } from "../../../src/panels/formula/update.ts";
import { words } from "../../../src/panels/formula/words.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { shippedEpisodes, shippedLog } from "../../fixtures/shippedRun.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

const COUNT = 128;
const SCALE = 0.1;

interface Unit {
  place: BatchPlace;
  turn: EpisodeRecord["turns"][number];
  t: number;
}

/** Every token of the episodes, as the row that was trained on them sees it. */
function unitsOf(name: string, episodes: EpisodeRecord[]): Unit[] {
  const config = resolveAlgorithm(name);
  const row = creditOf(config, episodes, { trained: true, rewardScale: SCALE }).ok!;
  const all = new BatchNumbers(config, row, { episodes, count: COUNT });
  return episodes.flatMap(({ turns }, b) =>
    turns.flatMap((turn, h) =>
      turn.tokens.map((_, t) => ({ place: placeAt(all, b, h, t), turn, t })),
    ),
  );
}

describe("training's numbers, from the shipped recording", () => {
  it.each([20, 50])("Turn-PPO's advantages, ratios and clips of iteration %i", (iteration) => {
    const units = unitsOf("turn-ppo", shippedEpisodes("turn-ppo", iteration));
    expect(units.length).toBeGreaterThan(50);
    for (const { place, turn } of units) {
      expect(numberAt("turn.advantage", place)).toBeCloseTo(turn.advantage, 4);
      const m = numberAt("batch.advantageMean", place)!;
      const s = numberAt("batch.advantageStd", place)!;
      const raw = numberAt("turn.rawAdvantage", place)!;
      expect((raw - m) / Math.sqrt(s * s + 1e-8)).toBeCloseTo(turn.advantage, 4);
      expect(numberAt("turn.ratio", place)! / turn.ratio).toBeCloseTo(1, 4);
      expect(["held", "floor"].includes(branchesOf(place).winner)).toBe(turn.clipped);
      expect([otherAdvantage(place), otherCut(place, turn)]).toEqual([null, null]);
    }
    expect(findNumber("batch.advantageMean", units[0]!.place).from).toBe(
      "over all 128 episodes of the iteration, from the log",
    );
  });

  it.each([20, 50])("Token-PPO's advantages of iteration %i", (iteration) => {
    for (const { place, turn, t } of unitsOf("token-ppo", shippedEpisodes("token-ppo", iteration)))
      expect(numberAt("token.advantage", place)).toBeCloseTo(turn.tokens[t]!.advantage, 4);
  });

  it("GRPO's advantages, of rewards that training made smaller", () => {
    for (const { place, turn } of unitsOf("grpo", shippedEpisodes("grpo", 50))) {
      const [mean, std] = [numberAt("group.mean", place)!, numberAt("group.std", place)!];
      const gap = place.all.score[place.b]! - mean;
      expect(numberAt("turn.advantage", place)! / turn.advantage).toBeCloseTo(1, 5);
      expect(gap / (std + 1e-6 / SCALE) / turn.advantage).toBeCloseTo(1, 5);
      expect(findNumber("group.std", place).from).toContain("10⁻⁶ weighs 10 times as much");
    }
  });

  it("are not those of the recorded episodes alone, nor put into another row", () => {
    const episodes = shippedEpisodes("turn-ppo", 20);
    const [{ place }] = unitsOf("turn-ppo", episodes) as [Unit];
    const { config } = place.all;
    const own = creditOf(config, episodes).ok!;
    const alone = placeAt(new BatchNumbers(config, own), 0, 0, null);
    const used = episodes[0]!.turns[0]!.advantage;
    expect(Math.abs(numberAt("turn.advantage", alone)! - used)).toBeGreaterThan(0.01);
    expect(findNumber("batch.advantageStd", alone).from).toBe("over all recorded episodes");
    expect(otherAdvantage(alone)).toBe(null);
  });
});

describe("a log that no normalisation explains", () => {
  it("keeps the recorded episodes' own, and says what training used", () => {
    const episodes = tokenEpisodes(8, 4);
    const [{ place, turn }] = unitsOf("turn-ppo", episodes) as [Unit];
    expect(place.all.row.whitening).toBe(null);
    const how = { trained: false, rewardScale: SCALE };
    expect(place.all.credit).toEqual(creditOf(place.all.config, episodes, how).ok!.credit);
    expect(otherAdvantage(place)).toBe(turn.advantage);
  });

  it("needs two numbers that differ, the right way round and all known", () => {
    const x = Float64Array.of(1, 2, 4);
    const fit = recoverWhitening(x, Float64Array.of(-1, -0.5, 0.5))!;
    expect(fit.mean).toBeCloseTo(3, 12);
    expect(fit.divisor).toBeCloseTo(2, 12);
    expect(recoverWhitening(x, Float64Array.of(-1, -0.5, 0.51))).toBe(null);
    expect(recoverWhitening(x, Float64Array.of(1, 0.5, -0.5))).toBe(null);
    expect(recoverWhitening(x, Float64Array.of(-1, -0.5, NaN))).toBe(null);
    expect(recoverWhitening(Float64Array.of(1, 1), Float64Array.of(0, 0))).toBe(null);
    expect(recoverWhitening(new Float64Array(), new Float64Array())).toBe(null);
  });
});

describe("the steps of an iteration", () => {
  const log = shippedLog(["token-ppo", 21], ["grpo", 21]);
  const facts = updateFacts(log, "token-ppo", 21);
  const place = unitsOf("token-ppo", shippedEpisodes("token-ppo", 21))[0]!.place;

  it("have the log's numbers, and the token's probability before and after", () => {
    const metric = (name: string) => log.series("token-ppo", name).y[0]!;
    expect(facts).toMatchObject({
      actor: { learningRate: metric("actor/lr"), norm: metric("actor/grad_norm") },
      critic: { loss: metric("critic/vf_loss") },
      ...{ limit: 1, rewardScale: 0.1 },
    });
    const lines = updateLines(place, facts);
    expect(lines.map(({ id }) => id)).toEqual(
      Object.keys(words.update.lines).filter((id) => id !== "regulariser"),
    );
    const tethered = { ...facts, regulariser: 0.25 };
    expect(updateLines(place, tethered).find(({ id }) => id === "regulariser")!.text).toContain(
      "0.25",
    );
    const { logprob, oldLogprob } = place.all.batch;
    expect(lines[0]!.text).toContain(formatNumber(Math.exp(oldLogprob![place.n]!)));
    expect(lines[0]!.text).toContain(formatNumber(Math.exp(logprob![place.n]!)));
    expect(lines.find(({ id }) => id === "actorNorm")!.text).toContain("beyond 1 is scaled down");
  });

  it("have no line for what is not known", () => {
    expect(updateLines(place, null).map(({ id }) => id)).toEqual(["token"]);
    const bare = updateLines(place, updateFacts(new RunLog(), "token-ppo", 21));
    expect(bare.map(({ id }) => id)).toEqual(["token"]);
    const withoutCritic = updateLines(place, updateFacts(log, "grpo", 21));
    expect(withoutCritic.map(({ id }) => id)).toEqual(["token", "actorRate", "actorNorm"]);
  });
});
