/** The curves that are kept with a run, for the picture of its notebook. */
import { expect, it } from "vitest";
import { smallCurves } from "../../src/app/keptRuns.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const spec = presetSpec("nano");
const events = syntheticRun(spec);

function logOf(some: typeof events): RunLog {
  const log = new RunLog();
  for (const event of some) log.append(event);
  return log;
}

it("are held-out success with few points, and the reward before that was measured twice", () => {
  expect(smallCurves(new RunLog())).toBeNull();
  const whole = smallCurves(logOf(events))!;
  expect(whole.measure).toBe("heldout");
  expect(whole.lines.map(({ method }) => method)).toEqual(spec.algorithms.map(({ name }) => name));
  for (const { x, y } of whole.lines) {
    expect(x.length).toBeGreaterThan(1);
    expect(x.length).toBeLessThanOrEqual(40);
    expect(y).toHaveLength(x.length);
    expect(x).toEqual([...x].sort((a, b) => a - b));
  }
  const trained = events.filter(({ type }) => type !== "eval");
  expect(smallCurves(logOf(trained))!.measure).toBe("reward");
});
