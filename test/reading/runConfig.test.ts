import { expect, it } from "vitest";
import type { RunView } from "../../src/reading/log/runLog.ts";
import { isForeign, mayLackValues } from "../../src/reading/runConfig.ts";
import { presetSpec } from "../../src/spec/presets.ts";

const viewOf = (origin: string, spec?: object) =>
  ({ origin, log: { start: spec && { spec } } }) as unknown as RunView;

it("a file without values says nothing of a critic, unless its settings do", () => {
  const said = viewOf("imported", presetSpec("nano"));
  expect(mayLackValues(viewOf("imported"), "verl")).toBe(true);
  expect(mayLackValues(said, "turn-ppo")).toBe(true);
  expect(mayLackValues(said, "grpo")).toBe(false);
  // Its settings are known all the same.
  expect(isForeign(said, "turn-ppo")).toBe(false);
});

it("a run of one's own lacks nothing", () => {
  const own = viewOf("live", presetSpec("nano"));
  expect(["turn-ppo", "grpo", "dpo"].map((name) => mayLackValues(own, name))).toEqual([
    ...[false, false, false],
  ]);
});
