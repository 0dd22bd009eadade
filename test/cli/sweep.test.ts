import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { collectFolders } from "../../src/cli/sweep/collect.ts";
import { readResult, type RunResult } from "../../src/cli/sweep/results.ts";
import { summariseRuns } from "../../src/cli/sweep/summary.ts";
import { summaryTable } from "../../src/cli/sweep/sweep.ts";
import { KeptResults } from "../../src/cli/sweep/keptResults.ts";
import { planSweep } from "../../src/cli/sweep/sweepFile.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { Chain } from "../../src/train/chain.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-sweep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MEASURE = "val-env/sokoban/success";

describe("a sweep's file", () => {
  test("makes a run of every variant, combination and seed", () => {
    const { runs, measures } = planSweep({
      base: { preset: "nano" },
      variants: [
        { name: "grpo", set: { algorithms: [{ name: "grpo", set: {} }] } },
        { name: "both", set: {} },
      ],
      grid: { "optimisation.actorLr": [1e-4, 1e-3], "grpo.epsHigh": [0.3] },
      seeds: [7, 8],
    });
    expect(runs.map(({ name }) => name)).toEqual(
      ["grpo", "both"].flatMap((variant) =>
        ["0.0001", "0.001"].flatMap((rate) =>
          [7, 8].map(
            (seed) => `${variant}-optimisation.actorLr=${rate}-grpo.epsHigh=0.3-seed${seed}`,
          ),
        ),
      ),
    );
    expect(runs[0]!.spec).toEqual({
      ...presetSpec("nano"),
      algorithms: [{ name: "grpo", set: { epsHigh: 0.3 } }],
      optimisation: { ...presetSpec("nano").optimisation, actorLr: 1e-4 },
      seed: 7,
    });
    expect(measures).toEqual([MEASURE]);
  });

  test("draws the same values for every variant, within their ranges, and again the same", () => {
    const input = {
      variants: ["a", "b"].map((name) => ({ name, set: {} })),
      draws: {
        count: 40,
        over: {
          "optimisation.actorLr": { log: [1e-4, 1e-2] },
          "critic.coef": { linear: [0.5, 1] },
          "optimisation.epochs": [1, 2, 4],
        },
      },
      seeds: [1],
    };
    const { runs } = planSweep(input);
    expect(runs).toHaveLength(80);
    expect(runs[0]!.name).toBe("a-draw01-seed1");
    const values = runs.map(({ spec }) => [
      spec.optimisation.actorLr,
      spec.critic.coef,
      spec.optimisation.epochs,
    ]);
    expect(values.slice(0, 40)).toEqual(values.slice(40));
    const rates = values.slice(0, 40).map(([rate]) => rate!);
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(1e-4);
    expect(Math.max(...rates)).toBeLessThanOrEqual(1e-2);
    // As many below the geometric mean as above, nearly.
    expect(Math.abs(rates.filter((rate) => rate < 1e-3).length - 20)).toBeLessThan(10);
    expect(new Set(values.map(([, , epochs]) => epochs))).toEqual(new Set([1, 2, 4]));
    expect(planSweep(input)).toEqual(planSweep(input));
  });

  test("is refused by field and value", () => {
    const refused = (input: unknown, message: string) => {
      expect(() => planSweep(input)).toThrow(InputError);
      expect(() => planSweep(input)).toThrow(message);
    };
    refused([], "the sweep's file is []");
    refused({ seeds: [] }, "the sweep's seeds is []");
    refused({ seeds: [1, 1] }, "the sweep's seeds list 1 twice");
    refused({ seeds: [1], grids: {} }, "grids");
    refused({ seeds: [1], grid: { "a.b": [1] } }, "variant base: a.b is not a field");
    refused(
      { seeds: [1], grid: { "optimisation.actorLr": [5] } },
      "variant base: optimisation.actorLr is 5; it must be a number from 0 to 1",
    );
    const over = { "optimisation.actorLr": { log: [0, 1] } };
    refused({ seeds: [1], draws: { count: 1, over } }, "it must be above 0");
    const twins = ["x", "x"].map((name) => ({ name, set: {} }));
    refused({ seeds: [1], variants: twins }, "two settings named x");
  });
});

