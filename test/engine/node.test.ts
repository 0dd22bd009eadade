/** WebGPU in Node, through the command line: a driver is found or its absence told, and the process ends cleanly. */
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const logits = [
  "logits",
  "--model",
  join(root, "test/golden/model/qwen3_tied_bf16"),
  "--ids",
  "1,2",
];

function turnbook(env: Record<string, string>, on = ["--backend", "webgpu"]) {
  const script = join(root, "src/cli/turnbook.mjs");
  const argv = [script, ...logits, ...on];
  return spawnSync(process.execPath, argv, { env, encoding: "utf8", timeout: 120_000 });
}

test("with a driver: JSON on stdout, nothing on stderr, exit 0", () => {
  const { PATH = "", CHROME_PATH } = process.env;
  const { status, stdout, stderr } = turnbook({ PATH, ...(CHROME_PATH && { CHROME_PATH }) });
  expect([status, stderr]).toEqual([0, ""]);
  expect((JSON.parse(stdout) as { logits: number[][] }).logits.length).toBe(2);
});

test("the compiled engine, checked first, gives the logits of wasm", () => {
  const { PATH = "", CHROME_PATH } = process.env;
  const env = { PATH, ...(CHROME_PATH && { CHROME_PATH }) };
  const [gpu, wasm] = ["webgpu", "wasm"].map((engine) => turnbook(env, ["--engine", engine]));
  expect([gpu!.status, wasm!.status]).toEqual([0, 0]);
  const [a, b] = [gpu!, wasm!].map(
    ({ stdout }) => (JSON.parse(stdout) as { logits: number[][] }).logits,
  );
  const far = a!.flatMap((row, t) => row.map((z, v) => Math.abs(z - b![t]![v]!)));
  expect(far.length).toBeGreaterThan(100);
  expect(Math.max(...far)).toBeLessThan(1e-4);
  expect(Math.max(...far)).toBeGreaterThan(0); // two engines, not one twice
});

test("a Vulkan loader without drivers prints nothing to stderr", () => {
  const { PATH = "", CHROME_PATH } = process.env;
  const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
  const browsers = PATH.split(delimiter).flatMap((folder) => names.map((n) => join(folder, n)));
  const found = [...(CHROME_PATH ? [CHROME_PATH] : []), ...browsers].filter((f) => existsSync(f));
  // Chromium brings a loader; on the library path it acts as an installed one.
  const folders = found
    .map((file) => realpathSync(file))
    .flatMap((file) => [dirname(file), join(dirname(file), "..", "lib", basename(file))]);
  const { status, stderr } = turnbook({
    PATH,
    ...(CHROME_PATH && { CHROME_PATH }),
    LD_LIBRARY_PATH: folders.join(delimiter),
  });
  expect([status, stderr]).toEqual([0, ""]);
});

test("without one: one line that says what is missing, exit 2", () => {
  const { status, stdout, stderr } = turnbook({ PATH: "/nowhere" });
  if (status === 0) return expect(stdout).toContain("logits"); // this machine has a graphics card
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^backend webgpu found no graphics adapter.*CHROME_PATH.*\n$/);
});
