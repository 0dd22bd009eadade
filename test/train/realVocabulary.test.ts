/** RL on a folder with Qwen's whole vocabulary of 151,936 tokens: killed at every stage and resumed, its numbers are the same. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesIn, folderOpener } from "../../src/cli/modelFolder.ts";
import { hashFolder, openTextFolder } from "../../src/model/textFolder.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { writeFolder, writeTokenizer } from "../bench/qwenFolder.ts";
import { killedAt } from "../cli/cliSupport.ts";
import { EVERY } from "../every.ts";
import { host, ofType, runToEnd, wasmEngine } from "./support.ts";

const place = mkdtempSync(join(tmpdir(), "turnbook-vocabulary-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const folder = join(place, "thin");
writeFolder(folder, { shape: "qwen3-thin", seed: 1, shards: 1 });
writeTokenizer(folder);
const open = folderOpener("model", folder);
const opened = await openTextFolder(open, filesIn(folder));
const { hash } = await hashFolder(open, opened.files);

/** Two episodes of two turns an iteration; two epochs, so that the second meets a policy that has moved. */
const specOf = (iterations: number, backend: "wasm" | "webgpu") =>
  toSpec({
    preset: "talker-nano",
    environment: { maxTurns: 2 },
    model: {
      folder: { hash, name: "thin" },
      lora: { rank: 2, targets: ["q_proj", "v_proj"] },
    },
    algorithms: [{ name: "turn-ppo", set: { betaKl: 0.1 } }],
    critic: { kind: "head-detached", warmup: 0, epochs: 1 },
    sampling: { maxTokensPerTurn: 4 },
    optimisation: { iterations, tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 2 },
    evaluation: { levels: 1, every: 1 },
    engine: { backend },
  });

/** What a run has kept. */
interface Kept {
  bytes?: Uint8Array;
  saves: number;
  events: RunEvent[];
}

/** Runs on from what is kept; `stop` sees every phase and every step between, and may throw. Saves between iterations, as `train` does. */
async function goOn(kept: Kept, stop: (moment: string) => void): Promise<string> {
  const seen = new Map<string, number>();
  const notice = (what: string) => {
    const moment = `${kept.saves} ${what}`;
    seen.set(moment, (seen.get(moment) ?? 0) + 1);
    stop(`${moment} ${seen.get(moment)}`);
  };
  const own = {
    ...(await host()),
    openFolder: async () => opened,
    progress: notice,
    gate: async () => notice("step"),
  };
  const saved = kept.bytes && (await decodeCheckpoint(kept.bytes));
  const run = await Experiment.open(specOf(2, "wasm"), own, saved);
  try {
    while (!run.finished) {
      const events = await run.advance();
      kept.bytes = await run.save();
      kept.saves++;
      kept.events.push(...events);
    }
  } finally {
    run.dispose();
  }
  return run.fingerprint;
}

/** Of what repeats between two saves, `npm test` takes the first. */
const taken = (moment: string) => EVERY || moment.endsWith(" 1");

const numbersOf = (events: RunEvent[]) => ofType(events, "iteration").map(({ metrics }) => metrics);

test("stopped at every phase and between steps, two iterations on WebAssembly end as the unbroken ones", async () => {
  const engine = await wasmEngine();
  const whole: Kept = { saves: 0, events: [] };
  const moments = new Set<string>();
  const fingerprint = await goOn(whole, (moment) => moments.add(moment));
  const [first, second] = numbersOf(whole.events);
  expect(first!["actor/grad_norm"]).toBeGreaterThan(0);
  expect(second!["actor/kl_loss"]).toBeGreaterThan(first!["actor/kl_loss"]!);

  const { bytes } = engine.memory();
  const broken: Kept = { saves: 0, events: [] };
  const stopped = new Set<string>();
  const end = async () =>
    goOn(broken, (moment) => {
      if (stopped.has(moment) || !taken(moment)) return;
      stopped.add(moment);
      throw new Error("killed");
    });
  let last = "";
  while (last === "")
    last = await end().catch((error: Error) => {
      expect(error.message).toBe("killed");
      expect(engine.memory().bytes).toBe(bytes);
      return "";
    });
  expect(last).toBe(fingerprint);
  expect(numbersOf(broken.events)).toEqual([first, second]);
  // How often levels that are being made say so is a matter of time.
  const phases = [...moments].filter((moment) => /(rollout|update|evaluation) 1$/.test(moment));
  expect(phases).toHaveLength(1 + 2 * 3);
  for (const moment of phases) expect(stopped).toContain(moment);
});

const STAGES = [
  "making test levels",
  "first evaluation",
  "1: rollout",
  "1: update",
  "1: evaluation",
];

/** An iteration by the command line in processes of their own, the last of which is not killed. */
async function killedAtEach(stages: readonly string[], ...train: string[]): Promise<RunEvent[]> {
  for (const stage of stages) {
    const { said, killed } = await killedAt(stage, ...train);
    expect(killed ? stage : said).toBe(stage);
  }
  return eventsIn((await killedAt("never", ...train)).said);
}

// Each process checks its adapter and compiles its kernels again.
if (EVERY)
  test("killed at every stage, an iteration on WebGPU ends as the unbroken one, near WebAssembly's", async () => {
    const file = join(place, "spec.json");
    writeFileSync(file, JSON.stringify(specOf(1, "webgpu")));
    const train = ["train", file, "--model", folder];
    const [resumed, unbroken] = await Promise.all([
      killedAtEach(STAGES, ...train, "--out", join(place, "run")),
      killedAtEach([], ...train),
    ]);
    const [fingerprint, expected] = [resumed, unbroken].map(
      (events) => (events.at(-1) as { fingerprint?: string }).fingerprint,
    );
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint).toBe(expected);

    const own = { ...(await host()), openFolder: async () => opened };
    const run = await Experiment.open(specOf(1, "wasm"), own);
    const events = await runToEnd(run);
    run.dispose();
    const [ours, theirs] = [numbersOf(resumed)[0]!, numbersOf(events)[0]!];
    // Of tokens as likely as each other, a last digit may draw the neighbour: what hangs on the very token is another's.
    for (const name of ["actor/entropy", "critic/grad_norm"])
      expect(Math.abs(ours[name]! / theirs[name]! - 1), name).toBeLessThan(1e-3);
  });

const eventsIn = (said: string) =>
  said.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as RunEvent] : []));
