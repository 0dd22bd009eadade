/** Runs on a model folder of the reader's own, whose tokenizer and template speak. */
import { expect, test } from "vitest";
import { withAdapter } from "../../src/model/adapter.ts";
import { wholeWeights } from "../../src/model/folder.ts";
import {
  blobOpener,
  hashFolder,
  openNamedFolder,
  openTextFolder,
} from "../../src/model/textFolder.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { toSpec } from "../../src/spec/presets.ts";
import type { PartialSpec } from "../../src/spec/experiment.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import type { ExperimentHost } from "../../src/train/host.ts";
import { modelFolders } from "../../src/train/modelFolders.ts";
import { blobsOf, smallFolder, type FolderBytes } from "../model/smallFolder.ts";
import { host, ofType, runToEnd } from "./support.ts";

const files = smallFolder(1, 2);

async function hashOf(folder: FolderBytes): Promise<string> {
  const open = blobOpener(blobsOf(folder));
  const { files: names } = await openTextFolder(open, [...folder.keys()]);
  return (await hashFolder(open, names)).hash;
}

const specOn = (hash: string, changes: PartialSpec = {}) =>
  toSpec({
    preset: "talker-nano",
    environment: { maxTurns: 2 },
    model: { folder: { hash, name: "small" }, lora: { rank: 4, targets: ["q_proj", "v_proj"] } },
    algorithms: [{ name: "turn-ppo", set: { betaKl: 0.1 } }],
    critic: { kind: "head-detached", warmup: 0, epochs: 1 },
    sampling: { maxTokensPerTurn: 12 },
    optimisation: { iterations: 2, tasksPerIteration: 2, groupSize: 2, minibatch: 4, epochs: 1 },
    evaluation: { levels: 2, every: 1 },
    engine: { backend: "wasm" },
    ...changes,
  });

const hostWith = async (folder: FolderBytes): Promise<ExperimentHost> => ({
  ...(await host()),
  openFolder: (named) => openNamedFolder(blobOpener(blobsOf(folder)), [...folder.keys()], named),
});

test("an iteration trains its adapters, and a checkpoint has nothing of the frozen weights", async () => {
  const spec = specOn(await hashOf(files));
  const own = await hostWith(files);
  const run = await Experiment.open(spec, own);
  const before = await run.learners[0]!.actor.readWeights();
  const events = await runToEnd(run);
  const [start] = ofType(events, "start");
  expect(start!.parameters).toBe(2 * 4 * (64 + 64 + 64 + 32) + 64 + 1);
  const [first, second] = ofType(events, "iteration").map(({ metrics }) => metrics);
  expect(first!["actor/kl_loss"]).toBe(0);
  expect(second!["actor/kl_loss"]).toBeGreaterThan(0);
  const saved = await decodeCheckpoint(await run.save());
  const stored = [...saved.tensors.keys()].filter((name) => name.includes("/weight/"));
  expect(stored.every((name) => /lora_[AB]|value_head/.test(name))).toBe(true);
  const after = await run.learners[0]!.actor.readWeights();
  const name = "model.layers.1.self_attn.v_proj.lora_B.weight";
  expect(after.get(name)!.data).not.toEqual(before.get(name)!.data);
  expect(after.get("model.embed_tokens.weight")).toEqual(before.get("model.embed_tokens.weight"));

  // Exported for PEFT, they merge into the folder that they belong to.
  const exported = await modelFolders(saved, {});
  expect([...exported.keys()]).toEqual([
    "turn-ppo-adapter/adapter_config.json",
    "turn-ppo-adapter/adapter_model.safetensors",
  ]);
  const adapter = new Map(
    [...exported].map(([path, bytes]) => [path.split("/")[1]!, new Blob([bytes as BlobPart])]),
  );
  const { opened } = await openTextFolder(blobOpener(blobsOf(files)), [...files.keys()]);
  const merged = await wholeWeights(await withAdapter(opened, blobOpener(adapter)));
  const changed = [...merged].flatMap(([tensor, { data }]) =>
    data.some((x, i) => x !== before.get(tensor)!.data[i]) ? [tensor] : [],
  );
  expect(changed.sort()).toEqual(
    [0, 1].flatMap((layer) =>
      ["q", "v"].map((part) => `model.layers.${layer}.self_attn.${part}_proj.weight`),
    ),
  );
  run.dispose();

  for (const stop of [1, 2]) {
    const half = await Experiment.open(spec, own);
    for (let i = 0; i < stop; i++) await half.advance();
    const bytes = await half.save();
    half.dispose();
    const rest = await Experiment.open(spec, own, await decodeCheckpoint(bytes));
    await runToEnd(rest);
    rest.dispose();
    expect(rest.fingerprint, `after ${stop}`).toBe(run.fingerprint);
  }
});

test("without the folder, or with another, it is refused by name and hash", async () => {
  const spec = specOn(await hashOf(files));
  await expect(Experiment.open(spec, await host())).rejects.toThrow(
    `model.folder is "small"; choose the folder whose hash is ${spec.model.folder!.hash}`,
  );
  const other = smallFolder(2);
  await expect(Experiment.open(spec, await hostWith(other))).rejects.toThrow(
    `the chosen folder's files have ${await hashOf(other)}`,
  );
  const wide = specOn(spec.model.folder!.hash, {
    model: { folder: spec.model.folder, lora: { rank: 33, targets: ["v_proj"] } },
  });
  await expect(Experiment.open(wide, await hostWith(files))).rejects.toThrow(
    'model.lora.rank is 33; with model.folder "small" it must be a whole number from 1 to 32',
  );
});

test("a link names the folder; settings that it excludes are refused", async () => {
  const hash = await hashOf(files);
  const spec = specOn(hash);
  const { spec: read, warnings } = decodeLink(encodeLink(spec));
  expect(warnings).toEqual([]);
  expect(read).toEqual(spec);
  const folder = { hash, name: "small" };
  const refused = (changes: PartialSpec) => () => toSpec({ preset: "talker-nano", ...changes });
  expect(refused({ model: { folder, warmStart: "none" } })).toThrow(/model.warmStart is "none"/);
  expect(refused({ preset: "nano", model: { folder } })).toThrow(/environment.thought/);
  expect(refused({ preset: "webshop-class", model: { folder } })).toThrow(
    /environment.kind is "webshop"/,
  );
  expect(refused({ model: { folder: { ...folder, hash: "12" } } })).toThrow(/model.folder.hash/);
});
