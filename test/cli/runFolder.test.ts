/** A run folder: its owner, its writer, and what it resumes from after damage. */
import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { thisProcess } from "../../src/cli/runLock.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { decodeMarker } from "../../src/train/runFiles.ts";
import { tinySpec, turnbook, type Said } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-folder-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const specFile = join(folder, "spec.json");
writeFileSync(specFile, JSON.stringify(tinySpec()));

/** A whole run, copied for each test. */
const whole = join(folder, "whole");
let out: string;
let count = 0;
const train = (...more: string[]) =>
  turnbook("train", specFile, "--out", out, "--workers", "1", ...more);
const path = (...names: string[]) => join(out, ...names);
const isEngine = (line: string) => line.startsWith("engine ") || line.startsWith("[");
/** What is said besides the ordinary. */
const warnings = ({ progress }: Said) =>
  progress.filter((line) => !isEngine(line) && !line.startsWith("resumed"));
const fingerprint = ({ json }: Said) => json.at(-1)!["fingerprint"];

let unbroken: Said;
beforeAll(async () => {
  out = whole;
  unbroken = await train("--keep-every", "1");
  expect(unbroken.code).toBe(0);
});
beforeEach(() => {
  out = join(folder, `run-${++count}`);
});
const copyWhole = () => cpSync(whole, out, { recursive: true });

/** Every file with its text. */
function contents(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  const paths = files.filter((f) => f.isFile()).map((f) => join(f.parentPath, f.name));
  return Object.fromEntries(paths.map((p) => [p, readFileSync(p, "latin1")]));
}

describe("whose folder it is", () => {
  it("is marked, and holds the last two checkpoints and no lock", () => {
    const names = readdirSync(whole).sort();
    expect(names).toEqual([
      ...["checkpoint-previous.zip", "checkpoint.zip", "checkpoints"],
      ...["events.jsonl", "events.sha256", "turnbook-run.json"],
    ]);
    const spec = decodeMarker(readFileSync(join(whole, "turnbook-run.json"), "utf8"));
    expect(spec.optimisation.iterations).toBe(3);
  });

  it("a folder of anybody else's is refused, and nothing in it is touched", async () => {
    mkdirSync(path("checkpoints", "llama"), { recursive: true });
    writeFileSync(path("checkpoints", "llama", "model.bin"), "w");
    writeFileSync(path("events.jsonl"), "x");
    const before = contents(out);
    const said = await train();
    expect([said.code, said.progress]).toEqual([
      2,
      [`${out} is not empty and holds no Turnbook run; use a new or an empty folder`],
    ]);
    expect(contents(out)).toEqual(before);
  });

  it.each(["", "  "])("--out %j is refused by train, clone and export", async (name) => {
    for (const command of [["train"], ["clone"], ["export", "ragen"]]) {
      const { code, progress } = await turnbook(...command, "nano", "--out", name);
      expect([code, progress]).toEqual([2, [expect.stringContaining("it must name a folder")]]);
    }
  });

  it("a file in its place is refused", async () => {
    writeFileSync(out, "mine");
    expect(await train()).toMatchObject({ code: 2, json: [] });
    expect(readFileSync(out, "utf8")).toBe("mine");
  });

  it("a run of an older version, without a marker, resumes and gets one", async () => {
    copyWhole();
    for (const name of ["turnbook-run.json", "events.sha256"]) rmSync(path(name));
    const said = await train();
    expect([said.code, warnings(said), fingerprint(said)]).toEqual([0, [], fingerprint(unbroken)]);
    expect(existsSync(path("turnbook-run.json"))).toBe(true);
  });

  it("a damaged marker is rewritten from the checkpoint; without one, refused", async () => {
    copyWhole();
    writeFileSync(path("turnbook-run.json"), "{");
    expect((await train()).code).toBe(0);
    decodeMarker(readFileSync(path("turnbook-run.json"), "utf8"));
    writeFileSync(path("turnbook-run.json"), "{");
    for (const name of ["checkpoint.zip", "checkpoint-previous.zip"]) rmSync(path(name));
    const { code, progress } = await train();
    expect([code, progress]).toEqual([
      2,
      [expect.stringContaining("turnbook-run.json is not JSON")],
    ]);
  });
});

