/** `record train --model DIR`: the recording has the adapters alone, and answers questions once its folder is chosen. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import type { Connect } from "../../src/runtime/client.ts";
import type { Question } from "../../src/runtime/questions.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import { keepChosenModel } from "../../src/store/chosenModels.ts";
import type { ExperimentStore } from "../../src/store/experimentState.ts";
import { ModelAnswers } from "../../src/store/modelAnswers.ts";
import { blobsOf, smallFolder } from "../model/smallFolder.ts";
import { loadAsset, wasmEngine } from "../train/support.ts";
import { turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-record-folder-"));
const place = (name: string) => join(folder, name);
const files = smallFolder(1, 2);

const spec = {
  preset: "talker-nano",
  environment: { maxTurns: 2 },
  model: { lora: { rank: 4, targets: ["q_proj", "v_proj"] } },
  algorithms: [{ name: "turn-ppo", set: {} }],
  critic: { kind: "head-detached", warmup: 0, epochs: 1 },
  sampling: { maxTokensPerTurn: 12 },
  optimisation: { iterations: 3, tasksPerIteration: 2, groupSize: 2, minibatch: 4, epochs: 1 },
  evaluation: { levels: 2, every: 1 },
  recordEpisodes: 4,
};

beforeAll(async () => {
  mkdirSync(place("model"));
  for (const [name, bytes] of files) writeFileSync(join(place("model"), name), bytes);
  writeFileSync(place("spec.json"), JSON.stringify(spec));
  const paths = ["--out", place("recorded"), "--work", place("work"), "--model", place("model")];
  const few = ["--branches", "4", "--truths", "1", "--workers", "1"];
  const changes = ["--set", "optimisation.iterations=2"];
  const words = [place("spec.json"), ...paths, ...few, ...changes];
  const { code, progress } = await turnbook("record", "train", ...words);
  expect([code, progress.at(-1)]).toEqual([0, expect.any(String)]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = () =>
  readColumnar(readFileSync(join(place("recorded"), "recording.json"), "utf8"), (name) =>
    Promise.resolve(new Uint8Array(readFileSync(join(place("recorded"), name)))),
  );

/** A worker in this process: its messages are tasks, as a worker's are. */
const connect: Connect = (listener) => {
  const session = new TrainingSession({
    post: (message) => listener(structuredClone(message)),
    openEngine: async () => {
      const engine = { ...(await wasmEngine()), dispose: () => undefined };
      return { engine, report: { ...engine.info, fallback: null } };
    },
    loadAsset,
    now: () => performance.now(),
    rest: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  return {
    send: (message) => void setImmediate(() => session.receive(structuredClone(message))),
    close: () => void session.receive({ type: "stop" }),
  };
};

it("has the changed setting, and weights of adapters and value heads alone", async () => {
  const { source } = await open();
  expect(source.spec!.optimisation.iterations).toBe(2);
  expect(source.spec!.model.folder!.name).toBe("model");
  const text = readFileSync(join(place("recorded"), "recording.json"), "utf8");
  expect((JSON.parse(text) as { command: string }).command).toMatch(/ --model model --branches 4 /);
  const names = [...(await source.weights(2)).keys()];
  expect(names).toHaveLength(2 * 2 * 2 + 2);
  expect(names.every((name) => /lora_[AB]|value_head/.test(name))).toBe(true);
  expect(statSync(join(place("recorded"), "weights-2.safetensors")).size).toBeLessThan(10_000);
});

it("names the folder that it needs, and with it answers every kind of question", async () => {
  const { log, source } = await open();
  const state = { state: "idle", view: { log, origin: "recorded" }, choice: {} };
  const store = { getState: () => state } as unknown as ExperimentStore;
  const answers = new ModelAnswers(store, connect, () => undefined);
  const [episode] = await vi.waitFor(() => {
    const episodes = log.episodes("turn-ppo", 2);
    expect(episodes).not.toHaveLength(0);
    return episodes;
  });
  const about = { algorithm: "turn-ppo", iteration: 2, episode: episode! };
  const prompt = { kind: "prompt", ...about, turn: 1 } as const;
  const { hash } = source.spec!.model.folder!;
  await expect(answers.ask(prompt).answer).rejects.toThrow(
    `model folder model first (hash ${hash})`,
  );

  // Whatever was chosen in its place, the worker compares its files.
  keepChosenModel(hash, blobsOf(smallFolder(2)));
  await expect(answers.ask(prompt).answer).rejects.toThrow(hash);

  keepChosenModel(hash, blobsOf(files));
  const { parts } = await answers.ask(prompt).answer;
  expect(parts.map(({ who, turn }) => [who, turn])).toEqual([
    ["environment", 0],
    ["model", 0],
    ["environment", 1],
  ]);
  expect(parts[1]!.tokens).toEqual(episode!.turns[0]!.tokens.map(({ text }) => text));
  const said = [parts[0]!, parts[2]!].map(({ tokens }) => tokens.join("").replaceAll("Ġ", " "));
  for (const [h, text] of said.entries()) {
    const row = episode!.turns[h]!.observation.split("\n")[2]!;
    expect(text).toContain([...row].join(" "));
  }

  const truth = await answers.ask({ kind: "truth", ...about, branches: 4 }).answer;
  expect(truth.trained).toBe(1);
  expect(truth.value).toHaveLength(episode!.turns.length);
  const others: Question[] = [
    { kind: "fork", ...about, turn: 0, branches: 4, response: null, board: null },
    { kind: "play", algorithm: "turn-ppo", seed: 3, said: [], take: true, draw: 0 },
    { kind: "values", algorithm: "turn-ppo", episode: episode!, turn: 0 },
  ];
  for (const question of others)
    expect((await answers.ask(question).answer).kind).toBe(question.kind);
  answers.dropRecorded();
}, 120_000);
