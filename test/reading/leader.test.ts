/** Who leads: only where all methods were measured at the same iteration. */
import { expect, it } from "vitest";
import type { RunLog } from "../../src/reading/log/runLog.ts";
import { leadOf, leadSoFar } from "../../src/reading/leader.ts";

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

it("leads in training by the mean over all iterations that every method has finished, from three on", () => {
  const a = [[1, 0.1], [2, 0.2], [3, 0.6], [4, 0.9]] as const; // prettier-ignore
  const b = [[1, 0.5], [2, 0.4], [3, 0.3]] as const; // prettier-ignore
  const soFar = (lines: Record<string, Line>) => leadSoFar(logOf(lines), "success");
  const lead = soFar({ a, b })!;
  expect(lead).toMatchObject({ iteration: 3, decided: true });
  expect(lead.ranked.map(({ name }) => name)).toEqual(["b", "a"]);
  expect(lead.ranked[0]!.value).toBeCloseTo(0.4, 12);
  expect(lead.ranked[1]!.value).toBeCloseTo(0.3, 12);
  expect(soFar({ a, b: b.slice(0, 2) })).toBeNull();
  expect(soFar({ a })).toBeNull();
});
