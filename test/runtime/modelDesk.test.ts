/** The worker's side of the reader's own model, on the wasm engine. */
import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/errors.ts";
import { logitsDifference, rowLogits } from "../../src/model/logitsDifference.ts";
import { loadOpened, type WeightForm } from "../../src/model/loadOpened.ts";
import { speak } from "../../src/model/speak.ts";
import { blobOpener, openTextFolder } from "../../src/model/textFolder.ts";
import type { ModelMessage, ModelReport, SaidToken } from "../../src/runtime/modelReport.ts";
import { ModelDesk, type ModelDeskHost } from "../../src/runtime/services/modelDesk.ts";
import { openEngine } from "../engine/support.ts";
import { blobsOf, smallFolder, type FolderBytes } from "../model/smallFolder.ts";

function openDesk(host: Partial<ModelDeskHost> = {}) {
  const messages: ModelMessage[] = [];
  const engines: Awaited<ReturnType<typeof openEngine>>[] = [];
  const desk = new ModelDesk({
    post: (message) => messages.push(structuredClone(message)),
    openEngine: async () => {
      const engine = await openEngine("plan wasm");
      engines.push(engine);
      return { engine, report: { ...engine.info, fallback: null } };
    },
    memoryBytes: 2 ** 33,
    now: () => performance.now(),
    rest: () => Promise.resolve(),
    ...host,
  });
  const report = (): ModelReport => messages.filter((one) => one.type === "model").at(-1)!.report;
  const said = (id: number): SaidToken[] =>
    messages.flatMap((one) => (one.type === "said" && one.id === id ? one.tokens : []));
  const ended = (id: number) =>
    messages.flatMap((one) => (one.type === "said" && one.id === id ? (one.ended ?? []) : []))[0];
  const open = (files: FolderBytes, weights: WeightForm = "stored") =>
    desk.receive({
      type: "openFolder",
      name: "small",
      files: blobsOf(files),
      backend: "auto",
      weights,
    });
  return { desk, engines, messages, report, said, ended, open };
}

const prompt = { messages: [{ role: "user", content: "Up" }], thinks: false } as const;
const greedy = { maxTokens: 8, temperature: 0, topP: 1, seed: 1 };

test("a folder is looked at before anything is loaded, then says what the same code says alone", async () => {
  const { desk, report, said, ended, open, messages } = openDesk();
  await open(smallFolder(1, 2));
  expect(report()).toMatchObject({
    state: "read",
    problem: null,
    folder: {
      name: "small",
      tokens: 1024,
      hasThinking: true,
      hash: expect.stringMatching(/^\w{64}$/),
    },
    plan: { context: 1024 },
  });
  const { parts } = report().plan!;
  expect(Object.keys(parts)).toContain("cache");
  // BF16 matrices stay packed.
  expect(parts["parameters"]).toBeLessThan(3 * report().folder!.parameters);
  await desk.receive({ type: "loadFolder" });
  expect(report().state).toBe("ready");
  await desk.receive({ type: "say", id: 7, prompt, ...greedy });

  const files = smallFolder();
  const { opened, template, tokenizer, stopIds } = await openTextFolder(
    blobOpener(blobsOf(files)),
    [...files.keys()],
  );
  const engine = await openEngine("plan wasm");
  const model = await loadOpened(engine, opened);
  const text = template!(prompt.messages, { addGenerationPrompt: true, enableThinking: false });
  const expected = [];
  for await (const some of speak(model, { ...greedy, ids: tokenizer.encode(text), stopIds }, 8))
    expected.push(...some);
  expect(said(7).map(({ id, logprob }) => ({ id, logprob }))).toEqual(expected);
  expect(ended(7)).toMatchObject({ promptTokens: tokenizer.encode(text).length });

  await desk.receive({ type: "scoreText", id: 8, prompt: { text: "Up Down Up" } });
  const scored = said(8);
  expect(scored.map(({ text: piece }) => piece).join("")).toBe("Up Down Up");
  expect(scored[0]).toMatchObject({ logprob: 0, entropy: 0 });
  expect(scored[1]!.logprob).toBeLessThan(0);
  expect(scored[1]!.entropy).toBeGreaterThan(0);
  expect(messages.every((one) => one.type !== "model" || one.report.problem === null)).toBe(true);
  engine.dispose();
});

