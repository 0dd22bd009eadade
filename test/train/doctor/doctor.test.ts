import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Finding, IterationEvent, Metrics, RunEvent } from "../../../src/record/runEvent.ts";
import { DETECTORS } from "../../../src/train/doctor/detectors.ts";
import { diagnose, Doctor } from "../../../src/train/doctor/doctor.ts";

function iteration(n: number, metrics: Metrics, algorithm = "grpo"): IterationEvent {
  const base = { type: "iteration" as const, warmup: false, episodes: [], chain: "" };
  return { ...base, algorithm, iteration: n, metrics, time: { at: "" } };
}

/** A log of one metric (or several): value by iteration from 1. */
function logOf(columns: Record<string, (number | null)[]>): RunEvent[] {
  const length = Math.max(...Object.values(columns).map((values) => values.length));
  return Array.from({ length }, (_, i) => {
    const told = Object.entries(columns).filter(([, values]) => i < values.length);
    return iteration(i + 1, Object.fromEntries(told.map(([name, values]) => [name, values[i]!])));
  });
}

const found = (columns: Record<string, (number | null)[]>) => diagnose(logOf(columns)).findings;
const steady = (value: number, n = 10) => Array<number>(n).fill(value);

/** For each detector a log on which it must speak, and when: [columns, seen at, first bad]. */
const cases: Record<string, [Record<string, (number | null)[]>, number, number]> = {
  "not-finite": [{ "actor/pg_loss": [0, 0, null] }, 3, 3],
  "zero-variance": [{ "rollout/in_group_reward_std": [...steady(2), 0.1, 0.1, 0] }, 13, 11],
  // Spread is gone from iteration 12 on, one answer rules from 13 on: the sign needs both.
  "echo-trap": [
    {
      reward_std: [...steady(5), 4, 1, 1, 1, 1],
      "rollout/top_first_response": [...steady(0.2), 0.9, 0.4, 0.7, 0.9, 0.9],
    },
    15,
    13,
  ],
  "template-collapse": [
    {
      "collapse_first_turn_sample/mi_seq_estimate": [...steady(0.8), 0.1, -0.1, 0.2],
      "collapse_first_turn_sample/conditional_entropy_seq_est": [...steady(2), 2.5, 2.5, 2.5],
    },
    13,
    11,
  ],
  "ratio-blow-up": [{ "actor/ppo_kl_k3": [...steady(0.01), 0.3, 0.01, 0.3, 0.3] }, 14, 13],
  "critic-failure": [{ "critic/vf_explained_var": [0, 0.2, -1.6, -1.2, -2] }, 5, 3],
  "entropy-crash": [{ "actor/entropy": [...steady(0.7), 0.2, 0.1] }, 12, 11],
  "entropy-blow-up": [{ "actor/entropy": [...steady(0.7), 1.5, 1.6] }, 12, 11],
  "length-explosion": [{ "response_length/clip_ratio": [...steady(0.05), 0.6, 0.7] }, 12, 11],
};
test("every detector has a case here", () => {
  expect(Object.keys(cases).sort()).toEqual(DETECTORS.map(({ name }) => name).sort());
});

test.each(Object.entries(cases))("%s: when, since when, on what evidence", (name, given) => {
  const [columns, seen, since] = given;
  const own = found(columns).filter(({ detector }) => detector === name);
  expect(own).toHaveLength(1);
  expect(own[0]).toMatchObject({ algorithm: "grpo", iteration: seen, firstBad: since });
  for (const { metric, value, side, limit } of own[0]!.evidence) {
    expect(Object.keys(columns)).toContain(metric);
    if (value === null) continue;
    if (side === "above") expect(value).toBeGreaterThan(limit!);
    else expect(value).toBeLessThan(limit!);
  }
  expect(own[0]!.remedies.length).toBeGreaterThan(1);
});

test("one bad measurement is not enough, nor are bad ones with a good one between", () => {
  expect(found({ "rollout/in_group_reward_std": [...steady(2), 0, 0, 2, 0, 0] })).toEqual([]);
  expect(found({ "actor/ppo_kl_k3": [0, 0.3, 0, 0.3, 0] })).toEqual([]);
});

test("without three measurements to compare with, nothing is judged by comparison", () => {
  expect(found({ "rollout/in_group_reward_std": [2, 2, 0, 0, 0] })).toEqual([]);
  expect(found({ "rollout/in_group_reward_std": [2, 2, 2, 0, 0, 0] })).toHaveLength(1);
});

test("groups without variance are no alarm where everything succeeds", () => {
  const zero = { frac_reward_zero_std: [...steady(0), 1, 1, 1] };
  expect(found({ ...zero, "sokoban/success": [...steady(0.5), 1, 1, 1] })).toEqual([]);
  expect(found({ ...zero, "sokoban/success": [...steady(0.5), 0, 0, 0] })).toHaveLength(1);
});

test("success on held-out levels is not mistaken for success in training", () => {
  const zero = { frac_reward_zero_std: [...steady(0), 1, 1, 1] };
  expect(found({ ...zero, "val-env/sokoban/success": steady(1, 13) })).toHaveLength(1);
});

