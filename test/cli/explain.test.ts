import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { groupsOf } from "../../src/reading/groups.ts";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import type { FoundCause, Story } from "../../src/reading/story/story.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { falls, plantedEvents, type Plant } from "../fixtures/plantedLog.ts";

const runs = join(import.meta.dirname, "..", "..", "public", "runs");
const folder = mkdtempSync(join(tmpdir(), "turnbook-explain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function explain(...argv: string[]) {
  const json: Story[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(JSON.parse(JSON.stringify(value)) as Story),
    progress: (line: string) => void lines.push(line),
  };
  return { code: await main(["explain", ...argv], out), json, lines };
}

/** The episode that an address names, from the recording itself. */
async function recorded(name: string, at: string) {
  const [algorithm, iteration, episode] = at.split(",") as [string, string, string];
  const read = (file: string) => readFileSync(join(runs, name, file));
  const { source } = await readColumnar(read("recording.json").toString("utf8"), (file) =>
    Promise.resolve(new Uint8Array(read(file))),
  );
  const methods = await source.recording.iteration(Number(iteration));
  const { episodes } = methods[algorithm] as unknown as { episodes: EpisodeRecord[] };
  return { episodes, episode: episodes[Number(episode) - 1]!, index: Number(episode) - 1 };
}

const found = (story: Story, name: string) => story.causes.find(({ cause }) => cause === name)!;
const place = ({ because }: FoundCause) => because[0]!.at!;

it("the recorded run: GRPO fell, since its groups fall silent and failures are divided by a tiny spread", async () => {
  const { code, json, lines } = await explain(join(runs, "nano"));
  expect([code, lines]).toEqual([0, []]);
  expect(json.map(({ algorithm, verdict }) => [algorithm, verdict])).toEqual([
    ["grpo", "fell"],
    ["token-ppo", "learned"],
    ["turn-ppo", "learned"],
  ]);
  const [grpo, ...others] = json as [Story, Story, Story];
  expect(others.flatMap(({ causes }) => causes)).toEqual([]);
  expect(grpo.onset).toBeGreaterThanOrEqual(11);
  expect(grpo.onset).toBeLessThanOrEqual(20);
  expect(
    grpo.causes
      .slice(0, 2)
      .map(({ cause }) => cause)
      .toSorted(),
  ).toEqual(["cheap-failures", "silent-groups"]);
  const silent = found(grpo, "silent-groups");
  expect(silent.because[0]).toMatchObject({ metric: "frac_reward_zero_std", from: 0, to: 0.625 });
  expect(silent.between).toEqual([11, 18]);
  expect(grpo.says).toMatch(/from 24\.6\s% to 14\.5\s% by iteration 30/);
  expect(found(grpo, "cheap-failures").test).toEqual({ set: { "grpo.std": "none" } });
});

it("what the evidence says of a group and an episode is in the file", async () => {
  const { json } = await explain(join(runs, "nano"), "--algorithm", "grpo");
  expect(json).toHaveLength(1);
  const flat = await recorded("nano", place(found(json[0]!, "silent-groups")));
  const same = flat.episodes.filter(({ task }) => task === flat.episode.task);
  expect(new Set(same.map(({ reward }) => reward)).size).toBe(1);
  const cheap = found(json[0]!, "cheap-failures");
  const { episodes, episode, index } = await recorded("nano", place(cheap));
  const group = groupsOf(episodes, "population").findIndex(({ task }) => task === episode.task);
  expect(episode.success).toBe(false);
  expect(episode.turns[0]!.advantage).toBeGreaterThan(1);
  expect(cheap.because[0]!.says).toContain(`Group ${group + 1}: all 8 recorded attempts fail`);
  expect(cheap.because[0]!.says).toContain(`episode ${index + 1} earns`);
});

it.each([
  ["clinic-a", "fell", "large-steps"],
  ["clinic-b", "fell", "silent-groups"],
  ["clinic-c", "stalled", "critic-failure"],
  ["clinic-d", "lost-format", "entropy-blow-up"],
])("the recorded patient %s: %s, first of all %s", async (name, verdict, cause) => {
  const { json } = await explain(join(runs, name));
  expect(json).toMatchObject([{ verdict, causes: expect.any(Array) }]);
  expect(json[0]!.causes[0]!.cause).toBe(cause);
});

it("reads a log of lines, and another trainer's rollouts", async () => {
  const plant = { heldOut: falls, train: () => ({ "actor/entropy": 0.05 }) };
  const log = logOf("planted.jsonl", plant);
  const own = await explain(log);
  expect(own.json[0]).toMatchObject({ algorithm: "turn-ppo", verdict: "fell" });
  expect(own.json[0]!.causes[0]!.cause).toBe("entropy-crash");
  const imported = join(import.meta.dirname, "..", "fixtures", "import", "12.jsonl");
  const other = await explain(imported);
  expect(other.code).toBe(0);
  expect(other.json).toMatchObject([{ verdict: "too-early", causes: [] }]);
  expect(other.json[0]!.notMeasured.length).toBeGreaterThan(5);
});

it("tells each run of a folder apart, and of a run's folder its log alone", async () => {
  const seeds = join(folder, "seeds");
  for (const [name, since] of [
    ["s1", (): number => 0.6],
    ["s2", falls],
  ] as const) {
    mkdirSync(join(seeds, name), { recursive: true });
    logOf(join("seeds", name, "events.jsonl"), { heldOut: since });
    writeFileSync(join(seeds, name, "turnbook-run.json"), "{}");
    writeFileSync(join(seeds, name, "checkpoint.zip"), "PK\u0003\u0004");
  }
  const both = await explain(seeds);
  expect(both.lines).toEqual([]);
  expect(both.json).toMatchObject([
    { run: "seeds/s1/events.jsonl", algorithm: "turn-ppo", verdict: "learned" },
    { run: "seeds/s2/events.jsonl", algorithm: "turn-ppo", verdict: "fell" },
  ]);
  const one = await explain(join(seeds, "s2"));
  expect(one.json).toEqual([expect.not.objectContaining({ run: expect.anything() })]);
  expect(one.json).toMatchObject([{ verdict: "fell" }]);
  const tested = await explain(seeds, "--test", "entropy-crash", "--out", join(folder, "none"));
  expect(tested).toMatchObject({ code: 2, json: [] });
  expect(tested.lines[0]).toContain("--test takes one run");
});

const logOf = (name: string, plant: Plant) => {
  const file = join(folder, name);
  writeFileSync(
    file,
    plantedEvents(plant)
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(""),
  );
  return file;
};

it("runs the experiment that a cause proposes, and says what came of it", async () => {
  const nano = presetSpec("nano");
  const log = logOf("tested.jsonl", {
    heldOut: falls,
    train: () => ({ "actor/entropy": 0.05 }),
    changes: {
      model: { preset: "nano", warmStart: "none" },
      optimisation: { ...nano.optimisation, tasksPerIteration: 2, groupSize: 2, minibatch: 2 },
      evaluation: { ...nano.evaluation, levels: 4, every: 1 },
    },
  });
  const out = join(folder, "test");
  const words = ["--test", "entropy-crash", "--out", out, "--seeds", "2", "--iterations", "1"];
  const { code, json } = await explain(log, ...words, "--jobs", "1");
  expect(code).toBe(0);
  // No model learns in one iteration: nothing changes.
  const told = { cause: "entropy-crash", set: { "turn-ppo.optimisation.actorLr": 0.0002 } };
  expect(json).toMatchObject([{ algorithm: "turn-ppo", ...told, iterations: 1, seeds: 2 }]);
  expect(json).toMatchObject([{ verdict: "cannot-tell", measure: "val-env/sokoban/success" }]);
  const kept = JSON.parse(readFileSync(join(out, "test.json"), "utf8")) as { seeds: number[] };
  expect(kept.seeds).toEqual([nano.seed + 1, nano.seed + 2]);
  const again = await explain(log, ...words);
  expect(again.json).toEqual(json);
  expect(again.lines[0]).toBe("4 runs, 4 already finished");
  const other = await explain(log, ...words.with(5, "3"));
  expect(other.lines.at(-1)).toContain("has another content; use another folder");
});

it("refuses what is no run, in one line", async () => {
  const text = join(folder, "notes.txt");
  writeFileSync(text, "nothing of the kind\n");
  for (const [argv, words] of [
    [[], "explain takes one path"],
    [["no-such-run"], "there is no such file or folder"],
    [[text], "is not a run's log"],
    [[join(runs, "nano"), "--algorithm", "dpo"], '--algorithm is "dpo"'],
    [[join(runs, "nano"), "--test", "boredom"], '--test is "boredom"; causes with a test here:'],
    [[join(runs, "nano"), "--test", "silent-groups"], "--test needs --out DIR"],
    [[join(runs, "nano"), "--seeds", "3"], "--seeds needs --test CAUSE"],
  ] as const) {
    const { code, lines } = await explain(...argv);
    expect(code).toBe(2);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(words);
  }
});
