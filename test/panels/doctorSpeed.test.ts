import { describe, expect, it } from "vitest";
import { checkRows, nearest } from "../../src/figures/doctor/checks.ts";
import { longestRun, summary } from "../../src/figures/doctor/describe.ts";
import { lastBad, sayEvidence, twiceLimited } from "../../src/figures/doctor/evidence.ts";
import { describeMethod } from "../../src/figures/speed/speed.ts";
import { speedModel, speedOf, wallSeconds } from "../../src/figures/speed/timing.ts";
import { words } from "../../src/figures/doctor/words.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { diagnose } from "../../src/train/doctor/doctor.ts";
import { sickEvents } from "../fixtures/sickRun.ts";

const logOf = (events: readonly RunEvent[]) => {
  const log = new RunLog();
  for (const event of events) log.append(event);
  return log;
};

describe("checks", () => {
  it("are found, quiet or not measured", () => {
    const { findings, notMeasured } = diagnose(sickEvents());
    const foreign = checkRows(["grpo", "turn-ppo"], findings, notMeasured, () => null);
    const rows = checkRows(["grpo", "turn-ppo"], findings, notMeasured, (name) =>
      resolveAlgorithm(name),
    );
    const row = (name: string) => rows.find((one) => one.name === name)!.checks;
    expect(row("entropy-blow-up").map(({ found }) => found)).toEqual([null, 13]);
    expect(row("entropy-crash").every(({ needs }) => needs === null)).toBe(true);
    expect(row("template-collapse")[0]!.needs).toContain(
      "collapse_first_turn_sample/mi_seq_estimate",
    );
    expect(row("critic-failure").map(({ lacks }) => lacks)).toEqual(["critic", null]);
    expect(row("critic-failure").map(({ needs }) => needs)).toEqual([null, null]);
    expect(row("zero-variance").map(({ lacks }) => lacks)).toEqual([null, "groups"]);
    // Where the run does not say its settings, the method may have a critic that the log is silent about.
    const failure = foreign.find(({ name }) => name === "critic-failure")!.checks;
    expect(failure.map(({ needs, lacks }) => [needs === null, lacks])).toEqual([
      [false, null],
      [true, null],
    ]);
    expect(words.unfit("X", ["A", "B"], "groups")).toBe(
      "X does not apply to A, B: they have no groups.",
    );
  });

  it("lead to the nearest iteration with episodes", () => {
    expect(nearest([1, 5, 9], 6)).toBe(5);
    expect(nearest([1, 5, 9], 9)).toBe(9);
    expect(nearest([], 6)).toBeNull();
  });

  it("have their evidence said", () => {
    const [finding] = diagnose(sickEvents()).findings;
    expect(sayEvidence(finding!.evidence)).toMatch(
      /^was 2\.500: above the limit \d\.\d+, based on the run's earlier level of 0\.\d+, for the last 2 measurements$/,
    );
    expect(sayEvidence([{ ...finding!.evidence[0]!, value: null }])).toBe("not a finite number");
  });
});

