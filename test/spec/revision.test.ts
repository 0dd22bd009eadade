/** What a spec's revision changes, which experiments say one, and that those without stay as they were. */
import { describe, expect, it } from "vitest";
import { computeCredit } from "../../src/algorithm/registry.ts";
import type { Output } from "../../src/cli/command.ts";
import { sayOldReadings } from "../../src/cli/trainOptions.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { DEFAULT_HORIZON } from "../../src/method/numbers.ts";
import { specAlgorithm, specAlgorithms, validateSpec } from "../../src/spec/experiment.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { presetNames, presetSpec, toSpec } from "../../src/spec/presets.ts";
import { oldReadings, revised, revisionReasons } from "../../src/spec/revise.ts";
import { CURRENT_REVISION } from "../../src/spec/revision.ts";
import { algorithmDoc } from "../../src/spec/algorithmDocs/docs.ts";
import { shippedEpisodes } from "../fixtures/shippedRun.ts";
import { choosePreset, editField, openDraft, toggleAlgorithm } from "../../src/store/specDraft.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";

const withDrGrpo = () => ({ ...presetSpec("nano"), algorithms: [{ name: "dr-grpo", set: {} }] });

describe("the revision of a spec", () => {
  it("is absent from every preset, and from the JSON of what lacks it", () => {
    for (const name of presetNames) expect(presetSpec(name)).not.toHaveProperty("revision");
    const written = { algorithms: [{ name: "dr-grpo", set: {} }] };
    expect(canonicalJson(toSpec(written))).not.toContain("revision");
    expect(decodeLink("#v1/nano?algorithms=dr-grpo").spec).not.toHaveProperty("revision");
  });

  it("is one of those that there are", () => {
    expect(validateSpec({ ...presetSpec("nano"), revision: 2 }).revision).toBe(2);
    for (const revision of [0, CURRENT_REVISION + 1, 1.5])
      expect(() => validateSpec({ ...presetSpec("nano"), revision })).toThrow(
        `revision is ${revision}; it must be a whole number from 1 to ${CURRENT_REVISION}`,
      );
  });

  it("travels in links", () => {
    const spec = { ...withDrGrpo(), revision: CURRENT_REVISION };
    const link = encodeLink(spec);
    expect(link).toContain("revision=2");
    expect(decodeLink(link)).toMatchObject({ spec, warnings: [] });
    expect(decodeLink(encodeLink(withDrGrpo())).spec).toEqual(withDrGrpo());
  });
});

