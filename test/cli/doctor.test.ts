import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { words } from "../../src/interchange/import/words.ts";
import type { Diagnosis } from "../../src/train/doctor/doctor.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...argv: string[]) {
  const json: Record<string, unknown>[] = [];
  const progress: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(JSON.parse(JSON.stringify(value)) as never),
    progress: (line: string) => void progress.push(line),
  };
  return { code: await main(argv, out), json, progress };
}

/** Four sound iterations, then a learning rate that throws the policy off. */
const specFile = join(folder, "spec.json");
writeFileSync(
  specFile,
  JSON.stringify({
    preset: "healthy",
    algorithms: [{ name: "grpo", set: {} }],
    optimisation: { iterations: 7, tasksPerIteration: 2, groupSize: 4, minibatch: 4 },
    evaluation: { levels: 0 },
    schedule: { from: 5, actorLr: 0.05 },
    doctor: { pause: true, keepEvery: 2, crossScoreEvery: 0 },
  }),
);

test("a run that the doctor stops ends with a clear line, keeps the checkpoint before the fall, and goes on when asked again", async () => {
  const out = join(folder, "run");
  const stopped = await run("train", specFile, "--out", out, "--workers", "1");
  expect(stopped.code).toBe(0);
  expect(stopped.json.at(-1)).toMatchObject({ type: "finding", detector: "ratio-blow-up" });
  expect(stopped.progress.at(-1)).toMatch(
    /^stopped: Ratio blow-up in grpo, seen at iteration \d, since iteration [567]\. .*The checkpoint after iteration 4 is kept\.$/,
  );
  const kept = join(out, "checkpoint-before-fall.zip");
  expect((await decodeCheckpoint(readFileSync(kept))).position.iteration).toBe(5);

  const { json } = await run("doctor", "--run", out);
  const { findings, notMeasured } = json[0] as unknown as Diagnosis;
  const { type: _type, chain: _chain, time: _time, ...told } = stopped.json.at(-1)!;
  expect(findings).toEqual([told]);
  expect(notMeasured.map(({ detector }) => detector)).toContain("critic-failure");

  const resumed = await run("train", specFile, "--out", out, "--workers", "1");
  expect(resumed.progress.some((line) => line.startsWith("resumed"))).toBe(true);
  // To the next finding or the end: each detector stops a run once.
  const iterations = ({ json }: typeof resumed) => json.filter((e) => e["type"] === "iteration");
  expect(iterations(resumed).length).toBeGreaterThan(iterations(stopped).length);

  // The kept checkpoint in place of the run's own begins again before the fall.
  const back = join(folder, "back");
  mkdirSync(back);
  for (const [from, to] of [
    ["events.jsonl", "events.jsonl"],
    ["checkpoint-before-fall.zip", "checkpoint.zip"],
  ] as const)
    writeFileSync(join(back, to), readFileSync(join(out, from)));
  const again = await run("train", specFile, "--out", back, "--workers", "1");
  expect(again.progress).toContain("resumed after iteration 4");
  expect(again.json.at(-1)).toMatchObject({
    type: "finding",
    chain: stopped.json.at(-1)!["chain"],
  });
});

test("any log is read, a recording too", async () => {
  const recording = resolve(import.meta.dirname, "../fixtures/runs/nano.jsonl");
  const { code, json } = await run("doctor", "--from", recording);
  expect(code).toBe(0);
  expect((json[0] as unknown as Diagnosis).findings.map(({ algorithm }) => algorithm)).toContain(
    "grpo",
  );
});

test("what cannot be read is said in one line", async () => {
  const bad = join(folder, "bad.jsonl");
  writeFileSync(bad, '{"type":"end"}\nnot json\n');
  const cases: [string[], RegExp][] = [
    [[], /doctor takes --from/],
    [["--run", bad, "--from", bad], /doctor takes --from/],
    [["--run", join(folder, "nowhere")], /there is no such folder/],
    [["--run", join(folder, "empty")], /holds no file that may have rollouts/],
    [["--run", bad], /line 2 is not valid JSON/],
  ];
  mkdirSync(join(folder, "empty"), { recursive: true });
  for (const [argv, message] of cases) {
    const { code, progress } = await run("doctor", ...argv);
    expect([code, progress[0]]).toEqual([2, expect.stringMatching(message)]);
  }
});