describe("the doctor's summary", () => {
  const one = (iteration: number, metrics: Record<string, number>) =>
    ({
      ...{ type: "iteration", algorithm: "verl", iteration, warmup: false, metrics },
      ...{ episodes: [], chain: "", time: { at: "" } },
    }) as RunEvent;
  const summed = (events: readonly RunEvent[]) => {
    const log = logOf(events);
    const { findings, notMeasured } = diagnose(events);
    const told = findings.map((finding) => ({ finding, over: lastBad(log, finding) }));
    return summary(
      log,
      told,
      checkRows(log.algorithms, findings, notMeasured, () => null),
    );
  };

  it("counts iterations, whatever their numbers, and says first that most checks could not be made", () => {
    expect(longestRun(logOf([one(12, {})]))).toBe(1);
    const text = summed([one(12, { "critic/score/mean": 1 })]);
    expect(text).toMatch(
      /^1 of 9 checks could be made; it found no problem\. The run .* The run is short/,
    );
    expect(text).not.toMatch(/No problem found in|12 iterations/);
    expect(summed(sickEvents(false))).toMatch(/^No problem found in 3 methods over 20 iterations/);
  });

  const blown = (entropies: readonly number[]) =>
    entropies.map((entropy, i) => one(i + 1, { "actor/entropy": entropy }));

  it("says what is over after as many good measurements as bad ones", () => {
    const bad = [1, 1, 1, 1, 3, 3, 3];
    const of = (entropies: readonly number[]) => {
      const events = blown(entropies);
      return lastBad(logOf(events), diagnose(events).findings[0]!);
    };
    expect(of(bad)).toBeNull();
    expect(of([...bad, 1])).toBeNull();
    expect(of([...bad, 1, 1])).toBe(7);
    expect(of([...bad, 1, 1, 3])).toBeNull();
    expect(summed(blown([...bad, 1, 1]))).toMatch(
      /^1 finding: 1 critical, 0 warnings\. It is resolved/,
    );
    expect(summed(blown(bad))).not.toContain("resolved");
  });

  it("knows what is broken to be over once the numbers are finite again", () => {
    const events = [...blown([1, 1, 1]), one(4, { "actor/entropy": 1, x: NaN })];
    const broken = events.map((event, i) =>
      i === 3 ? { ...event, metrics: { "actor/entropy": 1, x: null } } : event,
    ) as RunEvent[];
    const [finding] = diagnose(broken).findings;
    expect(lastBad(logOf(broken), finding!)).toBeNull();
    expect(lastBad(logOf([...broken, one(5, { x: 1 })]), finding!)).toBe(4);
  });

  it("finds two limits of one number", () => {
    const [crash] = diagnose(blown([1, 1, 1, 1, 1, 0.1, 0.1])).findings;
    expect(crash!.detector).toBe("entropy-crash");
    expect(twiceLimited(crash!)).toEqual(["actor/entropy"]);
    // The number is said once, with both limits.
    expect(sayEvidence(crash!.evidence)).toMatch(
      /^was 0\.100: below the limit [^;]* and below the limit [^;]*, for the last 2 measurements$/,
    );
    expect(twiceLimited(diagnose(sickEvents()).findings[0]!)).toEqual([]);
  });
});

describe("speed", () => {
  const log = logOf(sickEvents());

  it("comes from the clock, the spec and the metrics", () => {
    const { iterations, phases, seconds, bytes } = speedOf(log, "turn-ppo");
    expect(iterations).toHaveLength(20);
    // 4 tasks x 8 episodes of 4 turns of 5 tokens, in 2 s of rollout and 6 s of update.
    expect(iterations[0]).toMatchObject({ seconds: 8, tokens: 320, episodes: 4 });
    expect(phases).toEqual({ rollout: 40, update: 120 });
    expect(seconds).toBe(160);
    expect(bytes).toBe(30 * 1024 * 1024);
    expect(wallSeconds(log)).toBe(20 * 60);
  });

  it("is told in a sentence a method", () => {
    expect(describeMethod(speedOf(log, "grpo"))).toMatch(
      /^GRPO: 20 iterations in 2 min 40 s of compute, 8\.000 s each\. Of that rollout 25\.0.%, update 75\.0.%\. The engine holds up to 30\.00 MiB\.$/,
    );
  });

  it("is not told where the log does not tell it", () => {
    const bare = sickEvents().map((event) => ({ ...event, time: { at: "x" } }) as RunEvent);
    const model = speedModel(viewOf(logOf(bare), "recorded"));
    expect(model).toMatchObject({ phases: [], seconds: 0, wall: null, dispatches: false });
    expect(model.methods[0]!.iterations[0]).toMatchObject({ seconds: null, tokens: null });
    const odd = sickEvents().map(
      (event) =>
        ({ ...event, time: { ...event.time, rollout: "soon", dispatches: 7 } }) as RunEvent,
    );
    const told = speedModel(viewOf(logOf(odd), "recorded"));
    expect(told).toMatchObject({ phases: ["update"], dispatches: true });
    expect(speedModel(viewOf(new RunLog(), "none")).methods).toEqual([]);
  });

  it("has no shares of no time", () => {
    const standing = sickEvents().map(
      ({ time: { at }, ...event }) =>
        ({ ...event, time: { at, rollout: 0, update: 0 } }) as RunEvent,
    );
    expect(describeMethod(speedOf(logOf(standing), "grpo"))).toBe(
      "GRPO: 20 iterations in 0.000 s of compute, 0.000 s each.",
    );
  });
});
