/** Statements of the lessons on what methods do: each is held to the code and to the recorded runs, not only its numbers. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { COURSE } from "../../../src/app/course/course.ts";
import { gae } from "../../../src/method/credit/gae.ts";
import { turnShaping } from "../../../src/method/credit/shaping.ts";
import { rewardOf, rewardUnits } from "../../../src/env/sokoban/dynamics.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import { clippedSurrogate } from "../../../src/method/clip/range.ts";
import { agreementOf, truthsOf } from "../../../src/figures/credits/truth.ts";
import { isZeroBeside } from "../../../src/numeric/format.ts";
import { creditOf } from "../../../src/reading/credit/rowCredit.ts";
import { howOf, rowOf } from "../../../src/reading/credit/rows.ts";
import { LogDoctor } from "../../../src/reading/diagnosis.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { truthAt, type Truths } from "../../../src/reading/truths.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { lessonText, recordedRun, recordedTruths } from "../../fixtures/lesson.ts";

const COURSE_TEXT = COURSE.map(lessonText).join("\n");
const notes = (name: string) => lessonText(`teacher/${name}`);

let log: RunLog;
let truths: Truths;
beforeAll(async () => {
  ({ log, truths } = await recordedTruths("nano"));
});

describe("whitening", () => {
  it("moves signs in lesson 1's episodes, and leaves correlations", () => {
    const episodes = log.episodes("grpo", 100);
    const known = truthsOf(truths, "grpo", 100, episodes);
    const of = (name: string, whiten?: string) => {
      const row = rowOf(log, name, whiten === undefined ? {} : { [name]: { whiten } }, 100);
      const credit = creditOf(row.config!, episodes, howOf(row, "grpo")).ok!;
      const { right, correlation } = agreementOf(credit, known)!;
      const first = credit.credit.turnAdvantage[credit.batch.turnStart[13]!]!;
      const signs = [...credit.credit.turnAdvantage].map((x) =>
        isZeroBeside(x) ? 0 : Math.sign(x),
      );
      return { right, correlation, first, signs };
    };
    expect([of("turn-ppo").right, of("turn-ppo", "none").right]).toEqual([19, 19]);
    expect([of("token-ppo").right, of("token-ppo", "none").right]).toEqual([19, 19]);
    for (const name of ["turn-ppo", "token-ppo"])
      expect(of(name, "none").correlation).toBeCloseTo(of(name).correlation, 9);
    expect(of("turn-ppo", "none").first).toBeCloseTo(-1.31, 2);
    expect(lessonText("credit")).toContain("Turn-PPO's credit for turn 1 was −1.31.");
    expect(of("turn-ppo").first).toBeCloseTo(-0.06, 2);
    const [whitened, plain] = [of("turn-ppo").signs, of("turn-ppo", "none").signs];
    const moved = whitened.filter((sign, i) => sign !== plain[i]).length;
    expect(notes("credit")).toContain(`${moved} of ${whitened.length} turns change sign`);
    expect(notes("credit")).toContain("Turn 1 goes from −1.31 to −0.06");
    expect(notes("truth")).toContain("Whitening changes neither count.");
  });
});

describe("a critic and lambda", () => {
  const values = (method: string, iteration: number, place: number) => {
    const { trajectory, turns } = log.episodes(method, iteration)[place]!;
    const at = { algorithm: method, iteration, trajectory, turns: turns.length };
    return truthAt(truths, at)!.turns.map(({ value }) => Number(value.toFixed(2)));
  };

  it("lesson 4: the true values rise, and one turn alone is a good surprise", () => {
    expect(values("turn-ppo", 51, 0)).toEqual([3.93, 5.58, 8.52, 8.97, 9.77]);
    const { turns } = log.episodes("turn-ppo", 51)[0]!;
    const { delta } = gae({
      reward: Float64Array.from(turns, ({ reward }) => reward),
      value: Float64Array.from(turns, ({ value }) => value!),
      start: Int32Array.of(0, 5),
      bootstrap: Float64Array.of(0),
      gamma: 0.99,
      lambda: 0.9,
    });
    expect([...delta].map((x) => x.toFixed(2))).toEqual([
      ...["-1.42", "-0.55", "-0.72", "-0.35", "8.67"],
    ]);
    expect(lessonText("critic")).not.toMatch(/every turn here is a good surprise/);
  });

  it("a true V need not rise in a solved episode: lesson 8's falls", () => {
    expect(values("token-ppo", 100, 6)).toEqual([3.15, 1.92, 1.64]);
    expect(log.episodes("token-ppo", 100)[6]!.success).toBe(true);
  });

  it("lesson 5: at lambda 1 an error of the critic moves no other turn's credit; below 1 it does", () => {
    const advantages = (lambda: number, error: number) => [
      ...gae({
        reward: Float64Array.of(0, 0, 10),
        value: Float64Array.of(1, 2 + error, 3),
        start: Int32Array.of(0, 3),
        bootstrap: Float64Array.of(0),
        gamma: 1,
        lambda,
      }).adv,
    ];
    expect(advantages(1, 5)[0]).toBe(advantages(1, 0)[0]);
    expect(advantages(0.5, 5)[0]).toBeGreaterThan(advantages(0.5, 0)[0]!);
  });
});

describe("the clinic", () => {
  const k3 = (run: RunLog) => {
    const { x, y } = run.series("turn-ppo", "actor/ppo_kl_k3", "train");
    return mean([...y].filter((_, i) => x[i]! >= 3 && x[i]! <= 20).map(Number));
  };

  it("patient C's policy moves as far as its twin's", async () => {
    const text = lessonText("clinic");
    expect(k3(await recordedRun("clinic-c")).toFixed(4)).toBe("0.0047");
    expect(k3(log).toFixed(4)).toBe("0.0058");
    expect(text).toContain("is 0.0047 on average, there 0.0058");
  });

  it("says which findings the twin has, and when", () => {
    const doctor = new LogDoctor(log);
    doctor.advance(Infinity, () => 0);
    const found = doctor.diagnosis.findings.map(({ algorithm, detector, iteration, severity }) => [
      ...[algorithm, detector, iteration, severity],
    ]);
    expect(found).toEqual([["grpo", "echo-trap", 82, "critical"]]);
    expect(lessonText("clinic")).toContain("GRPO has an echo trap at iteration 82");
  });
});

describe("the clip", () => {
  const { epsLow, epsHigh, dualClip } = resolveAlgorithm("turn-ppo");
  const slope = (A: number, ratio: number) =>
    clippedSurrogate(Float64Array.of(ratio), Float64Array.of(A), { epsLow, epsHigh, dualClip })
      .dRatio[0];

  it("cuts in the direction of the advantage alone, and blamed outliers by its dual", () => {
    expect([slope(1, 1.3), slope(-1, 0.6)]).toEqual([0, 0]);
    expect([slope(1, 0.6), slope(-1, 1.3)]).toEqual([-1, 1]);
    expect([slope(-1, 2), slope(-1, 3.1)]).toEqual([1, 0]);
    for (const name of ["token-ppo", "turn-ppo"]) expect(resolveAlgorithm(name).dualClip).toBe(3);
    const outliers = log
      .episodes("turn-ppo", 100)
      .flatMap(({ turns }) => turns)
      .filter(({ ratio, advantage }) => ratio! > 3 && advantage! < 0);
    expect(outliers).toEqual([]);
    expect(lessonText("clip")).toContain("*dual clip* at 3");
  });
});

it("Sokoban's solving push pays 1 where the potential of boxes pays nothing", () => {
  // One box: none on its target before the push; after the end a potential counts as 0.
  const [F] = turnShaping({
    potential: Float64Array.of(0),
    finalPotential: Float64Array.of(0),
    turnStart: Int32Array.of(0, 1),
    gamma: 1,
  });
  expect(F).toBeCloseTo(0, 12);
  expect(rewardOf(rewardUnits(0, 1, true))).toBeCloseTo(11 - 0.1, 12);
  expect(lessonText("shaping")).toContain("Sokoban pays 1, as if solving paid 11.");
});

it("in the shop the second empty click is paid more than the purchase", async () => {
  const { turns } = (await recordedRun("shop")).episodes("turn-ppo", 30)[1]!;
  expect([turns[4]!.actions?.length ?? 0, turns[6]!.text]).toEqual([0, "click [buy]"]);
  expect(turns[4]!.advantage).toBeCloseTo(0.79, 2);
  expect(turns[6]!.advantage).toBeCloseTo(0.49, 2);
  expect(lessonText("shop")).toContain("the second empty click gets +0.79 and the purchase +0.49.");
});

it("every recorded run of the course but the talker's reads one turn at a time, and the lessons say so", async () => {
  const folder = join(import.meta.dirname, "../../../public/runs");
  const isRun = (name: string) => existsSync(join(folder, name, "recording.json"));
  const runs = readdirSync(folder).filter(
    (name) => isRun(name) && COURSE_TEXT.includes(`runs/${name}/`),
  );
  expect(runs.length).toBeGreaterThan(5);
  for (const name of runs)
    expect([name, (await recordedRun(name)).start!.spec.context]).toEqual([
      ...[name, name === "talker" ? "full" : "turn"],
    ]);
  expect(lessonText("model")).toContain("`context: turn`");
  expect(lessonText("first")).toContain("nothing of its earlier turns");
  expect(lessonText("shop")).toContain("nothing of its earlier clicks");
});

it("the guide's keys and sizes are those of the page and of the opening", () => {
  const guide = lessonText("guide");
  expect(guide).toContain("Shift + `F`");
  for (const text of [guide, lessonText("first"), lessonText("model")])
    expect(text).toMatch(/ten thousand times (smaller|larger)/);
  expect(guide).toContain("waits in the queue");
});
