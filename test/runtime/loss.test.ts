/** A device that is lost in the middle of a verb: the run goes on from its newest checkpoint on another, to the same end. */
import { beforeAll, expect, test } from "vitest";
import type { DecodeSession, Engine, EngineModel } from "../../src/engine/engine.ts";
import { EngineError } from "../../src/engine/errors.ts";
import type { FromWorker } from "../../src/runtime/protocol.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import { loadAsset, runSpec, tinySpec, wasmEngine } from "../train/support.ts";

const spec = tinySpec({
  algorithms: [{ name: "turn-ppo", set: {} }],
  optimisation: { iterations: 3, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
  evaluation: { levels: 0 },
});

type Verb = "forward" | "backward" | "gradNorm" | "update" | "generate";

/** After how many of its calls a verb's device is gone. */
interface Loss {
  verb: Verb;
  left: number;
}

/** Of the run that is not broken. */
const calls: Record<Verb, number> = {
  forward: 0,
  backward: 0,
  gradNorm: 0,
  update: 0,
  generate: 0,
};

/** Throws when it is time. */
function use(loss: Loss | null, verb: Verb): void {
  if (!loss) calls[verb]++;
  else if (loss?.verb === verb && loss.left-- <= 0)
    throw new EngineError("device-lost", "the graphics device was lost (reset)");
}

/** The shared engine, on a device that is lost as told. */
async function engineThatLoses(loss: Loss | null): Promise<Engine> {
  const engine = await wasmEngine();
  const watched = <T extends EngineModel | DecodeSession>(of: T, verbs: Verb[]): T =>
    new Proxy(of, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (name === "decode")
          return (...sizes: [number, number]) =>
            watched((target as EngineModel).decode(...sizes), ["generate"]);
        if (typeof value !== "function") return value;
        const verb = verbs.find((one) => one === name);
        return async (...args: unknown[]) => {
          if (verb) use(loss, verb);
          return (value as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  return {
    ...engine,
    dispose: () => undefined,
    createModel: async (...given) =>
      watched(await engine.createModel(...given), ["forward", "backward", "gradNorm", "update"]),
  };
}

/** A worker's run, from its messages, until it has finished or failed. */
async function run(loss: Loss | null, saved?: Uint8Array) {
  const heard: FromWorker[] = [];
  const engine = await engineThatLoses(loss);
  await new Promise<void>((resolve) => {
    const training = new TrainingSession({
      post: (message) => {
        heard.push(structuredClone(message));
        if (message.type === "state" && /finished|failed/.test(message.state)) resolve();
      },
      openEngine: async () => ({ engine, report: { ...engine.info, fallback: null } }),
      loadAsset,
      now: () => performance.now(),
      rest: (ms) => new Promise((awake) => setTimeout(awake, ms)),
    });
    void training.receive({ type: "start", spec, paused: false, ...(saved && { saved }) });
  });
  const of = <T extends FromWorker["type"]>(type: T) =>
    heard.filter((one): one is Extract<FromWorker, { type: T }> => one.type === type);
  return { of };
}

let fingerprint: string;
beforeAll(async () => {
  ({ fingerprint } = await runSpec(spec));
  expect((await run(null)).of("fingerprint")).toMatchObject([{ fingerprint }]);
});

test.each(Object.keys(calls) as Verb[])("%s", async (verb) => {
  // In the second of three iterations, or the third.
  const left = Math.floor(0.6 * calls[verb]);
  expect(left).toBeGreaterThan(1);
  const broken = await run({ verb, left });
  expect(broken.of("error")).toMatchObject([
    { kind: "environment", message: "The graphics device was lost (reset).", retry: true },
  ]);
  expect(broken.of("fingerprint")).toEqual([]);
  const newest = broken.of("checkpoint").at(-1)!.checkpoint;
  expect(newest.iteration).toBeGreaterThanOrEqual(1);
  const again = await run({ verb, left: Infinity }, newest.bytes);
  expect(again.of("error")).toEqual([]);
  expect(again.of("fingerprint")).toMatchObject([{ fingerprint }]);
});