describe("a sweep's summary", () => {
  const { runs } = planSweep({
    base: { preset: "nano", algorithms: [{ name: "grpo", set: {} }] },
    variants: ["a", "b"].map((name) => ({ name, set: {} })),
    seeds: [1, 2, 3, 4, 5],
  });
  const result = (i: number, first: number, last: number | null): RunResult => ({
    ...{ run: runs[i]!, state: "done", fingerprint: "", iterations: 9 },
    methods: [
      {
        ...{ method: "grpo", crashedAt: last === null ? 3 : null, seconds: 1, tokens: 1, late: {} },
        points: [
          [0, { [MEASURE]: first }],
          [9, { [MEASURE]: last }],
        ],
      },
    ],
  });

  test("has means, interquartile means, intervals, and differences paired by seed", () => {
    const a = [0.1, 0.2, 0.3, 0.4, 1];
    const b = [0.2, 0.4, 0.4, 0.6, 1.2];
    const results = [...a, ...b].map((last, i) => result(i, 0.1, last));
    const { rows, differences } = summariseRuns(results, [MEASURE]);
    expect(rows[0]).toMatchObject({ setting: "a", method: "grpo", n: 5, crashed: 0, collapsed: 0 });
    expect(rows[0]!.mean).toBeCloseTo(0.4, 12);
    expect(rows[0]!.iqm).toBeCloseTo(0.3, 12);
    // t of 4 degrees of freedom is 2.776; the standard error 0.3536 / sqrt(5).
    expect(rows[0]!.tInterval!.high - rows[0]!.mean!).toBeCloseTo(2.7764 * 0.15811, 3);
    expect(rows[0]!.gain.mean).toBeCloseTo(0.3, 12);
    expect(differences).toHaveLength(1);
    expect(differences[0]).toMatchObject({ a: { setting: "b" }, b: { setting: "a" }, n: 5 });
    expect(differences[0]!.mean).toBeCloseTo(0.16, 12);
    const { low, high } = differences[0]!.bootstrap!;
    expect(low).toBeGreaterThan(0.1);
    expect(high).toBeLessThan(0.21);
  });

  test("a crashed run counts with its last finite score", () => {
    const fell = result(0, 0.1, null);
    fell.methods[0]!.points.splice(1, 0, [6, { [MEASURE]: 0.3 }]);
    const [row] = summariseRuns([fell, result(1, 0.1, 0.5)], [MEASURE]).rows;
    expect(row).toMatchObject({ n: 2, crashed: 1, mean: 0.4 });
    expect(row!.scores.map(({ last }) => last)).toEqual([0.3, 0.5]);
    expect(row!.gain.mean).toBeCloseTo(0.3, 12);
  });

  test("counts a policy that fell as collapsed, though its numbers stayed finite", () => {
    const scores = (success: number, valid: number) => ({
      ...{ "val-env/sokoban/success": success, "val-env/sokoban/action_is_valid": valid },
    });
    const ended = (i: number, success: number, valid: number): RunResult => {
      const run = result(i, 0.2, success);
      run.methods[0]!.points = [
        [0, scores(0.2, 1)],
        [9, scores(success, valid)],
      ];
      return run;
    };
    const runs = [ended(0, 0.09, 1), ended(1, 0.4, 0.3), ended(2, 0.15, 0.9)];
    const summary = summariseRuns(runs, ["val-env/sokoban/success"]);
    expect(summary.rows[0]).toMatchObject({ n: 3, crashed: 0, collapsed: 2 });
    expect(summaryTable(summary)[2]).toMatch(/ 2 +0$/);
  });

  test("has the points of every run that has begun", () => {
    const stopped: RunResult = { ...result(1, 0.1, 0.2), state: "stopped" };
    const missing: RunResult = { ...result(2, 0.1, 0.2), state: "not run" };
    const [row] = summariseRuns([result(0, 0.1, null), stopped, missing], [MEASURE, "m"]).rows;
    const points = (last: number | null) => [
      [0, 0.1],
      [9, last],
    ];
    expect(row!.curves).toEqual([
      { seed: 1, state: "done", crashedAt: 3, points: points(null) },
      { seed: 2, state: "stopped", crashedAt: null, points: points(0.2) },
    ]);
    expect(row!.scores.map(({ seed }) => seed)).toEqual([1]);
  });

  test("counts what crashed, stopped or was not run", () => {
    const stopped: RunResult = { ...result(1, 0.1, 0.2), state: "stopped" };
    const missing: RunResult = { ...result(2, 0.1, 0.2), state: "not run" };
    const results = [result(0, 0.1, null), stopped, missing, result(3, 0.1, 0.5)];
    const summary = summariseRuns(results, [MEASURE]);
    expect(summary.runs).toEqual({ planned: 4, done: 2, stopped: 1, notRun: 1 });
    expect(summary.rows[0]).toMatchObject({
      n: 2,
      crashed: 1,
      collapsed: 1,
      stopped: 1,
      mean: 0.3,
    });
    expect(summary.rows[0]).toMatchObject({ stoppedEarly: 0 });
    const early = [...results, { ...stopped, run: runs[4]!, stoppedEarly: true }];
    const counted = summariseRuns(early, [MEASURE]);
    expect(counted.rows[0]).toMatchObject({ n: 2, stopped: 2, stoppedEarly: 1 });
    const [title, head, line] = summaryTable(counted);
    expect(title).toBe(MEASURE);
    const at = head!.indexOf("collapsed");
    expect(line!.slice(at)).toMatch(/^1 +2 \(1 by the doctor\)$/);
    expect(line).toMatch(/^a +grpo +2 +0\.3 /);
  });

  test("of one setting a method has no aggregate beside its row", () => {
    const results = [0.1, 0.2, 0.3].map((last, i) => result(i, 0.1, last));
    expect(summariseRuns(results, [MEASURE]).methods).toEqual([]);
  });

  test("over several settings seeds are drawn separately within each", () => {
    // What lies between the settings must not widen the interval: within each, all seeds agree.
    const apart = [...[0, 1, 2, 3, 4].map(() => 0.2), ...[0, 1, 2, 3, 4].map(() => 0.8)];
    const summary = summariseRuns(
      apart.map((last, i) => result(i, 0.1, last)),
      [MEASURE],
    );
    const [all, ...others] = summary.methods;
    expect(others).toEqual([]);
    expect(all).toMatchObject({ method: "grpo", settings: ["a", "b"], n: 10, difference: null });
    expect(all!.mean).toBeCloseTo(0.5, 12);
    // Of ten values the six in the middle.
    expect(all!.iqm).toBeCloseTo(0.5, 12);
    expect(all!.bootstrap!.low).toBeCloseTo(0.5, 12);
    expect(all!.bootstrap!.high).toBeCloseTo(0.5, 12);
    const alone = apart.slice(0, 6).map((last, i) => result(i, 0.1, last));
    expect(summariseRuns(alone, [MEASURE]).methods[0]!.bootstrap).toBeNull();
  });

  test("methods of the same settings are compared by pairs within each", () => {
    const both = planSweep({
      base: { preset: "nano", algorithms: ["grpo", "turn-ppo"].map((name) => ({ name, set: {} })) },
      variants: ["a", "b"].map((name) => ({ name, set: {} })),
      seeds: [1, 2, 3],
    });
    // Turn-PPO is ahead by 0.1 in a and by 0.3 in b, of every seed; seeds and settings differ by more.
    const results = both.runs.map((run): RunResult => {
      const start = run.seed / 5 + (run.setting === "a" ? 0 : 2);
      const ahead = run.setting === "a" ? 0.1 : 0.3;
      const methods = [0, ahead].map((more, m) => ({
        ...{ method: ["grpo", "turn-ppo"][m]!, crashedAt: null, seconds: 1, tokens: 1, late: {} },
        points: [[9, { [MEASURE]: start + more }]] as RunResult["methods"][0]["points"],
      }));
      return { run, state: "done", fingerprint: "", iterations: 9, methods };
    });
    const [grpo, turn] = summariseRuns(results, [MEASURE]).methods;
    expect(grpo!.difference).toBeNull();
    expect(turn!.difference).toMatchObject({ to: "grpo", settings: ["a", "b"], n: 6 });
    for (const x of [turn!.difference!.mean, ...Object.values(turn!.difference!.bootstrap!)])
      expect(x).toBeCloseTo(0.2, 12);
    expect(turn!.bootstrap!.high - turn!.bootstrap!.low).toBeGreaterThan(0.1);
  });
});