test("int8 takes less memory, and says a little else", async () => {
  const [stored, int8] = [openDesk(), openDesk()];
  const parameters: number[] = [];
  for (const [desk, form] of [
    [stored, "stored"],
    [int8, "int8"],
  ] as const) {
    await desk.open(smallFolder(), form);
    await desk.desk.receive({ type: "loadFolder" });
    parameters.push(desk.report().plan!.parts["parameters"]!);
    await desk.desk.receive({ type: "scoreText", id: 1, prompt: { text: "Up Down Up" } });
  }
  expect(parameters[1]).toBeLessThan(0.7 * parameters[0]!);
  const [exact, rounded] = [stored.said(1)[1]!.logprob, int8.said(1)[1]!.logprob];
  expect(rounded).not.toBe(exact);
  expect(rounded).toBeCloseTo(exact, 0);
});

test("an episode is scored turn by turn, each after what was read before it", async () => {
  const { desk, said, ended, open } = openDesk();
  await open(smallFolder());
  await desk.receive({ type: "loadFolder" });
  const asked = { role: "user", content: "The box is above." } as const;
  const [first, second] = ["<answer>Up</answer>", "Down, é"];
  const turns = [
    { messages: [asked], response: first },
    { messages: [asked, { role: "assistant", content: first } as const, asked], response: second },
  ];
  await desk.receive({ type: "scoreTurns", id: 3, turns });
  expect(ended(3)?.why).toBe("scored");
  const texts = [0, 1].map((turn) =>
    said(3)
      .filter((token) => token.turn === turn)
      .map(({ text }) => text)
      .join(""),
  );
  expect(texts).toEqual([first, second]);

  // The same numbers as of the whole text of the second turn.
  const { template } = await openTextFolder(blobOpener(blobsOf(smallFolder())), [
    ...smallFolder().keys(),
  ]);
  const text = template!(turns[1]!.messages, { addGenerationPrompt: true }) + second;
  await desk.receive({ type: "scoreText", id: 4, prompt: { text } });
  const scored = said(3).filter(({ turn }) => turn === 1);
  const whole = said(4).slice(-scored.length);
  expect(scored.map(({ logprob, entropy }) => [logprob, entropy])).toEqual(
    whole.map(({ logprob, entropy }) => [logprob, entropy]),
  );
});

test("a text without room is refused, and the model stays", async () => {
  const { desk, report, ended, open } = openDesk();
  await open(smallFolder());
  await desk.receive({ type: "loadFolder" });
  const long = { text: "Up ".repeat(3000) };
  await desk.receive({ type: "say", id: 1, prompt: long, ...greedy });
  expect(ended(1)?.why).toBe("failed");
  expect(report()).toMatchObject({
    state: "ready",
    problem: { message: expect.stringMatching(/must have from 1 to 1024/) },
  });
});

test("what is said can be stopped", async () => {
  const host: Partial<ModelDeskHost> = {};
  const { desk, said, ended, open } = openDesk({
    rest: () => host.rest?.() ?? Promise.resolve(),
  });
  await open(smallFolder());
  await desk.receive({ type: "loadFolder" });
  host.rest = () => desk.receive({ type: "hush" });
  await desk.receive({ type: "say", id: 1, prompt, ...greedy, maxTokens: 500, temperature: 5 });
  expect(said(1)).toHaveLength(1);
  expect(ended(1)?.why).toBe("hushed");
});

test.each([
  [
    "a shard is missing",
    (files: FolderBytes) => files.delete("model-2-of-2.safetensors"),
    /it is missing/,
  ],
  [
    "another architecture",
    (files: FolderBytes) =>
      files.set("config.json", new TextEncoder().encode('{"model_type":"llama"}')),
    /must be qwen2 or qwen3/,
  ],
] as const)("nothing is open after: %s", async (_what, spoil, why) => {
  const { report, engines, open } = openDesk();
  const files = smallFolder(1, 2);
  spoil(files);
  await open(files);
  expect(report()).toMatchObject({
    state: "empty",
    plan: null,
    problem: {
      message: expect.stringMatching(why),
      action: expect.stringMatching(/Nothing was loaded/),
    },
  });
  expect(engines).toEqual([]);
});

test("NaN in the weights is found while they load, and nothing of them stays", async () => {
  const { desk, report, engines, open } = openDesk();
  const files = smallFolder();
  files.get("model.safetensors")!.fill(0xff, -2);
  await open(files);
  const before = engines[0]!.memory().bytes;
  await desk.receive({ type: "loadFolder" });
  expect(report()).toMatchObject({
    state: "read",
    problem: { message: expect.stringMatching(/NaN/) },
  });
  expect(engines[0]!.memory().bytes).toBe(before);
});

