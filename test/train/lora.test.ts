/** Runs that train adapters: resumed, held near their base, and as folders for PEFT and transformers. */
import { expect, test } from "vitest";
import type { EngineModel } from "../../src/engine/engine.ts";
import { groupOf, isAdapter } from "../../src/engine/parameters.ts";
import { withAdapter } from "../../src/model/adapter.ts";
import { openModelFolder, wholeWeights } from "../../src/model/folder.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { modelFolders } from "../../src/train/modelFolders.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "./support.ts";
import { language } from "../engine/learning.ts";

const spec = tinySpec({
  model: { lora: { rank: 4, targets: ["q_proj", "v_proj", "o_proj", "gate_proj", "down_proj"] } },
  algorithms: [
    { name: "grpo", set: { betaKl: 0.1 } },
    { name: "turn-ppo", set: {} },
  ],
});
const separate = tinySpec({
  model: { lora: { rank: 2 } },
  algorithms: [{ name: "turn-ppo", set: {} }],
  critic: { kind: "separate", warmup: 0, epochs: 1 },
});

test("the start says how many parameters are trained, and the KL to the base grows from 0", async () => {
  const { events } = await runSpec(spec);
  const [start] = ofType(events, "start");
  const sizes = { q: 64 + 64, v: 64 + 32, o: 64 + 64, gate: 64 + 192, down: 192 + 64 };
  const rows = Object.values(sizes).reduce((a, b) => a + b);
  expect(start!.parameters).toBe(2 * 4 * rows + 64 + 1);
  const kl = ofType(events, "iteration").flatMap(({ algorithm, metrics }) =>
    algorithm === "grpo" ? [metrics["actor/kl_loss"]!] : [],
  );
  expect(kl[1]).toBeGreaterThan(0);
});

test.each([
  ["held near its base", spec],
  ["with a critic of its own", separate],
])("a run %s, saved after any unit, ends with the same fingerprint", async (_, one) => {
  const { fingerprint } = await runSpec(one);
  const units = 1 + 2 * one.algorithms.length;
  for (let stop = 1; stop < units; stop++) {
    const first = await Experiment.open(one, await host());
    for (let i = 0; i < stop; i++) await first.advance();
    const saved = await decodeCheckpoint(await first.save());
    expect([...saved.tensors.keys()].some((name) => name.includes(":reference/"))).toBe(false);
    first.dispose();
    const second = await Experiment.open(one, await host(), saved);
    await runToEnd(second);
    second.dispose();
    expect(second.fingerprint, `after ${stop}`).toBe(fingerprint);
  }
});

const logitsOf = async (model: EngineModel) =>
  (await model.forward({ rows: language(1), temperature: 1, logits: true })).logits!;

test("adapters come back merged from PEFT's folder, and from the merged one, with the run's logits", async () => {
  const run = await Experiment.open(spec, await host());
  const { engine } = await host();
  const before = await run.learners[1]!.actor.readWeights();
  await runToEnd(run);
  const { actor } = run.learners[1]!;
  const expected = await logitsOf(actor);
  for (const [name, { data }] of await actor.readWeights()) {
    if (groupOf(name) === "valueHead") continue;
    if (isAdapter(name)) expect(data, name).not.toEqual(before.get(name)!.data);
    else expect(data, name).toEqual(before.get(name)!.data);
  }
  const files = await modelFolders(await decodeCheckpoint(await run.save()), {});
  const opener = (folder: string) => async (name: string) => {
    const bytes = files.get(`${folder}/${name}`);
    if (!bytes) throw new Error("no such file");
    return { size: bytes.length, read: async (a: number, b: number) => bytes.subarray(a, b) };
  };
  const names = (folder: string) =>
    [...files.keys()].flatMap((path) =>
      path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
    );
  const base = await openModelFolder(opener("frozen-base"), names("frozen-base"));
  const read = [
    await withAdapter(base, opener("turn-ppo-adapter")),
    await openModelFolder(opener("turn-ppo"), names("turn-ppo")),
  ];
  const scale = Math.max(...expected.map(Math.abs));
  for (const opened of read) {
    const model = await engine.createModel(opened.config, await wholeWeights(opened), "none");
    const logits = await logitsOf(model);
    const worst = Math.max(...logits.map((x, i) => Math.abs(x - expected[i]!)));
    expect(worst / scale).toBeLessThan(1e-5);
    model.dispose();
  }
  // The base's own differ: the adapters do something.
  const plain = await engine.createModel(base.config, await wholeWeights(base), "none");
  const moved = (await logitsOf(plain)).map((x, i) => Math.abs(x - expected[i]!));
  expect(Math.max(...moved) / scale).toBeGreaterThan(1e-4);
  plain.dispose();
  run.dispose();
  const config = JSON.parse(
    new TextDecoder().decode(files.get("turn-ppo-adapter/adapter_config.json")),
  );
  expect(config).toMatchObject({ peft_type: "LORA", r: 4, lora_alpha: 8, bias: "none" });
  const folders = new Set([...files.keys()].map((path) => path.split("/")[0]));
  expect([...folders].sort()).toEqual([
    "frozen-base",
    "grpo",
    "grpo-adapter",
    "turn-ppo",
    "turn-ppo-adapter",
  ]);
});
