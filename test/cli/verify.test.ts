/** verify: what each kind of file says of itself, whole and damaged. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { zipColumnar } from "../../src/interchange/columnar/zip.ts";
import { seal } from "../../src/train/sealedZip.ts";
import { tinySpec, turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const publicFiles = resolve(import.meta.dirname, "../../public");
const specFile = join(folder, "spec.json");
writeFileSync(specFile, JSON.stringify(tinySpec(2)));
const run = join(folder, "run");
const recording = join(folder, "run.jsonl");
let fingerprint: unknown;
beforeAll(async () => {
  const args = ["--out", run, "--record", recording, "--keep-every", "1", "--workers", "1"];
  const { code, json } = await turnbook("train", specFile, ...args);
  expect(code).toBe(0);
  fingerprint = json.at(-1)!["fingerprint"];
});

async function states(path: string) {
  const { code, json } = await turnbook("verify", path);
  return { code, states: Object.fromEntries(json.map(({ file, state }) => [file, state])) };
}

/** A copy with one byte changed. */
function changed(path: string, at: number): string {
  const copy = join(folder, `changed-${at}${path.slice(path.lastIndexOf("."))}`);
  const bytes = readFileSync(path);
  bytes[at < 0 ? bytes.length + at : at]! ^= 2;
  writeFileSync(copy, bytes);
  return copy;
}

describe("a run folder", () => {
  it("is intact, file by file", async () => {
    const { code, json } = await turnbook("verify", run);
    expect(code).toBe(0);
    expect(json.map(({ file, state }) => [file, state])).toEqual([
      ["turnbook-run.json", "intact"],
      ["events.jsonl", "intact"],
      ["events.sha256", "intact"],
      ["checkpoint.zip", "intact"],
      ["checkpoint-previous.zip", "intact"],
      ["checkpoints/iteration-2.zip", "intact"],
      ["checkpoints/iteration-1.zip", "intact"],
    ]);
    expect(json[1]).toMatchObject({ fingerprint, ended: true, hashed: true });
  });

  it("names the line of a falsified log", async () => {
    const copy = join(folder, "falsified");
    cpSync(run, copy, { recursive: true });
    const lines = readFileSync(join(copy, "events.jsonl"), "utf8").split("\n");
    lines[3] = lines[3]!.replace('"iteration":0', '"iteration":1');
    writeFileSync(join(copy, "events.jsonl"), lines.join("\n"));
    const found = await states(copy);
    expect(found.code).toBe(1);
    expect(found.states["events.jsonl"]).toBe("altered from line 4");
    const { json } = await turnbook("doctor", "--run", copy);
    expect(json[0]!["integrity"]).toMatchObject({ state: "altered from line 4" });
  });

  it("notices a checkpoint of another run, and one that is missing", async () => {
    const other = join(folder, "other");
    const args = ["--out", other, "--seed", "5", "--workers", "1"];
    expect((await turnbook("train", specFile, ...args)).code).toBe(0);
    const copy = join(folder, "mixed");
    cpSync(run, copy, { recursive: true });
    cpSync(join(other, "checkpoint-previous.zip"), join(copy, "checkpoint-previous.zip"));
    rmSync(join(copy, "checkpoint.zip"));
    expect(await states(copy)).toMatchObject({
      code: 1,
      states: { "checkpoint.zip": "altered", "checkpoint-previous.zip": "altered" },
    });
  });

  it("as one zip, as the page saves it", async () => {
    const names = ["turnbook-run.json", "events.jsonl", "checkpoint.zip"];
    const files = names.map((name) => [name, new Uint8Array(readFileSync(join(run, name)))]);
    const zip = await seal(zipSync(Object.fromEntries(files), { level: 0 }));
    const path = join(folder, "saved.zip");
    writeFileSync(path, zip);
    const found = await states(path);
    expect(found.code).toBe(0);
    expect(Object.keys(found.states)).toEqual([
      "saved.zip",
      ...names.map((name) => `saved.zip/${name}`),
    ]);
    // Unzipped, it is a folder that resumes: here, to what there is already.
    const out = join(folder, "unzipped");
    cpSync(join(run, "turnbook-run.json"), join(out, "turnbook-run.json"));
    for (const [name, bytes] of Object.entries(unzipSync(zip)))
      writeFileSync(join(out, name), bytes);
    const { code, json } = await turnbook("train", specFile, "--out", out, "--workers", "1");
    expect([code, json.at(-1)!["fingerprint"]]).toEqual([0, fingerprint]);
    expect((await states(changed(path, 3000))).code).toBe(1);
  });
});

