/** The launcher, on a house of its own: the real script with a command line of three lines. */
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const REPOSITORY = join(import.meta.dirname, "..", "..");
const OLD = ["a", "b", "c", "d", "e", "f"].map((letter) => letter.repeat(16));

const MAIN = `
export async function main([count]: string[]): Promise<number> {
  for (let i = 0; i < Number(count); i++) {
    process.stdout.write("{}\\n");
    await new Promise((done) => setTimeout(done, 1));
  }
  return 0;
}
`;

let root: string;
let cache: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnbook-launcher-"));
  cache = join(root, "node_modules", ".cache", "turnbook");
  mkdirSync(join(root, "src", "cli"), { recursive: true });
  mkdirSync(cache, { recursive: true });
  for (const name of ["turnbook.mjs", "bundle.mjs", "setup.mjs"]) {
    cpSync(join(REPOSITORY, "src", "cli", name), join(root, "src", "cli", name));
  }
  // The kernels have a build of their own, with tests of its own.
  mkdirSync(join(root, "src", "engine", "wasm"), { recursive: true });
  const kernels = join(root, "src", "engine", "wasm", "build.mjs");
  const empty =
    "export async function buildKernels() {}\nexport async function buildNodeWorker() {}\n";
  writeFileSync(kernels, empty);
  writeFileSync(join(root, "src", "cli", "main.ts"), MAIN);
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeFileSync(join(root, "node_modules", ".package-lock.json"), "{}");
  symlinkSync(join(REPOSITORY, "node_modules", "esbuild"), join(root, "node_modules", "esbuild"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the launcher; `closeEarly` stops reading as `| head -n 1` does. */
function launch(count: number, closeEarly = false): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, "src", "cli", "turnbook.mjs"), String(count)]);
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => {
    out += String(data);
    if (closeEarly) child.stdout.destroy();
  });
  child.stderr.on("data", (data) => (err += String(data)));
  return new Promise((done) => child.on("close", (code) => done({ code, out, err })));
}

function makeBundle(name: string, ageInHours: number): void {
  const time = Date.now() / 1000 - 3600 * ageInHours;
  mkdirSync(join(cache, name));
  utimesSync(join(cache, name), time, time);
}

it("builds once for commands that start together, and removes old bundles without tripping", async () => {
  OLD.forEach((name, i) => makeBundle(name, 2 + i));
  const ended = await Promise.all([1, 1, 1, 1].map((count) => launch(count)));
  expect(ended).toEqual(Array(4).fill({ code: 0, out: "{}\n", err: "" }));
  const names = readdirSync(cache);
  expect(names.filter((name) => OLD.includes(name)).sort()).toEqual(OLD.slice(0, 3));
  expect(names).toHaveLength(3 + 1);
});

it("keeps young bundles, which a running command may still load parts from", async () => {
  OLD.forEach((name) => makeBundle(name, 0.5));
  await launch(1);
  expect(readdirSync(cache)).toEqual(expect.arrayContaining(OLD));
});

it("ends silently when its reader has seen enough", async () => {
  const { code, out, err } = await launch(100_000, true);
  expect([code, err]).toEqual([0, ""]);
  expect(out.length).toBeLessThan(100_000);
});
