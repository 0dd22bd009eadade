/** True values as training paid: moved by pay for progress where its potential is known, and left out where it is not. */
import { describe, expect, it } from "vitest";
import { turnShaping } from "../../src/method/credit/shaping.ts";
import { explainedVariance } from "../../src/numeric/statistics.ts";
import { movedBy, payOfTurns } from "../../src/reading/paidTruth.ts";
import { returnsThatCame } from "../../src/reading/returns.ts";
import { truthAt } from "../../src/reading/truths.ts";
import type { EpisodeRecord, TurnRecord } from "../../src/record/runEvent.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { recordedTruths } from "../fixtures/lesson.ts";

const spec = toSpec({ preset: "webshop-progress" });
const potential = Float64Array.of(0.2, 0.5, 0.4, 0.9); // [T]
const perTurn = (gamma: number) => ({ gamma, steps: "turn" as const });

/** Turns paid eta F; `final`: Phi after the last one. */
function episodeOf(gamma: number, eta: number, final = 0): EpisodeRecord {
  const turnStart = Int32Array.of(0, potential.length);
  const pay = turnShaping({ potential, finalPotential: Float64Array.of(final), turnStart, gamma });
  const turns = Array.from(pay, (x) => ({ reward: 0, tokens: [{}, {}], processReward: eta * x }));
  return { turns: turns as unknown as TurnRecord[], truncated: false } as EpisodeRecord;
}

describe("pay for progress", () => {
  it.each([1, 0.9])("is what eta Phi takes off a state's value, at gamma %f", (gamma) => {
    const pay = payOfTurns(episodeOf(gamma, 2), perTurn(gamma), spec)!;
    expect(pay).toHaveLength(4);
    pay.forEach((x, h) => expect(x).toBeCloseTo(-2 * potential[h]!, 12));
    const perToken = payOfTurns(episodeOf(1, 2), { gamma: 1, steps: "token" }, spec)!;
    perToken.forEach((x, h) => expect(x).toBeCloseTo(-2 * potential[h]!, 12));
  });

  it("moves values and their intervals, and no advantage", () => {
    const turn = { value: 1, advantage: 0.3 };
    const truth = [
      {
        ...turn,
        valueInterval: [0.5, 2] as const,
        advantageInterval: [0.1, 0.5] as const,
      },
    ];
    expect(movedBy(truth, [-0.25])).toEqual([
      { ...truth[0], value: 0.75, valueInterval: [0.25, 1.75] },
    ]);
    expect(movedBy(truth, [0])).toBe(truth);
  });

  it("is nothing where none was paid, and unknown where no potential gives it", () => {
    const episode = episodeOf(1, 1);
    const unpaid = { ...episode, turns: episode.turns.map(({ tokens }) => ({ tokens })) };
    expect(payOfTurns(unpaid as EpisodeRecord, perTurn(1), spec)).toEqual([0, 0, 0, 0]);
    const raw = toSpec({ preset: "webshop-progress", processReward: { shaping: "raw" } });
    expect(payOfTurns(episode, perTurn(1), raw)).toBeNull();
    expect(payOfTurns(episode, perTurn(1), undefined)).toBeNull();
    expect(payOfTurns(episode, { gamma: 0.9, steps: "token" }, spec)).toBeNull();
    const cut = { ...episode, truncated: true };
    expect(payOfTurns(cut, perTurn(1), spec)).not.toBeNull();
    const guesses = toSpec({
      preset: "webshop-progress",
      optimisation: { bootstrapOnTruncation: true },
    });
    expect(payOfTurns(cut, perTurn(1), guesses)).toBeNull();
  });
});

it("makes the recorded shop's true values explain what came, as they must", async () => {
  const { log, truths } = await recordedTruths("shop");
  const [algorithm, iteration] = ["turn-ppo", 26] as const;
  const turns = log.episodes(algorithm, iteration).flatMap((episode) => {
    const { trajectory } = episode;
    const place = { algorithm, iteration, trajectory, turns: episode.turns.length };
    const truth = truthAt(truths, place)!;
    const came = returnsThatCame(episode, truth.found!);
    const paid = movedBy(truth.turns, payOfTurns(episode, truth.found!, log.start!.spec)!);
    return truth.turns.map(({ value }, h) => ({
      ...{ came: came[h]!, alone: value, paid: paid[h]!.value },
    }));
  });
  const explains = (of: "alone" | "paid") =>
    explainedVariance(
      turns.map(({ came }) => came),
      turns.map((turn) => turn[of]),
    );
  // Of the environment's rewards alone they explain less than nothing.
  expect(explains("alone")).toBeLessThan(0);
  expect(explains("paid")).toBeGreaterThan(0.8);
});
