import { describe, expect, it } from "vitest";
import { decodeLink } from "../../src/spec/link.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { viewOf, RunLog } from "../../src/reading/log/runLog.ts";
import { settingsThatDiffer, showsAnotherRun } from "../../src/store/anotherRun.ts";
import { openDraft } from "../../src/store/specDraft.ts";

const own = presetSpec("nano");
const shown = (hash: string, origin: "recorded" | "live" | "imported" = "recorded") =>
  showsAnotherRun({
    own,
    draft: openDraft(decodeLink(hash).spec),
    view: viewOf(new RunLog(), origin),
  });

describe("a link's experiment beside the recorded run", () => {
  it.each([
    ["its settings", "#v1/nano?seed=7"],
    ["a method less", "#v1/nano?algorithms=grpo,turn-ppo"],
    ["a method's own setting", "#v1/nano?turn-ppo.gamma=0.9"],
    ["a field that is else absent", "#v1/nano?environment.slip=0.1"],
    ["a promise of its numbers", `#v1/nano?iterations=5&fp=${"a".repeat(64)}`],
    ["a place in the lens", "#v1/nano?seed=7&view=lens&at=turn-ppo,12,1,4"],
  ])("is another one by %s", (_, hash) => {
    expect(decodeLink(hash).warnings).toEqual([]);
    expect(shown(hash)).toBe(true);
    // A run of its own, or a file, says itself what it is.
    expect(shown(hash, "live")).toBe(false);
    expect(shown(hash, "imported")).toBe(false);
  });

  it.each([
    ["the page's own", "#v1/nano"],
    ["a place in it", "#v1/nano?view=lens&at=turn-ppo,12,1,4"],
    ["another engine", "#v1/nano?backend=webgpu"],
    ["more of it kept", "#v1/nano?recordEpisodes=3"],
  ])("is the same by %s", (_, hash) => expect(shown(hash)).toBe(false));

  it("says which settings differ, and both values", () => {
    const { spec } = decodeLink("#v1/nano?seed=7&environment.slip=0.1");
    expect(settingsThatDiffer(spec, own).toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: "environment.slip", here: "0.1", recorded: null },
      { path: "seed", here: "7", recorded: "1" },
    ]);
  });
});
