/** The numbers of the lesson on shaping: of its episode, of the solver, of Sokoban's rules and of its own code. */
import { beforeAll, describe, expect, it } from "vitest";
import { turnShaping } from "../../../src/method/credit/shaping.ts";
import { boxesOnTarget, parseBoard, TARGET } from "../../../src/env/sokoban/board.ts";
import { GYM_PAY, rewardOf, rewardUnits } from "../../../src/env/sokoban/dynamics.ts";
import { distanceToGo } from "../../../src/env/sokoban/solver.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { openDefinedCodes } from "../../../src/runtime/sandbox/definitions.ts";
import { nodeQuickJs } from "../../../src/runtime/sandbox/node.ts";
import { bodyOf, expectAnswer, quizOf, recordedRun } from "../../fixtures/lesson.ts";

let episode: ReturnType<RunLog["episodes"]>[number];
let boards: string[];
beforeAll(async () => {
  episode = (await recordedRun("nano")).episodes("turn-ppo", 51)[12]!;
  boards = [...episode.turns.map(({ observation }) => observation), episode.finalObservation!];
});

describe("the lesson on shaping", () => {
  it("has an episode whose detour a bonus would pay for", () => {
    expect(bodyOf("shaping", "ribbon")).toContain("at: turn-ppo,51,13,1");
    const left = boards.map((board) => distanceToGo(parseBoard(board))!); // [H + 1]
    expect(left).toEqual([2, 4, 3, 1, 0]);
    expect(episode.reward).toBeCloseTo(10.3, 9);
    const { stepCost, successBonus } = GYM_PAY;
    const atOnce = left[0]! * stepCost + 1 + successBonus;
    expect(atOnce).toBeCloseTo(10.8, 9);
    const nearer = left.slice(1).filter((moves, h) => moves < left[h]!).length;
    expect(nearer).toBe(3);
    const { answer, options, explanation } = quizOf("shaping", "bonus");
    expect(options[answer - 1]).toBe("The detour");
    expect(explanation).toContain(`10.3 + ${nearer} = ${(episode.reward + nearer).toFixed(1)}`);
    expect(explanation).toContain(`10.8 + 1 = ${(atOnce + 1).toFixed(1)}`);
  });

  it("computes with the potential of that episode", () => {
    const { data } = readFields("explore", bodyOf("shaping", "adds")).value!;
    const left = boards.map((board) => distanceToGo(parseBoard(board))!); // [H + 1]
    expect(data.potentials).toEqual(left.slice(0, -1).map((moves) => -moves));
    expect(data.rewards).toEqual(episode.turns.map(({ reward }) => Number(reward.toFixed(6))));
    const F = turnShaping({
      potential: Float64Array.from(data.potentials!),
      finalPotential: Float64Array.of(0),
      turnStart: Int32Array.of(0, 4),
      gamma: 1,
    });
    expectAnswer("shaping", "away", F[0]!);
    expectAnswer(
      "shaping",
      "sum",
      F.reduce((a, b) => a + b, 0),
    );
    expect(quizOf("shaping", "sum").hint).toContain(`turn 1 has ${String(F[0]).replace("-", "−")}`);
  });

  it("has the made-up player's numbers from its figure", () => {
    const { figure, set } = readFields("explore", bodyOf("shaping", "progress")).value!;
    const { rows } = explorations[figure]!.show({ ...set, bonus: 2 }, {});
    const [plain, paid, shaped] = rows.map(({ values }) => values[2]!);
    expectAnswer("shaping", "gain", paid!);
    expect(shaped).toBeCloseTo(plain!, 12);
    expect(shaped).toBeCloseTo(-0.4, 12);
  });

  it("says what Sokoban pays, of which the boxes are a potential", () => {
    const paid = (before: number, after: number) => rewardOf(rewardUnits(before, after, false));
    for (const [before, after] of [
      [0, 1],
      [1, 0],
      [1, 2],
    ] as const)
      expect(paid(before, after) - GYM_PAY.stepCost).toBeCloseTo(after - before, 9);
    expect(GYM_PAY).toEqual({ stepCost: -0.1, successBonus: 10 });
    const { options, answer } = quizOf("shaping", "own");
    expect(options[answer - 1]).toContain("boxes");
    expect(boxesOnTarget(parseBoard(boards.at(-1)!))).toBe(1);
  });

  it("trains with a reward that adds the discounted change of a potential", async () => {
    const source = bodyOf("shaping", "nearer");
    const codes = await openDefinedCodes(await nodeQuickJs(), [
      { kind: "reward", name: "nearer", source },
    ]);
    const code = codes.get({ kind: "reward", name: "nearer" });
    const added = episode.turns.map(({ observation, reward }, h) => {
      const done = h === episode.turns.length - 1;
      const turn = { observation, next: boards[h + 1], reward, done };
      return (code.call("reward", turn) as number) - reward;
    });
    const cells = (board: string) => {
      const { boxes, fixed, cols } = parseBoard(board);
      const at = (cell: number) => [Math.floor(cell / cols), cell % cols] as const;
      const [box, target] = [at(boxes[0]!), at(fixed.indexOf(TARGET))];
      return Math.abs(box[0] - target[0]) + Math.abs(box[1] - target[1]);
    };
    const distances = boards.map(cells);
    added.forEach((x, h) => {
      const after = h === added.length - 1 ? 0 : distances[h + 1]!;
      expect(x).toBeCloseTo(distances[h]! - 0.99 * after, 9);
    });
    expect(distances.at(-1)).toBe(0);
  });
});