describe("rows by revision", () => {
  it("Dr.GRPO divides by the longest rollout in the first, by turns times tokens a turn since", () => {
    const spec = withDrGrpo();
    expect(specAlgorithms(spec)[0]!.horizon).toBeNull();
    expect(specAlgorithms({ ...spec, revision: 2 })[0]!.horizon).toBe(5 * 6);
    expect(resolveAlgorithm("dr-grpo").horizon).toBe(DEFAULT_HORIZON);
    const asked = specAlgorithm({ ...spec, revision: 2 }, "dr-grpo", { horizon: "none" });
    expect(asked.horizon).toBeNull();
  });

  it("DAPO keeps groups by score in the first, by success since", () => {
    const filterOf = (revision: number) =>
      specAlgorithm({ ...presetSpec("nano"), revision }, "dapo").filter;
    expect([1, 2].map(filterOf)).toEqual(["mixed", "accuracy"]);
    const task = ["a", "a", "b", "b"];
    const turns = (reward: number) => [{ reward, tokens: [{ logprob: -1, oldLogprob: -1 }] }];
    const batch = decodeBatch({
      trajectories: [0.2, -0.5, 10.9, -0.5].map((reward, b) => ({
        task: task[b],
        success: reward > 10,
        turns: turns(reward),
      })),
    });
    const kept = [1, 2].map((revision) =>
      computeCredit(specAlgorithm({ ...presetSpec("nano"), revision }, "dapo"), batch).kept!.join(),
    );
    expect(kept).toEqual(["1,1,1,1", "0,0,1,1"]);
    const { success: _, ...without } = batch;
    expect(() => computeCredit(resolveAlgorithm("dapo"), without)).toThrow(
      "trajectories[0].success is missing; dapo needs it",
    );
  });

  it("DAPO's text says how many recorded groups each reading keeps", () => {
    const groups = Array.from({ length: 50 }, (_, i) => shippedEpisodes("grpo", i + 1));
    const differ = (of: (episode: EpisodeRecord) => unknown) =>
      groups.filter((group) => group.some((one) => of(one) !== of(group[0]!))).length;
    const [byScore, bySuccess] = [differ(({ reward }) => reward), differ(({ success }) => success)];
    expect(groups.every((group) => new Set(group.map(({ task }) => task)).size === 1)).toBe(true);
    expect(algorithmDoc("dapo").text.watch).toContain(
      `Of GRPO's 50 groups in the recorded small Sokoban run, ${bySuccess} are left; by score, ${byScore}.`,
    );
  });

  it("MT-GRPO adds later turns' scores since the second", () => {
    const laterTurns = [1, 2].map(
      (revision) => specAlgorithm({ ...presetSpec("nano"), revision }, "mt-grpo").laterTurns,
    );
    expect(laterTurns).toEqual(["outcome", "discounted"]);
  });

  it("rows whose numbers are the same in both are equal", () => {
    const spec = presetSpec("nano");
    const differ = algorithmNames.filter((name) => {
      const [old, now] = [1, 2].map((revision) => specAlgorithm({ ...spec, revision }, name));
      return JSON.stringify(old) !== JSON.stringify(now);
    });
    expect(differ).toEqual(["rebn", "dr-grpo", "dapo", "dppo-tv", "dppo-kl", "vapo", "mt-grpo"]);
  });
});

describe("who says the current revision", () => {
  it("a new experiment whose numbers depend on it", () => {
    expect(revised(presetSpec("nano"), null)).toEqual(presetSpec("nano"));
    expect(revised(withDrGrpo(), null).revision).toBe(CURRENT_REVISION);
    expect(revisionReasons(withDrGrpo())).toEqual([
      { what: "dr-grpo", was: "horizon none", now: "horizon 30" },
    ]);
    const inner = toSpec({ algorithms: [], iterative: { inner: "rebn" } });
    expect(revisionReasons(inner).map(({ what }) => what)).toEqual(["iterative-ppo"]);
  });

  it("not one that was there before", () => {
    const opened = openDraft(withDrGrpo());
    expect(oldReadings(opened.spec)).toHaveLength(1);
    expect(editField(opened, "seed", "3").spec).not.toHaveProperty("revision");
    const more = toggleAlgorithm(opened, "grpo", true, algorithmNames);
    expect(more.spec).not.toHaveProperty("revision");
  });

  it("the command line says how an older file is read", () => {
    const said: string[] = [];
    const out = { progress: (line: string) => said.push(line) } as unknown as Output;
    sayOldReadings(withDrGrpo(), out);
    expect(said).toEqual([
      'dr-grpo: horizon none, as in revision 1; "revision": 2 in the spec takes horizon 30',
    ]);
    sayOldReadings({ ...withDrGrpo(), revision: CURRENT_REVISION }, out);
    expect(said).toHaveLength(1);
  });

  it("the form's, for as long as it makes a difference", () => {
    const opened = openDraft(presetSpec("nano"));
    const added = toggleAlgorithm(opened, "dr-grpo", true, algorithmNames);
    expect(added.spec.revision).toBe(CURRENT_REVISION);
    expect(toggleAlgorithm(added, "dr-grpo", false, algorithmNames).spec).toEqual(opened.spec);
    const set = editField(opened, "grpo/aggregation", "seq-mean-token-sum-norm");
    expect(set.spec.revision).toBe(CURRENT_REVISION);
    expect(editField(set, "grpo/aggregation", "").spec).toEqual(opened.spec);
    const chosen = choosePreset(openDraft(withDrGrpo()), "nano");
    expect(toggleAlgorithm(chosen, "dr-grpo", true, algorithmNames).spec.revision).toBe(2);
  });
});
