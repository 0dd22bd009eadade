/** Recordings, clones and a full disk: what is written is there whole, or not at all. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { tinySpec, turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-whole-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const specFile = join(folder, "spec.json");
writeFileSync(specFile, JSON.stringify(tinySpec(2)));
const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");

let count = 0;
let place: string;
beforeEach(() => {
  place = join(folder, `place-${++count}`);
  mkdirSync(place);
});

describe("--record FILE", () => {
  const record = (...more: string[]) =>
    turnbook("train", specFile, "--workers", "1", "--record", join(place, "run.jsonl"), ...more);

  it("ends with the SHA-256 of all before, and leaves nothing beside it", async () => {
    const { code, json } = await record();
    expect(code).toBe(0);
    expect(readdirSync(place)).toEqual(["run.jsonl"]);
    const text = readFileSync(join(place, "run.jsonl"), "utf8");
    const start = text.trimEnd().lastIndexOf("\n") + 1;
    const sha256 = createHash("sha256").update(text.slice(0, start)).digest("hex");
    expect(JSON.parse(text.slice(start))).toEqual({ ...json.at(-1), sha256 });
    expect(Object.keys(json.at(-1)!)).toEqual(["fingerprint", "time"]);
  });

  it("a file that is there stays, unless --force; refused otherwise, it stays too", async () => {
    const file = join(place, "run.jsonl");
    writeFileSync(file, "mine");
    const refused = await record();
    expect([refused.code, refused.progress]).toEqual([
      2,
      [`--record ${file} exists; add --force to replace it`],
    ]);
    expect((await record("--force", "--iterations", "0")).code).toBe(2);
    expect((await record("--force", "--out", folder)).code).toBe(2);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect((await record("--force")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain('"fingerprint"');
    expect(readdirSync(place)).toEqual(["run.jsonl"]);
  });

  it("a folder, a device, a link to nothing and no name are refused in one line", async () => {
    symlinkSync(join(place, "nothing"), join(place, "link"));
    for (const file of [place, "/dev/null", join(place, "link"), ""]) {
      const { code, progress } = await turnbook("train", specFile, "--record", file, "--force");
      expect([code, progress]).toEqual([2, [expect.stringContaining("--record")]]);
    }
    expect(readdirSync(place)).toEqual(["link"]);
  });
});

describe("clone --out DIR", () => {
  const cloneSpec = join(folder, "clone.json");
  writeFileSync(
    cloneSpec,
    JSON.stringify({ ...tinySpec(), clone: { levels: 4, steps: 2, batch: 2 } }),
  );
  const clone = (...more: string[]) =>
    turnbook("clone", cloneSpec, "--out", place, "--workers", "1", ...more);

  it("writes checksums, and replaces weights only with --force", async () => {
    expect((await clone()).code).toBe(0);
    expect(readdirSync(place).sort()).toEqual([
      ...["SHA256SUMS", "config.json", "model.safetensors"],
      ...["tokenizer.json", "tokenizer_config.json", "turnbook.json"],
    ]);
    expect((await turnbook("verify", place)).code).toBe(0);
    writeFileSync(join(place, "model.safetensors"), "mine");
    const { code, progress } = await clone();
    expect([code, progress]).toEqual([2, [expect.stringContaining("add --force to replace")]]);
    expect(readFileSync(join(place, "model.safetensors"), "utf8")).toBe("mine");
    writeFileSync(join(place, "notes.txt"), "mine too");
    expect((await clone("--force")).code).toBe(0);
    expect(readFileSync(join(place, "notes.txt"), "utf8")).toBe("mine too");
    expect(readFileSync(join(place, "model.safetensors")).length).toBeGreaterThan(10_000);
  });
});

/** A shell whose files may have that many KiB, as on a full disk: writing more fails. */
function limited(kib: number, ...args: string[]) {
  const command = `ulimit -f ${kib}; exec node "$@"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command, "bash", launcher, ...args], {
    encoding: "utf8",
  });
  return { status, lines: stdout.trim().split("\n"), stderr: stderr.trim().split("\n") };
}

describe("where the disk takes no more", () => {
  it("one sentence, exit code 1, nothing half-written, and the run goes on later", async () => {
    const out = join(place, "run");
    // The command line's own bundle is larger than the limit: made before.
    spawnSync("node", [launcher, "help"]);
    const full = limited(100, "train", specFile, "--out", out, "--workers", "1");
    expect(full.status).toBe(1);
    expect(full.stderr.at(-1)).toMatch(/checkpoint\.zip cannot be written: .*\(EFBIG\)$/);
    expect(readdirSync(out).sort()).toEqual(["events.jsonl", "events.sha256", "turnbook-run.json"]);
    const later = await turnbook("train", specFile, "--out", out, "--workers", "1");
    const unbroken = await turnbook("train", specFile, "--workers", "1");
    expect(later.json.at(-1)!["fingerprint"]).toBe(unbroken.json.at(-1)!["fingerprint"]);
    expect(later.progress.filter((line) => !/^(engine |\[)/.test(line))).toEqual([]);
  });

  it("a recording that does not fit leaves nothing", () => {
    const file = join(place, "run.jsonl");
    const full = limited(8, "train", specFile, "--record", file, "--workers", "1");
    expect(full.status).toBe(1);
    expect(full.stderr.at(-1)).toContain("run.jsonl cannot be written: ");
    expect(readdirSync(place)).toEqual([]);
  });
});
