import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { uniform } from "../../src/numeric/rng.ts";
import { listPresets, presetNames, presetSpec } from "../../src/spec/presets.ts";
import { nextChain } from "../../src/train/chain.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-train-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");
const specFile = join(folder, "spec.json");
writeFileSync(
  specFile,
  JSON.stringify({
    preset: "nano",
    algorithms: [
      { name: "grpo", set: {} },
      { name: "turn-ppo", set: {} },
    ],
    optimisation: { iterations: 5, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
    critic: { warmup: 1, epochs: 1 },
    evaluation: { levels: 4, every: 1 },
  }),
);

const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Runs a command in this process. */
async function run(...argv: string[]) {
  const json: unknown[] = [];
  const progress: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(JSON.parse(JSON.stringify(value))),
    progress: (line: string) => void progress.push(line),
  };
  return { code: await main(argv, out), json, progress };
}

/** One thread: how many there are changes nothing, and two take half as much again. */
const command = [launcher, "train", specFile, "--workers", "1"];
/** What a run prints that nothing disturbs. */
const undisturbed = spawnSync("node", command, { encoding: "utf8" });

test("train prints one chained event a line and ends with the fingerprint", () => {
  const { stdout, status } = undisturbed;
  expect(status).toBe(0);
  const printed = lines(stdout);
  const last = printed.pop()!;
  expect(Object.keys(last).sort()).toEqual(["fingerprint", "time"]);
  const chain = printed.reduce((previous, event) => nextChain(previous, event), "");
  expect(last["fingerprint"]).toBe(chain);
  expect(printed.at(-1)!["chain"]).toBe(chain);
  expect(printed[0]!["type"]).toBe("start");
});

/** Starts the command and kills it without warning that long after so many lines, or lets it end. */
function killedAfter(
  { count, milliseconds }: { count: number; milliseconds: number },
  out: string,
): Promise<string | null> {
  return new Promise((done) => {
    const child = spawn("node", [...command, "--out", out]);
    let stdout = "";
    let timer: NodeJS.Timeout | undefined;
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.split("\n").length > count)
        timer ??= setTimeout(() => child.kill("SIGKILL"), milliseconds);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      done(code === 0 ? stdout : null);
    });
  });
}

const KILLS = 3;
const AT = { stream: "kills", iteration: 0, trajectory: 0 };

test("killed at random moments and run again with the same --out, it ends with the same fingerprint", async () => {
  const whole = lines(undisturbed.stdout);
  const out = join(folder, "killed");
  let printed: string | null = null;
  let kills = 0;
  // Other moments in every run; TURNBOOK_TEST_SEED gives those of a run that failed.
  const seed = Number(process.env["TURNBOOK_TEST_SEED"] ?? Date.now());
  console.log(`moments of TURNBOOK_TEST_SEED=${seed}`);
  const drawn = (step: number) => uniform({ ...AT, seed, step });
  // One in each third of the run, in the middle of whatever it does then.
  for (; kills < KILLS && printed === null; kills++) {
    const count = Math.ceil(((kills + drawn(2 * kills)) / KILLS) * (whole.length - 2));
    const moment = { count, milliseconds: 300 * drawn(2 * kills + 1) };
    printed = await killedAfter(moment, out);
  }
  // The last may come when all is done.
  expect(kills).toBeGreaterThan(1);
  const all = lines(
    printed ?? (await killedAfter({ count: Infinity, milliseconds: 0 }, out)) ?? "",
  );
  const chains = (events: Record<string, unknown>[]) => events.map(({ chain }) => chain);
  expect(chains(all)).toEqual(chains(whole));
  expect(all.at(-1)!["fingerprint"]).toBe(whole.at(-1)!["fingerprint"]);
  const logged = lines(readFileSync(join(out, "events.jsonl"), "utf8"));
  expect(chains(logged)).toEqual(chains(whole).slice(0, -1));
});