test("a model beyond the device's memory is refused beforehand, with both numbers", async () => {
  const { report, open } = openDesk({ memoryBytes: 1000 });
  await open(smallFolder());
  expect(report()).toMatchObject({
    state: "empty",
    problem: { message: expect.stringMatching(/needs .* this device has 1.0.kB/) },
  });
});

test("another folder ends the loading of the first", async () => {
  const host: Partial<ModelDeskHost> = {};
  const { desk, report, engines, open } = openDesk({
    rest: () => host.rest?.() ?? Promise.resolve(),
  });
  await open(smallFolder(1));
  host.rest = async () => {
    delete host.rest;
    await open(smallFolder(2));
  };
  await desk.receive({ type: "loadFolder" });
  expect(report().state).toBe("read");
  expect(engines).toHaveLength(2);
  expect(report().problem).toBeNull();
});

test("weights in int8 are compared with those stored on the reader's text, as the same code says alone", async () => {
  const { desk, report, said, ended, open } = openDesk();
  await open(smallFolder(), "int8");
  await desk.receive({ type: "loadFolder" });
  await desk.receive({ type: "say", id: 1, prompt, ...greedy });
  await desk.receive({ type: "compareStored", id: 2, prompt });
  const files = smallFolder();
  const { opened, template, tokenizer } = await openTextFolder(blobOpener(blobsOf(files)), [
    ...files.keys(),
  ]);
  const ids = tokenizer.encode(template!(prompt.messages, { enableThinking: false })).slice(0, 64);
  const engine = await openEngine("plan wasm");
  const logits = async (form: WeightForm) => rowLogits(await loadOpened(engine, opened, form), ids);
  const difference = logitsDifference(await logits("stored"), await logits("int8"));
  engine.dispose();
  expect(ended(2)).toMatchObject({ why: "compared", promptTokens: ids.length, difference });
  expect(difference.kl).toBeGreaterThan(0);
  expect(report()).toMatchObject({ state: "ready", problem: null, loaded: null });
  // The weights as they were are there again.
  await desk.receive({ type: "say", id: 3, prompt, ...greedy });
  expect(said(3)).toEqual(said(1));
});

test("a comparison that does not fit is refused, and the model stays", async () => {
  const engines: Awaited<ReturnType<typeof openEngine>>[] = [];
  const { desk, report, ended, open } = openDesk({
    openEngine: async () => {
      const engine = await openEngine("plan wasm");
      engines.push(engine);
      return { engine, report: { ...engine.info, fallback: null } };
    },
  });
  await open(smallFolder(), "int8");
  await desk.receive({ type: "loadFolder" });
  const [engine] = engines;
  const create = engine!.streamModel!.bind(engine);
  let refused = 0;
  engine!.streamModel = (config, ...rest) => {
    if (config.packed !== "int8" && refused++ === 0)
      throw new EngineError("out-of-memory", "the model does not fit");
    return create(config, ...rest);
  };
  await desk.receive({ type: "compareStored", id: 2, prompt });
  expect(ended(2)).toMatchObject({ why: "failed" });
  expect(report()).toMatchObject({
    state: "ready",
    problem: { message: expect.stringContaining("does not fit") },
  });
  await desk.receive({ type: "say", id: 3, prompt, ...greedy });
  expect(ended(3)!.why).not.toBe("failed");
});

test("its speed is measured, and what an iteration would take follows from it", async () => {
  let [time, rests] = [0, 0];
  const { desk, report, open } = openDesk({
    now: () => (time += 100),
    rest: async () => void rests++,
  });
  await open(smallFolder());
  await desk.receive({ type: "loadFolder" });
  await desk.receive({ type: "measureFolder" });
  const { state, speed, problem } = report();
  expect([state, problem, speed!.episodes]).toEqual(["ready", null, 64]);
  // Each step takes 100 ms of this clock: 256 tokens are read in one, one is written.
  expect(speed!.reads).toBeCloseTo(2560, 6);
  expect(speed!.writes).toBeCloseTo(10, 6);
  // 64 episodes, played, scored and trained twice: 8 passes of up to 1,024 tokens each.
  const tokens = speed!.iteration! * speed!.reads;
  expect(tokens % (64 * 8)).toBeCloseTo(0, 3);
  expect(tokens / (64 * 8)).toBeLessThanOrEqual(1024);
  expect(tokens / (64 * 8)).toBeGreaterThan(300);
  expect(rests).toBeGreaterThan(50);
});
