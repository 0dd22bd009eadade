import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { host, ofType } from "./support.ts";
import { EVERY } from "../every.ts";

const file = resolve(import.meta.dirname, "../fixtures/runs/nano.jsonl");
const [header, ...log] = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Record<string, unknown>);
const recorded = log.slice(0, -1) as unknown as RunEvent[];

test("the recording names the command that made it and ends with its fingerprint", () => {
  expect(header!["command"]).toMatch(/^npm run -s turnbook -- train nano /);
  expect(log.at(-1)!["fingerprint"]).toBe(recorded.at(-1)!.chain);
});

/** `npm test` has time for one. */
const LAST = EVERY ? 2 : 1;

test("the first iterations run again give what was recorded", async () => {
  const [start] = ofType(recorded, "start");
  const experiment = await Experiment.open(validateSpec(start!.spec), await host());
  const again: RunEvent[] = [];
  while (experiment.position.iteration <= LAST) again.push(...(await experiment.advance()));
  experiment.dispose();
  expect(again.length).toBeGreaterThan(4 * LAST);
  // The wasm backend picks its kernels by processor family: the last bits are promised on the same family only.
  if (process.arch === "x64") {
    expect(again.map(({ chain }) => chain)).toEqual(
      recorded.slice(0, again.length).map(({ chain }) => chain),
    );
  }
  for (const [i, event] of ofType(again, "iteration").entries()) {
    const { metrics } = ofType(recorded, "iteration")[i]!;
    for (const [name, value] of Object.entries(event.metrics)) {
      expect(value, name).toBeCloseTo(metrics[name]!, 2);
    }
  }
});
