/** The package as `npm pack` makes it runs in an empty folder, with nothing of the checkout beside it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { tinySpec, turnbook } from "./cliSupport.ts";

const root = resolve(import.meta.dirname, "../..");
let empty = "";

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: empty, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const packed = (...args: string[]) =>
  run(join(empty, "node_modules", ".bin", "turnbook"), ...args)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), "turnbook-packed-"));
  execFileSync("npm", ["pack", "--pack-destination", empty], { cwd: root, stdio: "ignore" });
  const [tarball] = readdirSync(empty);
  // The bundle needs none of the packages that the page is built from: nothing is fetched.
  const modules = join(empty, "node_modules");
  mkdirSync(join(modules, "turnbook"), { recursive: true });
  mkdirSync(join(modules, ".bin"));
  run("tar", "-xzf", tarball!, "-C", join(modules, "turnbook"), "--strip-components=1");
  run("ln", "-s", `../turnbook/${manifest.bin.turnbook}`, join(modules, ".bin", "turnbook"));
  run("chmod", "+x", join(modules, "turnbook", manifest.bin.turnbook));
}, 180_000);
afterAll(() => rmSync(empty, { recursive: true, force: true }));

it("lists the presets", () => {
  expect(packed("presets").map(({ name }) => name)).toContain("nano");
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