describe("folders of a sweep", () => {
  const plan = planSweep({
    base: { preset: "nano", algorithms: [{ name: "grpo", set: {} }] },
    seeds: [1, 2],
  });

  /** A made-up log of a run. */
  function write(directory: string, number: number, score: number, whole = true): string {
    const run = plan.runs[number]!;
    const chain = new Chain();
    const engine = { engine: "wasm", backend: "wasm", adapter: "", reproducible: "everywhere" };
    const scores = (iteration: number, x: number) =>
      chain.seal({
        ...{ type: "eval", algorithm: "grpo", iteration, levels: 4, metrics: { [MEASURE]: x } },
      } as Parameters<Chain["seal"]>[0]);
    const events = [
      chain.seal({
        ...{ type: "start", format: 1, version: "0", spec: run.spec, engine, parameters: 1 },
      } as Parameters<Chain["seal"]>[0]),
      scores(0, 0.25),
      ...(whole ? [scores(50, score), chain.seal({ type: "end", iterations: 50 })] : []),
    ];
    const place = join(folder, directory, "runs", run.name);
    mkdirSync(place, { recursive: true });
    writeFileSync(
      join(place, "events.jsonl"),
      events.map((event) => `${JSON.stringify(event)}\n`).join(""),
    );
    return place;
  }
  const at = (...names: string[]) => names.map((name) => join(folder, name));

  test("of two machines are summed up as one, and fingerprints that differ are named", () => {
    write("one", 0, 0.5);
    write("one", 1, 0.75, false);
    write("two", 1, 0.75);
    const halves = collectFolders(plan, at("one", "two"));
    expect(halves).toMatchObject({ overlaps: 0, disagreements: [] });
    write("whole", 0, 0.5);
    write("whole", 1, 0.75);
    const whole = collectFolders(plan, at("whole"));
    expect(summariseRuns(halves.results, plan.measures)).toEqual(
      summariseRuns(whole.results, plan.measures),
    );
    write("other", 1, 0.76);
    const differing = collectFolders(plan, at("whole", "other"));
    expect(differing.overlaps).toBe(1);
    expect(differing.disagreements.map(({ run }) => run)).toEqual([plan.runs[1]!.name]);
  });

  test("a run that the doctor has stopped is set apart from one that was killed", () => {
    const early = planSweep({
      base: { preset: "nano", algorithms: [{ name: "grpo", set: {} }], doctor: { pause: true } },
      seeds: [1],
    });
    const [run] = early.runs;
    const finding = {
      ...{ type: "finding", detector: "d", title: "t", severity: "critical", algorithm: "grpo" },
      ...{ iteration: 3, firstBad: 2, says: "s", evidence: [], cause: "c", remedies: ["r"] },
    };
    const readOf = (name: string, spec: object, events: object[]) => {
      const chain = new Chain();
      const engine = { engine: "wasm", backend: "wasm", adapter: "", reproducible: "everywhere" };
      const start = { type: "start", format: 1, version: "0", spec, engine, parameters: 1 };
      const lines = [start, ...events].map((one) =>
        chain.seal(one as Parameters<Chain["seal"]>[0]),
      );
      const place = join(folder, name, "runs", run!.name);
      mkdirSync(place, { recursive: true });
      writeFileSync(
        join(place, "events.jsonl"),
        lines.map((one) => `${JSON.stringify(one)}\n`).join(""),
      );
      return readResult(join(folder, name), {
        ...run!,
        spec: spec as NonNullable<typeof run>["spec"],
      });
    };
    const stopped = readOf("early", run!.spec, [finding]);
    expect(stopped).toMatchObject({ state: "stopped", stoppedEarly: true });
    expect(summariseRuns([stopped], early.measures).rows[0]).toMatchObject({
      ...{ n: 0, stopped: 1, stoppedEarly: 1, mean: null },
    });
    const end = { type: "end", iterations: 3 };
    expect(readOf("ended", run!.spec, [finding, end])).toMatchObject({
      ...{ state: "done", stoppedEarly: false },
    });
    const unpaused = { ...run!.spec, doctor: { ...run!.spec.doctor, pause: false } };
    expect(readOf("killed", unpaused, [finding])).toMatchObject({
      ...{ state: "stopped", stoppedEarly: false },
    });
  });

  test("with a falsified log, or one of another spec, are refused", () => {
    const file = join(write("falsified", 0, 0.5), "events.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(`"${MEASURE}":0.5`, `"${MEASURE}":0.99`));
    const read = (directory: string) => () => readResult(join(folder, directory), plan.runs[0]!);
    expect(read("falsified")).toThrow("is altered from line 3");
    const other = write("swapped", 1, 0.5);
    cpSync(other, join(folder, "swapped", "runs", plan.runs[0]!.name), { recursive: true });
    expect(read("swapped")).toThrow("holds a run of another spec");
  });
});

describe("kept results", () => {
  const plan = planSweep({
    base: { preset: "nano", algorithms: [{ name: "grpo", set: {} }] },
    seeds: [1, 2],
  });
  const [first, second] = plan.runs;
  const path = join(folder, "kept", "nano.runs.jsonl");
  const methods = [
    {
      ...{
        method: "grpo",
        points: [[0, { [MEASURE]: 0.25 }]] as [number, Record<string, number>][],
        crashedAt: null,
      },
      ...{ seconds: 12.5, tokens: 4000, late: { "actor/entropy": 0.5 } },
    },
  ];
  const result: RunResult = {
    ...{ run: first!, state: "done", fingerprint: "a1", iterations: 50, methods },
  };

  test("replace a finished run's folder, and no other's", () => {
    new KeptResults(path).add(result);
    const again = new KeptResults(path);
    expect(again.find(first!)).toEqual(result);
    expect(again.find(second!)).toBeUndefined();
    const webgpu = { ...first!.spec, engine: { ...first!.spec.engine, name: "webgpu" as const } };
    expect(again.find({ ...first!, spec: webgpu })?.fingerprint).toBe("a1");
    again.add({ ...result, run: second!, fingerprint: "b2" });
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2);
  });

  test("refuse a run that ends otherwise, and a file of something else", () => {
    const kept = new KeptResults(path);
    expect(() => kept.add({ ...result, fingerprint: "c3" })).toThrow(
      `has run ${first!.name} with fingerprint a1; it now ended with c3`,
    );
    const foreign = join(folder, "foreign.jsonl");
    writeFileSync(foreign, '{"a":1}\n');
    expect(() => new KeptResults(foreign)).toThrow("line 1: is not a result of a sweep");
  });
});

