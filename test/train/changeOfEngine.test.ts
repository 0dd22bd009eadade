import { expect, test } from "vitest";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { ChainCheck } from "../../src/train/integrity.ts";
import { host, loadAsset, ofType, runSpec, runToEnd, tinySpec, wasmEngine } from "./support.ts";

const spec = tinySpec({ algorithms: [{ name: "grpo", set: {} }], evaluation: { levels: 0 } });

async function savedAfterOne() {
  const experiment = await Experiment.open(spec, await host());
  const events = [...(await experiment.advance()), ...(await experiment.advance())];
  const saved = await decodeCheckpoint(await experiment.save());
  experiment.dispose();
  return { events, saved };
}

/** The wasm engine under another name: its numbers are the same, and the log must not rely on that. */
async function otherEngine() {
  const engine = await wasmEngine();
  const info = { ...engine.info, engine: "tfjs" as const, reproducible: "device" as const };
  return { ...engine, info, dispose: () => undefined };
}

test("a run that another engine continues says so in its log, once", async () => {
  const { events, saved } = await savedAfterOne();
  const experiment = await Experiment.open(spec, { engine: await otherEngine(), loadAsset }, saved);
  const before = await decodeCheckpoint(await experiment.save());
  expect(before.position.engine).toMatchObject({ engine: "wasm" });
  const rest = await runToEnd(experiment);
  experiment.dispose();
  expect(rest[0]).toMatchObject({ type: "engine", engine: { engine: "tfjs" } });
  expect(ofType(rest, "engine")).toHaveLength(1);
  const check = new ChainCheck();
  [...events, ...rest].forEach((event, i) => check.take(event, i + 1));
  expect(check.result).toMatchObject({ state: "intact", ended: true });
});

test("the same engine continues without a trace, also from a checkpoint that does not name it", async () => {
  const { saved } = await savedAfterOne();
  const { fingerprint } = await runSpec(spec);
  const { engine: _engine, ...position } = saved.position;
  for (const at of [saved.position, position]) {
    const experiment = await Experiment.open(spec, await host(), { ...saved, position: at });
    const rest = await runToEnd(experiment);
    experiment.dispose();
    expect(ofType(rest, "engine")).toEqual([]);
    expect(experiment.fingerprint).toBe(fingerprint);
  }
});
