/** Who leads: only where all methods were measured at the same iteration. */
import { describe, expect, it } from "vitest";
import type { RunLog } from "../../src/reading/log/runLog.ts";
import { leadOf, leadSoFar } from "../../src/reading/leader.ts";
import { toSpec } from "../../src/spec/presets.ts";

type Line = readonly (readonly [iteration: number, value: number | null])[];

function logOf(lines: Record<string, Line>): RunLog {
  const series = (name: string) => ({
    x: lines[name]!.map(([x]) => x),
    y: lines[name]!.map(([, y]) => y),
  });
  return { algorithms: Object.keys(lines), series } as unknown as RunLog;
}

const lead = (lines: Record<string, Line>) => leadOf(logOf(lines), "success", "heldout");

it("ranks the methods at the last iteration that all of them have", () => {
  const grpo = [[0, 0.2], [10, 0.3], [20, 0.9]] as const; // prettier-ignore
  const ppo = [[0, 0.2], [10, 0.4]] as const; // prettier-ignore
  expect(lead({ grpo, ppo })).toEqual({
    iteration: 10,
    ranked: [
      { name: "ppo", value: 0.4 },
      { name: "grpo", value: 0.3 },
    ],
    decided: true,
  });
});

it("has no leader while the best two are level, and says nothing where one was not measured", () => {
  expect(lead({ a: [[0, 0.2]], b: [[0, 0.2]] })).toMatchObject({ iteration: 0, decided: false });
  expect(lead({ a: [[0, 0.2]], b: [] })).toBeNull();
  expect(lead({ a: [[0, 0.2]] })).toBeNull();
  expect(lead({ a: [[0, 0.2]], b: [[10, 0.2]] })).toBeNull();
});

it("leaves out a method whose number is not finite", () => {
  const lines = { a: [[0, null]], b: [[0, 0.2]], c: [[0, 0.1]] } as const;
  expect(lead(lines)!.ranked.map(({ name }) => name)).toEqual(["b", "c"]);
});

/** The same of a run whose policies wait for their critics; token-PPO's own wait is the longer. */
function trainedLogOf(lines: Record<string, Line>): RunLog {
  const ppo = { name: "token-ppo", set: {}, with: { critic: { warmup: 2 } } };
  const spec = toSpec({ algorithms: [{ name: "grpo", set: {} }, ppo], critic: { warmup: 1 } });
  return { ...logOf(lines), start: { spec } } as unknown as RunLog;
}

describe("in training", () => {
  const soFar = (lines: Record<string, Line>) => leadSoFar(trainedLogOf(lines), "success");
  const line = (...values: readonly number[]): Line => values.map((value, i) => [i + 1, value]);

  it("leads by the mean from the first iteration that all play with an updated policy, from three on", () => {
    const a = line(0.9, 0.9, 0.9, 0.1, 0.2, 0.3, 0.9);
    const b = line(0, 0, 0, 0.3, 0.4, 0.55);
    const lead = soFar({ a, b })!;
    expect(lead).toMatchObject({ from: 4, iteration: 6, decided: true });
    expect(lead.ranked.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(lead.ranked[0]!.value).toBeCloseTo(1.25 / 3, 12);
    expect(lead.ranked[1]!.value).toBeCloseTo(0.2, 12);
    expect(soFar({ a, b: b.slice(0, 5) })).toBeNull();
    expect(soFar({ a })).toBeNull();
  });

  it("is undecided while the difference is within its noise", () => {
    const a = line(0, 0, 0, 0.1, 0.2, 0.3);
    // Ahead by 0.1 on average: by 0.3, 0.1 and -0.1.
    expect(soFar({ a, b: line(0, 0, 0, 0.4, 0.3, 0.2) })).toMatchObject({ decided: false });
    expect(soFar({ a, b: a })).toMatchObject({ decided: false });
    expect(soFar({ a, b: line(0, 0, 0, 0.2, 0.3, 0.4) })).toMatchObject({ decided: true });
  });
});