const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");
const sweepFile = join(folder, "tiny.json");
writeFileSync(
  sweepFile,
  JSON.stringify({
    base: {
      preset: "nano",
      algorithms: [{ name: "turn-ppo", set: {} }],
      environment: { maxTurns: 2 },
      optimisation: { iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
      critic: { warmup: 0, epochs: 1 },
      evaluation: { levels: 4, every: 1 },
      recordEpisodes: 0,
    },
    grid: { "optimisation.actorLr": [1e-4, 1e-3] },
    seeds: [1, 2],
  }),
);

test("plans a command for each run", async () => {
  const lines: unknown[] = [];
  const out = { json: (value: unknown) => void lines.push(value), progress: () => undefined };
  expect(await main(["sweep", sweepFile, "--plan", "--out", "a b"], out)).toBe(0);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(
    `npm run -s turnbook -- sweep ${sweepFile} --out 'a b' --run base-optimisation.actorLr=0.0001-seed1 --workers 1`,
  );
});

test("a task of a Slurm array runs the plan's line of its number", () => {
  const plan = join(folder, "plan.txt");
  writeFileSync(plan, "echo one\necho 'two  2' \"$0\"; exit 3\n");
  const script = resolve(import.meta.dirname, "../../src/cli/sweep/slurm.sh");
  const runTask = (id: string) => {
    const env = { ...process.env, SLURM_ARRAY_TASK_ID: id };
    return spawnSync("sh", [script, plan], { encoding: "utf8", env });
  };
  expect(runTask("1")).toMatchObject({ status: 0, stdout: "one\n" });
  expect(runTask("2")).toMatchObject({ status: 3, stdout: "two  2 sh\n" });
});

test("killed and started again it ends with the summary of a sweep that was not", async () => {
  const args = (out: string) => [launcher, "sweep", sweepFile, "--out", join(folder, out)];
  const summaryOf = (out: string, more: string[] = []) => {
    const words = [...args(out), ...more];
    const { stdout, status, stderr } = spawnSync("node", words, { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    return JSON.parse(stdout) as { runs: object; rows: object[]; failures: object[] };
  };
  const child = spawn("node", args("killed"));
  const by = await new Promise((done) => {
    // In the middle of the third run: it and the fourth are to come.
    child.stderr.on("data", (data: Buffer) => {
      if (data.toString().includes("[2/4]")) setTimeout(() => child.kill("SIGKILL"), 300);
    });
    child.on("close", (_code, signal) => done(signal));
  });
  expect(by).toBe("SIGKILL");
  const resumed = summaryOf("killed");
  expect(resumed.runs).toEqual({ planned: 4, done: 4, stopped: 0, notRun: 0 });
  expect(resumed.failures).toEqual([]);
  const whole = summaryOf("whole-tiny");
  expect(resumed).toEqual(whole);
  // With the results alone, no run is trained again.
  const keep = ["--keep", join(folder, "tiny.runs.jsonl")];
  expect(summaryOf("killed", keep)).toEqual(whole);
  const fromFile = summaryOf("never", keep);
  expect(fromFile).toEqual(whole);
  expect(existsSync(join(folder, "never", "runs"))).toBe(false);
});