describe("one writer", () => {
  const lock = (changes: object) => {
    copyWhole();
    writeFileSync(path("turnbook-run.lock"), JSON.stringify({ ...thisProcess(), ...changes }));
  };

  it("a process that runs keeps the folder, --force or not", async () => {
    lock({});
    for (const more of [[], ["--force"]]) {
      const { code, progress } = await train(...more);
      const who = `process ${process.pid} on host ${hostname()} is writing to ${out}`;
      expect([code, progress]).toEqual([2, [expect.stringContaining(who)]]);
    }
  });

  it("the lock of a process that is gone is taken over, and that is said", async () => {
    const { pid } = spawnSync("true");
    lock({ pid });
    const said = await train();
    expect([said.code, warnings(said)]).toEqual([
      0,
      [`took over the lock of process ${pid} on host ${hostname()}`],
    ]);
    expect(existsSync(path("turnbook-run.lock"))).toBe(false);
  });

  it("a number that another process has by now holds nothing", async () => {
    lock({ started: "1" });
    expect((await train()).code).toBe(0);
  });

  it("another host's lock names it and asks for --force", async () => {
    lock({ host: "elsewhere", pid: 12 });
    const { code, progress } = await train();
    expect([code, progress]).toEqual([
      2,
      [
        `process 12 on host elsewhere is writing to ${out}; if that process has ended, add --force to take the folder over`,
      ],
    ]);
    expect((await train("--force")).code).toBe(0);
  });

  it("two at once in one process: one runs, one is refused, the log is whole", async () => {
    const both = await Promise.all([train(), train()]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(both.find(({ code }) => code === 2)!.progress).toHaveLength(1);
    const { json } = await turnbook("verify", out);
    expect(json.map(({ state }) => state)).toEqual(Array(json.length).fill("intact"));
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "%s ends it as asked, and the lock is gone",
    async (signal) => {
      const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");
      const child = spawn("node", [
        ...[launcher, "train", specFile, "--out", out, "--workers", "1"],
        ...["--iterations", "1000"],
      ]);
      child.stdout.once("data", () => child.kill(signal));
      const ended = await new Promise((done) => child.on("close", (_code, by) => done(by)));
      expect(ended).toBe(signal);
      expect(readdirSync(out)).toContain("events.jsonl");
      expect(readdirSync(out)).not.toContain("turnbook-run.lock");
    },
  );

  it("a writer whose folder was taken over stops at its next write", async () => {
    const running = train();
    while (!existsSync(path("turnbook-run.lock"))) await new Promise((go) => setTimeout(go, 1));
    writeFileSync(
      path("turnbook-run.lock"),
      JSON.stringify({ ...thisProcess(), host: "elsewhere" }),
    );
    const { code, progress } = await running;
    expect(code).toBe(2);
    expect(progress.at(-1)).toContain("on host elsewhere has taken it over); stopping");
  });
});

describe("what a run goes on from", () => {
  it("an unaltered run, cut anywhere between two checkpoints, without a warning", async () => {
    copyWhole();
    const first = path("checkpoints", "iteration-1.zip");
    const { position } = await decodeCheckpoint(readFileSync(first));
    for (const name of ["checkpoint.zip", "checkpoint-previous.zip"]) cpSync(first, path(name));
    const log = readFileSync(path("events.jsonl"), "utf8");
    const lines = log.split("\n");
    // Two events more than the checkpoint, the second one cut.
    const kept = lines.slice(0, position.events + 1).join("\n") + "\n";
    writeFileSync(path("events.jsonl"), kept + lines[position.events + 1]!.slice(0, 40));
    rmSync(path("events.sha256"));
    const said = await train();
    expect([said.code, warnings(said), fingerprint(said)]).toEqual([0, [], fingerprint(unbroken)]);
    expect(readFileSync(path("events.jsonl"), "utf8").split("\n")).toHaveLength(lines.length);
  });

  it.each<[string, () => void, string]>([
    ["empty", () => writeFileSync(path("checkpoint.zip"), ""), "is not a whole zip file"],
    ["cut", () => truncateSync(path("checkpoint.zip"), 5000), "is not a whole zip file"],
    ["missing", () => rmSync(path("checkpoint.zip")), "it is missing"],
    ["damaged", () => flip("checkpoint.zip", 20_000), "the checkpoint is damaged"],
  ])("a checkpoint that is %s: the one before, said", async (_what, damage, why) => {
    copyWhole();
    damage();
    const said = await train();
    expect(said.code).toBe(0);
    expect(warnings(said)).toEqual([
      expect.stringMatching(`^not used: checkpoint.zip: .*${why}`),
      "the run resumes from checkpoint-previous.zip, after iteration 2",
    ]);
    expect(fingerprint(said)).toBe(fingerprint(unbroken));
    expect((await turnbook("verify", out)).code).toBe(0);
  });

  it("both damaged: the last one kept", async () => {
    copyWhole();
    for (const name of ["checkpoint.zip", "checkpoint-previous.zip"]) writeFileSync(path(name), "");
    rmSync(path("checkpoints", "iteration-3.zip"));
    const said = await train();
    expect(warnings(said).at(-1)).toBe(
      "the run resumes from checkpoints/iteration-2.zip, after iteration 2",
    );
    expect(fingerprint(said)).toBe(fingerprint(unbroken));
  });

  it("none left: the log is set aside, never erased, and the run starts over", async () => {
    copyWhole();
    for (const name of ["checkpoint.zip", "checkpoint-previous.zip", "checkpoints"])
      rmSync(path(name), { recursive: true });
    const log = readFileSync(path("events.jsonl"), "utf8");
    const said = await train();
    expect(warnings(said)).toEqual([
      expect.stringContaining("the checkpoints are missing); the run starts over"),
    ]);
    expect(fingerprint(said)).toBe(fingerprint(unbroken));
    expect(readFileSync(path("set-aside-1", "events.jsonl"), "utf8")).toBe(log);
  });

  it("a falsified log is refused, naming the line, and left as it is", async () => {
    copyWhole();
    const log = readFileSync(path("events.jsonl"), "utf8");
    const lines = log.split("\n");
    lines[4] = lines[4]!.replace(/"iteration":1/, '"iteration":2');
    writeFileSync(path("events.jsonl"), lines.join("\n"));
    const before = contents(out);
    const { code, progress } = await train();
    expect([code, progress]).toEqual([2, [expect.stringContaining("is altered from line 5 (")]]);
    expect(contents(out)).toEqual(before);
  });

  it.each<[string, () => void, string]>([
    ["other clock readings", () => replaceInLog('"time":{"at":"20', '"time":{"at":"21'), "clock"],
    ["a missing end", () => truncateSync(path("events.jsonl"), 3000), "bytes are missing"],
    [
      "a foreign line",
      () => appendFileSync(path("events.jsonl"), "x\n"),
      "it is not a JSON object",
    ],
    ["no log", () => rmSync(path("events.jsonl")), "bytes are missing"],
    ["a foreign log", () => writeFileSync(path("events.jsonl"), "mine\n"), "are missing"],
  ])("a log with %s is refused", async (_what, change, why) => {
    copyWhole();
    change();
    const before = contents(out);
    const { code, progress } = await train();
    expect([code, progress]).toEqual([2, [expect.stringContaining(why)]]);
    expect(contents(out)).toEqual(before);
  });
});

function replaceInLog(from: string, to: string): void {
  const log = readFileSync(path("events.jsonl"), "utf8");
  writeFileSync(path("events.jsonl"), log.replace(from, to));
}

function flip(name: string, at: number): void {
  const bytes = readFileSync(path(name));
  bytes[at]! ^= 4;
  writeFileSync(path(name), bytes);
}
