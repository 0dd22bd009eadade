/** The package as `npm pack` makes it, installed in an empty folder without a network, runs there by `npx turnbook`. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { tinySpec, turnbook } from "./cliSupport.ts";

const root = resolve(import.meta.dirname, "../..");
let empty = "";

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: empty, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
/** As a reader types it in that folder; `--no` lets npx fetch nothing. */
const packed = (...args: string[]) =>
  run("npx", "--no", "turnbook", ...args)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), "turnbook-packed-"));
  execFileSync("npm", ["pack", "--pack-destination", empty], { cwd: root, stdio: "ignore" });
  const [tarball] = readdirSync(empty);
  // Without a network and with an empty cache: the bundle needs none of the packages that it is built from.
  const cache = join(empty, "cache");
  run("npm", "install", "--offline", "--cache", cache, "--no-audit", "--no-fund", `./${tarball}`);
}, 600_000);
afterAll(() => rmSync(empty, { recursive: true, force: true }));

it("installs without any other package", () => {
  const installed = readdirSync(join(empty, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["turnbook"]);
});

it("lists the presets", () => {
  expect(packed("presets").map(({ name }) => name)).toContain("nano");
});

it("has the text that --help prints", () => {
  expect(run("npx", "--no", "turnbook", "train", "--help")).toMatch(/^turnbook train SPEC /);
});

it("trains as the checkout does, with its own kernels and checkpoints", async () => {
  const spec = join(empty, "tiny.json");
  writeFileSync(spec, JSON.stringify(tinySpec(1)));
  const fingerprint = packed("train", spec).at(-1)!["fingerprint"];
  const { json } = await turnbook("train", spec);
  expect(fingerprint).toBe(json.at(-1)!["fingerprint"]);
  const [start] = packed("train", spec, "--iterations", "1");
  expect(start!["version"]).toBe(manifest.version);
});

it("has the page, which it serves with a folder of rollouts, and what is copied for trainers in Python", async () => {
  const served = spawn("npx", ["--no", "turnbook", "watch", "."], { cwd: empty, detached: true });
  try {
    const said = await new Promise<string>((resolve) => served.stdout.once("data", resolve));
    const { address } = JSON.parse(String(said)) as { address: string };
    const page = await (await fetch(address)).text();
    const [script] = /assets\/[\w.-]+\.js/.exec(page)!;
    expect((await fetch(new URL(script, address))).status).toBe(200);
    expect((await fetch(new URL("models/nano-sokoban/config.json", address))).status).toBe(200);
    expect(await (await fetch(new URL("watched/", address))).text()).toContain("[");
  } finally {
    // npx does not pass the end on.
    process.kill(-served.pid!);
  }
  packed("export", "python", "--out", join(empty, "python"));
  expect(readdirSync(join(empty, "python"))).toContain("turnbook_log.py");
});