test("a slow decline of entropy is what learning looks like", () => {
  const slow = Array.from({ length: 60 }, (_, i) => 0.8 * 0.95 ** i);
  expect(found({ "actor/entropy": slow })).toEqual([]);
});

test("recovering from an entropy blow-up is not a crash", () => {
  const entropy = [...steady(0.7), ...steady(2, 6), 0.6, 0.6, 0.6];
  expect(found({ "actor/entropy": entropy }).map(({ detector }) => detector)).toEqual([
    "entropy-blow-up",
  ]);
});

test("RAGEN's rule on validations: five in a row below a tenth of the first", () => {
  const evaluations = [0.3, 0.2, 0.01, 0, 0, 0, 0].map((value, i): RunEvent => ({
    ...{ type: "eval", algorithm: "ppo", iteration: i * 10, levels: 8, chain: "" },
    ...{ metrics: { "val-env/sokoban/success": value }, time: { at: "" } },
  }));
  expect(diagnose(evaluations).findings).toMatchObject([
    { detector: "echo-trap", algorithm: "ppo", iteration: 60, firstBad: 20 },
  ]);
});

test("a crash is a finding, in its own words", () => {
  const cause = "The model's logprob was NaN.";
  const crash: RunEvent = {
    ...{ type: "crash", algorithm: "grpo", iteration: 7, cause, action: "" },
    ...{ chain: "", time: { at: "" } },
  };
  expect(diagnose([crash]).findings).toMatchObject([
    { detector: "not-finite", iteration: 7, firstBad: 7, evidence: [{ metric: cause }] },
  ]);
});

test("what a log does not hold is said, by detector and algorithm", () => {
  const { notMeasured } = diagnose(logOf({ "actor/entropy": [1, 1] }));
  const names = notMeasured.map(({ detector }) => detector);
  expect(names).toContain("critic-failure");
  expect(names).toContain("template-collapse");
  expect(names).not.toContain("entropy-crash");
  expect(names).not.toContain("not-finite");
  expect(notMeasured.find(({ detector }) => detector === "critic-failure")).toMatchObject({
    algorithm: "grpo",
    needs: ["critic/vf_explained_var"],
  });
});

test("an algorithm may be called anything", () => {
  const doctor = new Doctor();
  for (const name of ["__proto__", "constructor", "toString"])
    expect(doctor.observe(iteration(1, { "actor/pg_loss": null }, name))).toHaveLength(1);
});

const METRICS = Object.keys(Object.assign({}, ...Object.values(cases).map(([columns]) => columns)));
const anyLog = fc
  .array(fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { maxLength: 60 }), {
    minLength: METRICS.length,
    maxLength: METRICS.length,
  })
  .filter((columns) => columns.some((values) => values.length > 0))
  .map((columns) => logOf(Object.fromEntries(METRICS.map((name, i) => [name, columns[i]!]))));

test("live, offline, or interrupted anywhere and gone on from the saved state: the same findings, each once", () => {
  fc.assert(
    fc.property(anyLog, fc.nat(60), (events, at) => {
      const offline = diagnose(events).findings;
      const live: Finding[] = [];
      let doctor = new Doctor();
      events.forEach((event, i) => {
        if (i === at) doctor = new Doctor(JSON.parse(JSON.stringify(doctor.state)) as never);
        live.push(...doctor.observe(event));
      });
      expect(live).toEqual(offline);
      expect(new Set(offline.map(({ detector }) => detector)).size).toBe(offline.length);
      for (const { firstBad, iteration: seen } of offline)
        expect(firstBad).toBeLessThanOrEqual(seen);
    }),
    { seed: 15, numRuns: 60 },
  );
});

test("what the doctor remembers does not grow with the run", () => {
  const size = (n: number) => {
    const doctor = new Doctor();
    for (const event of logOf({ "actor/entropy": steady(1, n), reward_std: steady(1, n) }))
      doctor.observe(event);
    return JSON.stringify(doctor.state).length;
  };
  expect(size(5000)).toBeLessThan(size(100) * 1.2);
});

test("the recorded run's PPO curves are healthy; its GRPO curve is not", () => {
  const file = resolve(import.meta.dirname, "../../fixtures/runs/nano.jsonl");
  const events = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
  const { findings } = diagnose(events.filter((event) => "type" in event));
  expect(findings.filter(({ algorithm }) => algorithm !== "grpo")).toEqual([]);
  expect(findings.filter(({ algorithm }) => algorithm === "grpo").length).toBeGreaterThan(0);
});

test("responses that end with the last token that they may have are no length explosion", () => {
  const atLimit = { "response_length/clip_ratio": [...steady(0.05), 0.6, 0.7, 0.8] };
  const cutOff = (last: number[]) => ({ "completions/clipped_ratio": [...steady(0.05), ...last] });
  expect(found({ ...atLimit, ...cutOff([0.1, 0.1, 0.1]) })).toEqual([]);
  expect(found({ ...atLimit, ...cutOff([0.6, 0.7, 0.7]) })).toMatchObject([
    { detector: "length-explosion", evidence: [{ metric: "completions/clipped_ratio" }] },
  ]);
  // A log of TRL's has only the second.
  expect(found(cutOff([0.6, 0.7]))).toHaveLength(1);
});