test("a folder that holds another spec's run is refused, naming the difference", async () => {
  const out = join(folder, "other");
  const first = await run("train", specFile, "--out", out, "--iterations", "1");
  expect(first.code).toBe(0);
  const second = await run("train", specFile, "--out", out, "--iterations", "1", "--seed", "9");
  expect(second).toMatchObject({ code: 2, json: [] });
  expect(second.progress).toEqual([expect.stringContaining("seed is 1 there")]);
});

test("the number of workers is said on stderr and changes nothing in the log", async () => {
  const told = await Promise.all(
    ["1", "2"].map((n) => run("train", specFile, "--iterations", "1", "--workers", n)),
  );
  const words = told.map(({ progress }) => progress[0]);
  const engine = "engine wasm on wasm (WebAssembly SIMD";
  expect(words).toEqual([`${engine}, one thread)`, `${engine}, 2 workers)`]);
  const [one, two] = told.map(({ json }) =>
    (json as Record<string, unknown>[]).map(({ time: _time, ...rest }) => rest),
  );
  expect(one!.length).toBeGreaterThan(5);
  expect(two).toEqual(one);
});

test.each([
  [["train"], `train takes one spec, a JSON file or a preset (${presetNames.join(", ")}); got ""`],
  [["train", "huge"], `spec "huge" is neither a preset (${presetNames.join(", ")}) nor a file`],
  [["train", "nano", "--iterations", "0"], 'option --iterations is "0"; it must be a whole number'],
  [
    ["train", "nano", "--workers", "17"],
    'option --workers is "17"; it must be a whole number of at least 1 up to 16',
  ],
  [
    ["train", "nano", "--workers", "2", "--engine", "webgpu"],
    "option --workers is 2, but engine webgpu on backend auto has no workers; allowed with: the wasm engine",
  ],
  [
    ["train", "nano", "--workers", "2", "--backend", "cpu"],
    "option --workers is 2, but engine auto on backend cpu has no workers; allowed with: the wasm engine",
  ],
  [
    ["train", "nano", "--backend", "metal"],
    'option --backend is "metal"; allowed: auto, cpu, wasm, webgpu',
  ],
  [["train", "nano", "--speed", "9"], "unknown option --speed"],
  [["clone", "nano"], "clone needs --out DIR"],
])("%j is refused in one line before any progress", async (argv, message) => {
  const { code, json, progress } = await run(...argv);
  expect({ code, json }).toEqual({ code: 2, json: [] });
  expect(progress).toHaveLength(1);
  expect(progress[0]).toContain(message);
});

test("a spec file that is not JSON, or has a bad field, is refused", async () => {
  const file = join(folder, "bad.json");
  writeFileSync(file, "{");
  expect((await run("train", file)).progress[0]).toContain("is not valid JSON");
  writeFileSync(file, JSON.stringify({ optimisation: { groupSize: 0 } }));
  expect((await run("train", file)).progress).toEqual([
    "optimisation.groupSize is 0; it must be a whole number from 1 to 1024",
  ]);
});

test("spec prints the full spec, presets one a line", async () => {
  expect((await run("spec", "nano")).json).toEqual([presetSpec("nano")]);
  const { json } = await run("presets");
  expect(json.map((preset) => (preset as { name: string }).name)).toEqual(
    listPresets().map(({ name }) => name),
  );
  expect((await run("spec")).code).toBe(2);
});

test("a spec that cannot fit in memory is refused in one line, before its folder is made", async () => {
  const file = join(folder, "huge.json");
  const long = { kind: "sokoban", rows: 16, columns: 16, boxes: 6, maxTurns: 50, maxActions: 200 };
  const optimisation = { tasksPerIteration: 4096, groupSize: 16, minibatch: 8 };
  writeFileSync(file, JSON.stringify({ preset: "nano", environment: long, optimisation }));
  const out = join(folder, "huge");
  const { code, progress } = await run("train", file, "--out", out);
  expect(code).toBe(2);
  expect(progress).toHaveLength(1);
  expect(progress[0]).toMatch(/Node's heap .* a tasksPerIteration of at most \d+ would fit$/);
  expect(existsSync(out)).toBe(false);
});
