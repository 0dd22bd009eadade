import { strToU8, unzipSync, zipSync, strFromU8 } from "fflate";
import { expect, test } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { host, runSpec, runToEnd, tinySpec } from "./support.ts";

/** Runs until that many units are done, saves, and resumes from what was saved. */
async function interrupted(spec: ReturnType<typeof tinySpec>, units: number) {
  const first = await Experiment.open(spec, await host());
  for (let i = 0; i < units; i++) await first.advance();
  const saved = await decodeCheckpoint(await first.save());
  first.dispose();
  const second = await Experiment.open(spec, await host(), saved);
  await runToEnd(second);
  second.dispose();
  return second.fingerprint;
}

test("a run that began by cloning trains on the same levels after a resume", async () => {
  const spec = tinySpec({
    model: { warmStart: "clone" },
    clone: { levels: 4, steps: 2, batch: 4 },
    algorithms: [{ name: "grpo", set: {} }],
    // Far more levels than are held out for the scores, so that some of them are to be avoided.
    optimisation: { iterations: 2, tasksPerIteration: 32, groupSize: 1, minibatch: 32, epochs: 1 },
  });
  expect(await interrupted(spec, 2)).toBe((await runSpec(spec)).fingerprint);
});

test("a run that is held near its first policy keeps that policy over a resume", async () => {
  const spec = tinySpec({
    model: { warmStart: "clone" },
    clone: { levels: 4, steps: 2, batch: 4 },
    algorithms: [{ name: "grpo", set: { betaKl: 0.1 } }],
  });
  const { events, fingerprint } = await runSpec(spec);
  const kl = events.flatMap((event) =>
    event.type === "iteration" ? [event.metrics["actor/kl_loss"]!] : [],
  );
  expect(kl).toHaveLength(2);
  expect(kl[1]).toBeGreaterThan(0);
  expect(await interrupted(spec, 2)).toBe(fingerprint);
});

test("a run one of whose algorithms has crashed goes on from its checkpoint", async () => {
  const spec = tinySpec();
  const first = await Experiment.open(spec, await host());
  await first.advance();
  const { actor } = first.learners[0]!;
  const weights = await actor.readWeights();
  weights.get("model.norm.weight")!.data.fill(Number.NaN);
  await actor.writeWeights(weights);
  expect((await first.advance()).map(({ type }) => type)).toEqual(["crash", "finding"]);
  const saved = await decodeCheckpoint(await first.save());
  const rest = (await runToEnd(first)).map(({ chain }) => chain);
  first.dispose();
  const second = await Experiment.open(spec, await host(), saved);
  expect((await runToEnd(second)).map(({ chain }) => chain)).toEqual(rest);
  second.dispose();
});

test("a damaged checkpoint is refused in one sentence", async () => {
  const spec = tinySpec();
  const experiment = await Experiment.open(spec, await host());
  const whole = unzipSync(await experiment.save());
  experiment.dispose();
  const state = JSON.parse(strFromU8(whole["state.json"]!)) as Record<string, unknown>;
  const packed = (changes: object) =>
    zipSync({ ...whole, "state.json": strToU8(JSON.stringify({ ...state, ...changes })) });
  const refused = async (bytes: Uint8Array, message: string) => {
    await expect(decodeCheckpoint(bytes)).rejects.toThrow(InputError);
    await expect(decodeCheckpoint(bytes)).rejects.toThrow(message);
  };
  await refused(new Uint8Array(100), "not a whole zip file");
  await refused(zipSync({ ...whole, "state.json": strToU8("{") }), "not a whole zip file");
  await refused(zipSync({ ...whole, "state.json": strToU8("null") }), "format is nothing");
  await refused(packed({ format: "turnbook-checkpoint-9" }), "turnbook-checkpoint-9");
  await refused(packed({ position: { iteration: -1 } }), "no usable position.iteration");
  await refused(packed({ position: undefined }), "no usable position");

  const ofTwo = await decodeCheckpoint(packed({ steps: {} }));
  await expect(Experiment.open(spec, await host(), ofTwo)).rejects.toThrow(
    "the checkpoint has no grpo:actor",
  );
  const lacking = await decodeCheckpoint(packed({}));
  lacking.tensors.delete("grpo:actor/weight/model.norm.weight");
  await expect(Experiment.open(spec, await host(), lacking)).rejects.toThrow(
    "the checkpoint does not fit grpo:actor: weight model.norm.weight is missing",
  );
});