const iteration = (metrics: unknown) =>
  JSON.stringify({ type: "iteration", algorithm: "a", iteration: 1, metrics });

test("a file that is not a run's log is refused, not called healthy", async () => {
  const cases: [string, RegExp][] = [
    ["", /the log is empty/],
    ["\n \n", /the log is empty/],
    ['{"a":1}', /it is not a run log\. .* an object with the fields a\.$/],
    [iteration({ x: "much" }), /it is not a run log/],
    [iteration(undefined), /it is not a run log/],
    [iteration([1]), /it is not a run log/],
    ["[1]\nnull\n", /it is not a run log/],
    ['{"type":{"toString":1}}', /it is not a run log/],
    [`${iteration({ x: 1 })}\n${"1\n".repeat(10_001)}`, /more than 10000 lines that are not event/],
    ["yes\n".repeat(100_000), /it is not a run log/],
    ['{"command":"x"}\n{"fingerprint":"y"}', /it is not a run log/],
  ];
  for (const [text, message] of cases) {
    writeFileSync(join(folder, "none.jsonl"), text);
    const { code, json, progress } = await run("doctor", "--run", join(folder, "none.jsonl"));
    expect([text, code, json, progress]).toEqual([
      ...[text, 2, []],
      [expect.stringMatching(message)],
    ]);
  }
});

test("lines that are not events are left out, and said to be", async () => {
  const log = join(folder, "some.jsonl");
  const lines = [iteration({ "actor/entropy": 1 }), iteration(undefined), '{"b":2}'];
  writeFileSync(log, [...lines, '{"type":"iteration","algo'].join("\n"));
  const { code, json, progress } = await run("doctor", "--run", log);
  expect(code).toBe(0);
  expect(json[0]).toMatchObject({ source: "Turnbook", findings: [] });
  expect(progress[0]).toBe("3 lines are no event of a run and not judged (first: line 2)");
});

test.each([
  ["12.jsonl", "verl"],
  ["rank_0.jsonl", "prime-rl"],
  ["rollouts.json", "RAGEN"],
  ["unipo.json", "UNIPO"],
])("%s of %s is judged by what it has, and says how little that is", async (name, source) => {
  const path = resolve(import.meta.dirname, "../fixtures/import", name);
  const { code, json, progress } = await run("doctor", "--run", path);
  const { checks, notMeasured } = json[0] as unknown as Diagnosis & { checks: { made: number } };
  expect(code).toBe(0);
  expect(json[0]).toMatchObject({ source, checks: { of: 9 }, findings: [] });
  expect(checks.made).toBe(9 - notMeasured.length);
  expect(progress).toEqual([
    `${source}: ${checks.made} of 9 checks made; notMeasured lists the others`,
  ]);
});

test("a rollout file of validation is judged as such, and what is wrong in it is said", async () => {
  mkdirSync(join(folder, "validation"), { recursive: true });
  const path = join(folder, "validation", "10.jsonl");
  const lines = [1, "much"].map((score) => JSON.stringify({ input: "q", output: "a", score }));
  writeFileSync(path, lines.join("\n"));
  const { code, progress } = await run("doctor", "--run", path);
  expect(code).toBe(0);
  expect(progress).toContain(words.tally.unrewarded(1, 2));
});

test("a file that is not text is named as what it is", async () => {
  const path = join(folder, "completions_00001.parquet");
  writeFileSync(path, "PAR1 prompt completion accuracy advantage");
  const { code, progress } = await run("doctor", "--run", path);
  expect(code).toBe(2);
  expect(progress[0]).toContain("This Parquet file could not be read");
});

test("the folder of another program has no chain, and is judged like its files", async () => {
  const path = join(folder, "rollouts");
  mkdirSync(path);
  const text = readFileSync(resolve(import.meta.dirname, "../fixtures/import/12.jsonl"));
  writeFileSync(join(path, "12.jsonl"), text);
  const { code, json } = await run("doctor", "--run", path);
  expect(code).toBe(0);
  expect(json[0]).toMatchObject({
    source: "verl",
    checks: { made: 3, of: 9 },
    integrity: { state: "no chain" },
  });
});
