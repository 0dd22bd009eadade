/** The bench itself, on its smallest case: it runs, compares what was computed, and writes what it says it writes. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import type { BrowserRun } from "./inBrowser.ts";
import { parseOptions } from "./options.ts";
import { agreementOf } from "./reference.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-bench-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bench = (args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, "bench.mjs"), ...args]);

test("a quick run of one engine measures, checks and reports it", async () => {
  const [json, markdown] = [join(folder, "run.json"), join(folder, "run.md")];
  const files = ["--json", json, "--markdown", markdown];
  const few = ["--only", "turnbook-wasm", "--workload", "train-64x4", "--repeats", "2"];
  await bench(["--quick", ...few, ...files]);
  const run = JSON.parse(readFileSync(json, "utf8")) as BrowserRun;
  expect(run.machine.isolated).toBe(true);
  expect(run.rates.wasm).toBeGreaterThan(1e8);
  const [{ cell, agreement } = {}] = run.measurements;
  expect(agreement?.ok).toBe(true);
  expect(cell?.losses).toHaveLength(4);
  expect(cell?.wall).toHaveLength(2);
  expect(cell?.bytes).toBeGreaterThan(4 * 886_000);
  expect(readFileSync(markdown, "utf8")).toMatch(/\*\*Turnbook wasm\*\* \| [\d.]+ \(/);
  expect(agreementOf({ ...cell!, losses: [5.58, 5.5] }, { losses: cell!.losses, ids: [] }).ok).toBe(
    false,
  );
});

test.each([
  [["--only", "torch"], "--only torch: allowed are turnbook-webgpu"],
  [["--workload", "train"], "--workload train: allowed are train-128x16"],
  [["--repeats", "1.5"], "--repeats 1.5: a positive whole number"],
  [["--node", "--engine", "cpu"], "--engine cpu: allowed are webgpu, wasm"],
  [["--kernels", "--model", "7b"], "--model 7b: allowed are nano, micro, bench, 24m"],
])("wrong options are refused: %j", (args, message) => {
  expect(() => parseOptions(args)).toThrow(message);
});

test("a family's name selects its contenders, in the table's order", () => {
  const options = parseOptions(["--only", "jax-webgpu,wasm"]);
  expect(options).toMatchObject({
    only: [
      "jax-webgpu",
      "turnbook-wasm",
      "turnbook-wasm-2",
      "jax-wasm",
      "tfjs-wasm",
      "referee-wasm",
    ],
  });
});