describe("a file", () => {
  it("a checkpoint, whole and with one bit changed", async () => {
    expect((await states(join(run, "checkpoint.zip"))).states).toEqual({
      "checkpoint.zip": "intact",
    });
    for (const at of [0, 5000, -3, -70])
      expect((await states(changed(join(run, "checkpoint.zip"), at))).code).toBe(1);
  });

  it("a recording, down to its clock readings", async () => {
    const { code, json } = await turnbook("verify", recording);
    expect([code, json[0]]).toMatchObject([
      0,
      { file: "run.jsonl", state: "intact", fingerprint, ended: true, hashed: true },
    ]);
    const clock = readFileSync(recording, "utf8").indexOf('"time":{"at":"') + 16;
    const closing = readFileSync(recording, "utf8").trimEnd().split("\n").length;
    expect((await states(changed(recording, clock))).states).toEqual({
      [`changed-${clock}.jsonl`]: `altered from line ${closing}`,
    });
  });

  it("a whole recording of lines", async () => {
    const { code, json } = await turnbook(
      "verify",
      join(import.meta.dirname, "..", "fixtures", "runs", "nano.jsonl"),
    );
    expect([code, json[0]]).toMatchObject([0, { state: "intact", hashed: true, ended: true }]);
  });

  it("a columnar recording as one zip, as the page saves it", async () => {
    const nano = join(publicFiles, "runs", "nano");
    const files = new Map(
      readdirSync(nano).map((name) => [name, new Uint8Array(readFileSync(join(nano, name)))]),
    );
    const zip = join(folder, "nano.turnbook.zip");
    writeFileSync(zip, await zipColumnar(files));
    const { code, states: found } = await states(zip);
    expect(code).toBe(0);
    expect(Object.keys(found)).toHaveLength(1 + files.size);
    expect(new Set(Object.values(found))).toEqual(new Set(["intact"]));
    files.get("turns-1.bin")![100]! ^= 2;
    writeFileSync(zip, await zipColumnar(files));
    const damaged = await states(zip);
    expect(damaged.code).toBe(1);
    expect(damaged.states["nano.turnbook.zip/turns-1.bin"]).toBe("altered");
  });

  it("a log of another program has no chain", async () => {
    const path = join(folder, "verl.jsonl");
    writeFileSync(path, '{"step":1,"score":0.5}\n{"step":2,"score":0.6}\n');
    expect(await states(path)).toEqual({ code: 0, states: { "verl.jsonl": "no chain" } });
  });
});

describe("model folders", () => {
  it.each(["nano-sokoban", "micro-sokoban", "nano-webshop", "nano-webshop-think"])(
    "public/models/%s is what SHA256SUMS says, every file",
    async (name) => {
      const found = await states(join(publicFiles, "models", name));
      expect(found.code).toBe(0);
      expect(new Set(Object.values(found.states))).toEqual(new Set(["intact"]));
      expect(Object.keys(found.states)).toContain("model.safetensors");
    },
  );

  it("a changed weight is noticed by verify and by what loads it", async () => {
    const copy = join(folder, "model");
    cpSync(join(publicFiles, "models", "nano-sokoban"), copy, { recursive: true });
    const weights = join(copy, "model.safetensors");
    const bytes = readFileSync(weights);
    bytes[bytes.length - 5]! ^= 1;
    writeFileSync(weights, bytes);
    expect(await states(copy)).toMatchObject({
      code: 1,
      states: { "model.safetensors": "altered", "config.json": "intact" },
    });
    const { code, progress } = await turnbook("logits", "--model", copy, "--ids", "1,2");
    expect([code, progress]).toEqual([
      2,
      [expect.stringContaining("model.safetensors is damaged: its SHA-256 does not match")],
    ]);
  });
});

it.each([
  [[], "verify takes one path"],
  [["a", "b"], "verify takes one path"],
  [["/nowhere"], "/nowhere cannot be read: there is no such file or folder"],
  [["/dev/null"], "is neither a file nor a folder"],
  [[join(folder, "..")], "holds neither a run, a recording nor a model"],
])("%j is bad input", async (argv, message) => {
  const { code, progress } = await turnbook("verify", ...argv);
  expect([code, progress]).toEqual([2, [expect.stringContaining(message)]]);
});
