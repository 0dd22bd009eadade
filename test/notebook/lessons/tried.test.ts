/** What lessons say of their live experiments, "when we tried it", is what `node test/tried.mjs` has kept of these runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bodyOf, lessonText } from "../../fixtures/lesson.ts";
import { TRIED, type Tried } from "../../tried/tried.ts";

const repository = join(import.meta.dirname, "../../..");
const kept = JSON.parse(readFileSync(join(repository, "test/tried/tried.json"), "utf8")) as Record<
  string,
  Tried
>;
const notesOf = (lesson: string) =>
  readFileSync(join(repository, `public/notebooks/teacher/${lesson}.md`), "utf8");

/** Of a metric, from the iteration on in which it is there. */
const valuesOf = (lesson: string, metric: string) =>
  kept[lesson]!.train[metric]!.flatMap(([, value]) => (value === null ? [] : [value]));
const at = (lesson: string, metric: string, iteration: number) =>
  kept[lesson]!.train[metric]!.find(([x]) => x === iteration)![1]!;
const percent = (share: number) => (100 * share).toFixed(0);

describe("what was tried", () => {
  it.each(Object.keys(TRIED))("in lesson %s is still its live experiment", (lesson) => {
    expect(kept[lesson]!.experiment).toBe(bodyOf(lesson, "live"));
    expect(kept[lesson]!.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is named in every lesson that says so, and in no other", () => {
    const texts = ["clip", "drift"].map((lesson) => lessonText(lesson));
    for (const text of texts) expect(text).toContain("node test/tried.mjs");
  });
});

it("GSPO's narrow band cuts as much as lesson 7 says", () => {
  const cut = valuesOf("clip", "actor/pg_clipfrac");
  expect(cut).toHaveLength(4);
  const said = `${percent(Math.min(...cut))} to ${percent(Math.max(...cut))} % of the tokens`;
  expect(lessonText("clip")).toContain(said);
  expect(notesOf("clip")).toContain(said);
});

it("S-PPO's divisor stays 1, as lesson 10 says", () => {
  const norm = (iteration: number) =>
    at("drift", "actor/clip_bias_norm/mean", iteration).toFixed(2);
  const share = (iteration: number) => at("drift", "actor/turn_ratio_ess", iteration).toFixed(2);
  expect(new Set(valuesOf("drift", "actor/clip_bias_denominator/mean"))).toEqual(new Set([1]));
  const text = lessonText("drift");
  expect(text).toContain(`rose from ${norm(3)} in iteration 3 to ${norm(5)} in iteration 5.`);
  expect(text).toContain(`the effective share of turns fell from ${share(3)} to ${share(5)}.`);
  expect(notesOf("drift")).toContain(`rose from ${norm(3)} to ${norm(5)}`);
});

it("the doctor is silent while success falls, as the notes of lesson 9 say", () => {
  const { findings, success } = kept["clinic"]!;
  expect(findings).toEqual([]);
  const [first, last] = [success[0]![1]!, success.at(-1)![1]!].map((x) => (100 * x).toFixed(1));
  expect(notesOf("clinic")).toContain(`held-out success fell from ${first} % to ${last} %`);
  const k3 = valuesOf("clinic", "actor/ppo_kl_k3");
  expect(notesOf("clinic")).toContain(`k3 rose to ${Math.max(...k3).toFixed(2)} in iteration`);
});
