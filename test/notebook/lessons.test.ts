/** The numbers of the site's lessons are those of the recorded run, and of the formulas that they explain. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gae } from "../../src/credit/gae.ts";
import { groupScores } from "../../src/credit/groupScores.ts";
import { readEpisodes } from "../../src/cli/record/openingCommand.ts";
import { readFields } from "../../src/notebook/cellFields.ts";
import { parseNotebook, type TypedCell } from "../../src/notebook/document.ts";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import type { RunLog } from "../../src/reading/log/runLog.ts";

const shipped = join(import.meta.dirname, "../../public");
const lesson = (name: string) =>
  parseNotebook(readFileSync(join(shipped, "notebooks", `${name}.md`), "utf8")).notebook.cells;
const bodyOf = (name: string, id: string) =>
  lesson(name).find((cell): cell is TypedCell => cell.type !== "prose" && cell.id === id)!.body;
const quiz = (name: string, id: string) => readFields("quiz", bodyOf(name, id)).value!;
const isAnswer = (name: string, id: string, value: number) => {
  const { answer, tolerance } = quiz(name, id);
  expect(Math.abs(answer - value)).toBeLessThanOrEqual(tolerance);
};

let log: RunLog;
beforeAll(async () => {
  const read = (name: string) => readFileSync(join(shipped, "runs/nano", name));
  ({ log } = await readColumnar(read("recording.json").toString("utf8"), (name) =>
    Promise.resolve(new Uint8Array(read(name))),
  ));
  await readEpisodes(log);
});

describe("the lesson on GRPO", () => {
  it("shows the group it speaks of, and its advantages", () => {
    const group = log.episodes("grpo", 100).slice(8, 16);
    expect(new Set(group.map(({ task }) => task)).size).toBe(1);
    const scores = Float64Array.from(group, ({ reward }) => reward); // [G]
    expect([...scores].map((x) => Number(x.toFixed(6)))).toEqual([
      ...[-0.5, -0.5, -0.5, -0.5, -0.5, 10.6, -0.5, -0.5],
    ]);
    expect(group[5]!.turns).toHaveLength(4);
    const adv = groupScores(scores, Array(8).fill("one"), "sample");
    isAnswer("grpo", "advantage", adv[5]!);
    isAnswer(
      "grpo",
      "sum",
      adv.reduce((a, b) => a + b, 0),
    );
    for (const turn of group[5]!.turns) expect(turn.advantage).toBeCloseTo(adv[5]!, 4);
    expect(bodyOf("grpo", "attempts")).toContain("at: grpo,100,14,1");
    const silent = log.episodes("grpo", 100).slice(0, 8);
    expect(new Set(silent.map(({ reward }) => reward.toFixed(6)))).toEqual(new Set(["-0.500000"]));
  });
});

describe("the lesson on the critic", () => {
  it("has the episode's rewards and values, and computes with them as the run did", () => {
    const { turns } = log.episodes("turn-ppo", 51)[0]!;
    const { data, set } = readFields("explore", bodyOf("critic", "backwards")).value!;
    const { rewards = [], values = [] } = data;
    expect(rewards).toEqual(turns.map(({ reward }) => Number(reward.toFixed(6))));
    turns.forEach(({ value }, h) => expect(values[h]).toBeCloseTo(value!, 5));
    const { delta, adv, ret } = gae({
      reward: Float64Array.from(rewards),
      value: Float64Array.from(values),
      start: Int32Array.of(0, 5),
      bootstrap: Float64Array.of(0),
      gamma: set["gamma"]!,
      lambda: set["lambda"]!,
    });
    // The run's own discount: its returns come out.
    turns.forEach((turn, h) => expect(ret[h]).toBeCloseTo(turn.return!, 4));
    isAnswer("critic", "delta", delta[4]!);
    isAnswer("critic", "delta-four", delta[3]!);
    isAnswer("critic", "advantage", adv[3]!);
    expect(values).toEqual([...values].sort((a, b) => b - a));
  });
});
